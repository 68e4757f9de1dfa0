/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of a job of SHMEM that does nothing, for each PE: its processes' shares of all pages, while all PEs wait in a
 * barrier.
 */
#include "common/footprint.h"
#include "common/job.h"

#include <stdlib.h>

/* Whether this PE is the first of its process. */
static bool first_of_process(void)
{
    static struct bench_series processes;
    long *const is_first = shmem_calloc(1, sizeof *is_first), *const first =
                                                                  calloc((size_t)bench_job.npes, sizeof *first);

    if (!is_first || !first)
        bench_job_fatal("out of memory");
    bench_gather((double)bench_process(), &processes);
    if (bench_job.me == 0)
        bench_footprint_firsts(processes.v, bench_job.npes, first);
    for (int pe = 0; bench_job.me == 0 && pe < bench_job.npes; pe++)
        shmem_long_p(is_first, first[pe], pe);
    shmem_barrier_all();
    free(first);
    return *(volatile long *)is_first != 0;
}

static double sum_of(double mine)
{
    static struct bench_series all;
    double sum = 0;

    bench_gather(mine, &all);
    for (size_t i = 0; i < all.n; i++)
        sum += all.v[i];
    return sum;
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"footprint", "memory of a job that does nothing", NULL, 1, 1, 1};
    struct bench_footprint mine = {0, 0}, sum;
    bool right = true;

    bench_job_start(argc, argv, &program);
    if (bench_job.npes > BENCH_MAX_SAMPLES)
        bench_job_fatal("footprint: at most %d PEs", BENCH_MAX_SAMPLES);
    bench_plan_begin(1, 1);
    bench_plan_next("memory");
    if (first_of_process())
        right = bench_footprint_look(&mine);
    right = bench_agree_right(right);
    sum.memory = sum_of(mine.memory);
    sum.page_tables = sum_of(mine.page_tables);
    if (bench_job.me == 0) {
        const struct bench_params p = bench_job_params();

        bench_footprint_write(&p, bench_job.npes, &sum, right);
    }
    return bench_job_finish();
}
