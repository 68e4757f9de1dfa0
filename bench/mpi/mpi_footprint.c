/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of a job of MPI that does nothing, for each rank: its processes' shares of all pages, while all ranks wait in
 * a reduction.
 */
#include <stdlib.h>

#include "../common/footprint.h"
#include "mpijob.h"

/* Whether this rank is the first of its process. */
static bool first_of_process(void)
{
    const size_t n = (size_t)mpijob.size;
    double *const processes = calloc(n, sizeof *processes), mine = (double)bench_process();
    long *const first = calloc(n, sizeof *first), is_first;

    if (!processes || !first)
        mpijob_fatal("out of memory");
    MPI_Gather(&mine, 1, MPI_DOUBLE, processes, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (mpijob.rank == 0)
        bench_footprint_firsts(processes, mpijob.size, first);
    MPI_Scatter(first, 1, MPI_LONG, &is_first, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    free(processes);
    free(first);
    return is_first != 0;
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_footprint", "memory of a job that does nothing", 1, 1, 1};
    struct bench_footprint mine = {0, 0}, sum = {0, 0};
    bool right = true;

    mpijob_start(argc, argv, &program);
    bench_plan_begin(1, 1);
    mpijob_case("memory");
    if (first_of_process())
        right = bench_footprint_look(&mine);
    right = mpijob_right(right);
    MPI_Reduce(&mine, &sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (mpijob.rank == 0) {
        const struct bench_params p = mpijob_params();

        bench_footprint_write(&p, mpijob.size, &sum, right);
    }
    return mpijob_finish();
}
