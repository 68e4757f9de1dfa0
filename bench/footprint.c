/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of a job of SHMEM that does nothing, for each PE: its processes' shares of all pages, while all PEs wait in a
 * barrier. It is looked at before the benchmarks' own library takes any.
 */
#include "common/footprint.h"
#include "common/job.h"

#include <stdlib.h>

static struct bench_footprint sum; /* on PE 0 */
static bool right = true;

/* All symmetric, and touched on PE 0 only, but for a word. */
static double *of_each; /* process, memory, page tables of each PE */
static long *is_first;

static void tell(int what, double value)
{
    shmem_double_p(&of_each[what * bench_job.npes + bench_job.me], value, 0);
}

static double total(int what)
{
    double t = 0;

    for (int pe = 0; pe < bench_job.npes; pe++)
        t += of_each[what * bench_job.npes + pe];
    return t;
}

/* Whether this PE is the first of its process. */
static bool first_of_process(void)
{
    long *first;

    tell(0, (double)bench_process());
    shmem_barrier_all();
    if (bench_job.me == 0) {
        first = calloc((size_t)bench_job.npes, sizeof *first);
        if (!first)
            bench_job_fatal("out of memory");
        bench_footprint_firsts(of_each, bench_job.npes, first);
        for (int pe = 0; pe < bench_job.npes; pe++)
            shmem_long_p(is_first, first[pe], pe);
        free(first);
    }
    shmem_barrier_all();
    return *(volatile long *)is_first != 0;
}

static void look(void)
{
    struct bench_footprint mine = {0, 0};

    of_each = shmem_malloc(3 * sizeof *of_each * (size_t)bench_job.npes);
    is_first = shmem_malloc(sizeof *is_first);
    if (!of_each || !is_first)
        bench_job_fatal("the symmetric heap is too small");
    if (first_of_process())
        right = bench_footprint_look(&mine);
    tell(1, mine.memory);
    tell(2, mine.page_tables);
    shmem_barrier_all();
    if (bench_job.me == 0)
        sum = (struct bench_footprint){total(1), total(2)};
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"footprint", "memory of a job that does nothing", NULL, 1, 1, 1};

    bench_job_early(look);
    bench_job_start(argc, argv, &program);
    bench_plan_begin(1, 1);
    bench_plan_next("memory");
    right = bench_agree_right(right);
    if (bench_job.me == 0) {
        const struct bench_params p = bench_job_params();

        bench_footprint_write(&p, bench_job.npes, &sum, right);
    }
    return bench_job_finish();
}
