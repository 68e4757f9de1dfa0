/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Other launchers' environments: several processes are recognised, a lone one
 * and a batch script are left in peace.
 */
#include "core/foreign.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static const struct {
    const char *set[6]; /* NAME=value */
    const char *launcher; /* part of the name; NULL: none is seen */
    int rank, size;
} cases[] = {
    {{NULL}, NULL, 0, 0},
    {{"OMPI_COMM_WORLD_RANK=1", "OMPI_COMM_WORLD_SIZE=2", "PMIX_RANK=1"}, "Open MPI", 1, 2},
    {{"OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=1", "PMIX_RANK=0"}, NULL, 0, 0},
    {{"PMI_RANK=3", "PMI_SIZE=8"}, "PMI", 3, 8},
    {{"PMI_RANK=0", "PMI_SIZE=1"}, NULL, 0, 0},
    {{"SLURM_PROCID=2", "SLURM_STEP_NUM_TASKS=4", "SLURM_NTASKS=4"}, "Slurm", 2, 4},
    {{"SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=1"}, NULL, 0, 0},
    /* A batch script has a rank, but is no step. */
    {{"SLURM_PROCID=0", "SLURM_NTASKS=16"}, NULL, 0, 0},
    {{"PMIX_RANK=0"}, "PMIx", 0, 0},
    {{"PMIX_RANK=5"}, "PMIx", 5, 0},
    {{"ALPS_APP_PE=1"}, "ALPS", 1, 0},
    {{"PALS_RANKID=1"}, "PALS", 1, 0},
    {{"FLUX_TASK_RANK=1", "FLUX_JOB_SIZE=2"}, "Flux", 1, 2},
    {{"MV2_COMM_WORLD_RANK=0", "MV2_COMM_WORLD_SIZE=2"}, "MVAPICH", 0, 2},
    {{"JSM_NAMESPACE_RANK=0", "JSM_NAMESPACE_SIZE=2"}, "jsrun", 0, 2},
    /* One step of a batch system starts our program through another launcher. */
    {{"SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=1", "PMI_RANK=1", "PMI_SIZE=2"}, "PMI", 1, 2},
    /* Rubbish is not a rank. */
    {{"PMI_RANK=", "PMI_SIZE=2"}, NULL, 0, 0},
    {{"PMI_RANK=one", "PMI_SIZE=two"}, NULL, 0, 0},
    {{"PMI_RANK=99999999999", "PMI_SIZE=2"}, NULL, 0, 0},
};

static void clear(void)
{
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned k = 0; cases[i].set[k]; k++) {
            char name[64];

            snprintf(name, sizeof name, "%.*s", (int)strcspn(cases[i].set[k], "="), cases[i].set[k]);
            unsetenv(name);
        }
}

int main(void)
{
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        int rank = -7, size = -7;
        const char *name, *first = cases[i].set[0] ? cases[i].set[0] : "nothing";

        clear();
        for (unsigned k = 0; cases[i].set[k]; k++)
            putenv((char *)cases[i].set[k]);
        name = core_foreign_launcher(&rank, &size);
        if (!cases[i].launcher) {
            CHECK(!name, "case %u (%s): %s", i, first, name);
            CHECK(rank == -7 && size == -7, "case %u (%s): rank %d of %d written", i, first, rank, size);
            continue;
        }
        CHECK(name && strstr(name, cases[i].launcher), "case %u (%s): %s", i, first, name ? name : "none");
        CHECK(rank == cases[i].rank && size == cases[i].size, "case %u (%s): %d of %d", i, first, rank, size);
    }
    return unit_result();
}
