/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recognises other launchers by the variables they give their processes.
 */
#include "core/foreign.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/param.h"

/* `size` NULL: the launcher tells the number of processes by other means only.
 * A launcher often sets the variables of another one too, so the most telling
 * names come first. */
static const struct {
    const char *rank, *size, *launcher;
} rows[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MVAPICH's mpirun"},
    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE", "Flux"},
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "jsrun"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "Slurm's srun"},
    {"PMI_RANK", "PMI_SIZE", "a PMI launcher (such as MPICH's mpiexec)"},
    {"PALS_RANKID", NULL, "PALS (HPE Cray mpiexec)"},
    {"ALPS_APP_PE", NULL, "ALPS (Cray aprun)"},
    {"PMIX_RANK", NULL, "a PMIx launcher"},
};

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

const char *core_foreign_launcher(int *rank, int *size)
{
    bool alone = false; /* some launcher said: one process */

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
            return rows[i].launcher;
        }
    }
    return NULL;
}
