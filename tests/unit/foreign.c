/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Other launchers' environments: several processes are recognised, a lone one
 * and a batch script are left in peace, and it is seen which launchers serve
 * PMIx to this very process.
 */
#include "core/job/foreign.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

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

#define PMIX(space, rank) "PMIX_NAMESPACE=" space, "PMIX_RANK=" rank, "PMIX_SERVER_URI2=x;tcp4://127.0.0.1:1"

static const struct {
    const char *set[6];
    bool pmix;
} servers[] = {
    {{NULL}, false},
    {{PMIX("prterun-a-1@1", "0")}, true},
    {{PMIX("prterun-a-1@1", "3")}, true},
    {{"PMIX_NAMESPACE=a", "PMIX_RANK=1"}, false},
    {{"PMIX_RANK=1", "PMIX_SERVER_URI2=x"}, false},
    {{PMIX("a", "x")}, false},
    {{PMIX("slurm.pmix.7.0", "0"), "SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=2"}, true},
    {{PMIX("slurm.pmix.7.0", "0"), "SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=1"}, false},
    /* A launcher inside a step of one process. */
    {{PMIX("prterun-a-1@1", "0"), "SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=1"}, true},
    {{PMIX("1639120897", "0"), "OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=1"}, false},
    {{PMIX("1639120897", "0"), "OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=2"}, true},
    /* What a PE leaves to programs that it starts; process 1 is not this one. */
    {{PMIX("prterun-a-1@1", "2"), "MPT_PMIX_PE=prterun-a-1@1.2.1"}, false},
    {{PMIX("prterun-a-1@1", "3"), "MPT_PMIX_PE=prterun-a-1@1.2.1"}, true},
    {{PMIX("prterun-b-1@1", "2"), "MPT_PMIX_PE=prterun-a-1@1.2.1"}, true},
};

static void unset(const char *const *set)
{
    for (; *set; set++) {
        char name[64];

        snprintf(name, sizeof name, "%.*s", (int)strcspn(*set, "="), *set);
        unsetenv(name);
    }
}

static void clear(void)
{
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        unset(cases[i].set);
    for (unsigned i = 0; i < sizeof servers / sizeof *servers; i++)
        unset(servers[i].set);
}

static void check_servers(void)
{
    for (unsigned i = 0; i < sizeof servers / sizeof *servers; i++) {
        const char *first = servers[i].set[0] ? servers[i].set[0] : "nothing";

        clear();
        for (unsigned k = 0; servers[i].set[k]; k++)
            putenv((char *)servers[i].set[k]);
        CHECK(core_foreign_pmix() == servers[i].pmix, "PMIx case %u (%s)", i, first);
    }
    clear();
    setenv("PMIX_NAMESPACE", "a.b", 1);
    setenv("PMIX_RANK", "4", 1);
    setenv("PMIX_SERVER_URI4", "x", 1);
    core_foreign_mark("a.b", 4);
    CHECK(core_foreign_pmix(), "the PE itself stays one");
    CHECK(getenv("MPT_PMIX_PE"), "the mark for programs of the PE is set");
}

int main(void)
{
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        int rank = -7, size = -7;
        const char *name, *cure = "unset", *first = cases[i].set[0] ? cases[i].set[0] : "nothing";

        clear();
        for (unsigned k = 0; cases[i].set[k]; k++)
            putenv((char *)cases[i].set[k]);
        name = core_foreign_launcher(&rank, &size, &cure);
        if (!cases[i].launcher) {
            CHECK(!name, "case %u (%s): %s", i, first, name);
            CHECK(rank == -7 && size == -7, "case %u (%s): rank %d of %d written", i, first, rank, size);
            continue;
        }
        CHECK(name && strstr(name, cases[i].launcher), "case %u (%s): %s", i, first, name ? name : "none");
        CHECK(!cure || strcmp(cure, "unset") != 0, "case %u (%s): cure not written", i, first);
        CHECK(rank == cases[i].rank && size == cases[i].size, "case %u (%s): %d of %d", i, first, rank, size);
    }
    check_servers();
    return check_verdict();
}
