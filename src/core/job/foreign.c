/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recognises other launchers by the variables they give their processes.
 */
#include "core/job/foreign.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/param.h"

/* `size` NULL: the launcher tells the number of processes by other means only.
 * A launcher often sets the variables of another one too, so the most telling
 * names come first. */
static const struct {
    const char *rank, *size, *launcher, *cure;
} rows[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun", NULL},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MVAPICH's mpirun", NULL},
    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE", "Flux", "flux run -o pmi=pmix (with flux-pmix)"},
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "jsrun", NULL},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "Slurm's srun", "srun --mpi=pmix"},
    {"PMI_RANK", "PMI_SIZE", "a PMI launcher (such as MPICH's mpiexec)", "prterun, or Open MPI's mpirun"},
    {"PALS_RANKID", NULL, "PALS (HPE Cray mpiexec)", "prterun"},
    {"ALPS_APP_PE", NULL, "ALPS (Cray aprun)", "prterun"},
    {"PMIX_RANK", NULL, "a PMIx launcher", NULL},
};

/* Where a PMIx server says how it is reached, one name for each way of talking. */
static const char *const servers[] = {"PMIX_SERVER_URI5",  "PMIX_SERVER_URI41", "PMIX_SERVER_URI4", "PMIX_SERVER_URI3",
                                      "PMIX_SERVER_URI21", "PMIX_SERVER_URI2",  "PMIX_SERVER_URI"};

/* "<namespace>.<rank>.<process>": set by a PE for the programs it starts. */
#define MARK_ENV "MPT_PMIX_PE"

/* The non-negative number a variable holds, -1 when unset or something else. */
static int number(const char *name)
{
    const char *s = name ? core_param_foreign(name) : NULL;
    long v = 0;

    if (!s || !*s)
        return -1;
    for (; *s; s++) {
        if (*s < '0' || *s > '9')
            return -1;
        v = v * 10 + (*s - '0');
        if (v > INT_MAX)
            return -1;
    }
    return (int)v;
}

/* A program that a PE started has the PE's variables. */
static bool below_a_pe(void)
{
    const char *mark = core_param_foreign(MARK_ENV), *space = core_param_foreign("PMIX_NAMESPACE");
    size_t n = space ? strlen(space) : 0;
    unsigned rank;
    int pid;

    if (!mark || !space || strncmp(mark, space, n) != 0 || sscanf(mark + n, ".%u.%d", &rank, &pid) != 2)
        return false;
    return (int)rank == number("PMIX_RANK") && pid != (int)getpid();
}

void core_foreign_mark(const char *space, uint32_t rank)
{
    char mark[512];

    if (snprintf(mark, sizeof mark, "%s.%u.%d", space, rank, (int)getpid()) < (int)sizeof mark)
        setenv(MARK_ENV, mark, 1);
}

static bool has_server(void)
{
    for (unsigned i = 0; i < sizeof servers / sizeof *servers; i++)
        if (core_param_foreign(servers[i]))
            return true;
    return false;
}

/* The only process of its job: known of launchers whose own variables go with
 * their names of jobs. Variables alone may be those of a launcher further out. */
static bool only_process(const char *space)
{
    if (strncmp(space, "slurm.", 6) == 0)
        return number("SLURM_STEP_NUM_TASKS") == 1;
    return space[strspn(space, "0123456789")] == '\0' && number("OMPI_COMM_WORLD_SIZE") == 1; /* Open MPI 4 */
}

/* Several PEs then, though it is one process. */
static bool has_tasks(void)
{
    return number("MPT_TASKS") > 1 && !core_param_foreign("NPES");
}

bool core_foreign_pmix(void)
{
    const char *space = core_param_foreign("PMIX_NAMESPACE");

    return space && number("PMIX_RANK") >= 0 && has_server() && !below_a_pe() && (!only_process(space) || has_tasks());
}

const char *core_foreign_launcher(int *rank, int *size, const char **cure)
{
    bool alone = false; /* some launcher said: one process */

    if (below_a_pe())
        return NULL;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        int r = number(rows[i].rank), n = number(rows[i].size);

        if (r < 0)
            continue;
        if (n == 1)
            alone = true;
        /* A number that should be there but is not says nothing: batch scripts
         * have a rank too. A rank above 0 is proof enough. */
        if (n > 1 || (n < 0 && (r > 0 || (!rows[i].size && !alone)))) {
            *rank = r;
            *size = n > 1 ? n : 0;
            *cure = rows[i].cure;
            return rows[i].launcher;
        }
    }
    return NULL;
}
