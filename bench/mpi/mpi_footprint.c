/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of a job of MPI that does nothing, for each rank: its processes' shares of all pages, while all ranks wait in
 * a reduction. It is looked at before the benchmarks' own library takes any.
 */
#include <stdlib.h>

#include "../common/footprint.h"
#include "mpijob.h"

static struct bench_footprint sum; /* on rank 0 */
static bool right = true;

/* On rank 0; the others need none. */
static void *room(size_t bytes)
{
    void *const made = mpijob.rank == 0 ? calloc((size_t)mpijob.size, bytes) : NULL;

    if (mpijob.rank == 0 && !made)
        mpijob_fatal("out of memory");
    return made;
}

/* Whether this rank is the first of its process. */
static bool first_of_process(void)
{
    double *const processes = room(sizeof *processes), mine = (double)bench_process();
    long *const first = room(sizeof *first), is_first;

    MPI_Gather(&mine, 1, MPI_DOUBLE, processes, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (mpijob.rank == 0)
        bench_footprint_firsts(processes, mpijob.size, first);
    MPI_Scatter(first, 1, MPI_LONG, &is_first, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    free(processes);
    free(first);
    return is_first != 0;
}

static void look(void)
{
    struct bench_footprint mine = {0, 0};

    if (first_of_process())
        right = bench_footprint_look(&mine);
    MPI_Reduce(&mine, &sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_footprint", "memory of a job that does nothing", 1, 1, 1};

    mpijob_early(look);
    mpijob_start(argc, argv, &program);
    bench_plan_begin(1, 1);
    mpijob_case("memory");
    right = mpijob_right(right);
    if (mpijob.rank == 0) {
        const struct bench_params p = mpijob_params();

        bench_footprint_write(&p, mpijob.size, &sum, right);
    }
    return mpijob_finish();
}
