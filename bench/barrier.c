/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SHMEM's barriers at the number of PEs the program is started with: checked, then measured as job_barrier.h says.
 */
#include "common/job_barrier.h"

#define LATE_NS 200000 /* how much later than the others one PE comes, when the barrier is checked */

static void barrier_all(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++)
        shmem_barrier_all();
}

static void sync_all(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++)
        shmem_sync_all();
}

static const struct bench_barrier calls[] = {{"shmem_barrier_all", barrier_all}, {"shmem_sync_all", sync_all}};
#define CALLS (int)(sizeof calls / sizeof *calls)

/*
 * Nobody may leave before all have come: each PE says in every other's array that it came, with a put before the
 * barrier; after it all must have. One PE in turn comes late, so that luck doesn't help. sync_all doesn't complete
 * puts, so they are completed first.
 */
static bool check(const struct bench_barrier *c, long *arrived, int rounds)
{
    bool right = true;

    for (int round = 1; round <= rounds; round++) {
        if (round % bench_job.npes == bench_job.me)
            bench_linger(LATE_NS);
        for (int pe = 0; pe < bench_job.npes; pe++)
            shmem_long_p(arrived + bench_job.me, round, pe);
        shmem_quiet();
        c->body(NULL, 1);
        for (int pe = 0; pe < bench_job.npes; pe++)
            right = right && ((volatile long *)arrived)[pe] >= round;
        shmem_barrier_all();
    }
    return bench_agree_right(right);
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"barrier", "time of a barrier of all PEs", NULL, 1, 6, 2};
    long *arrived;

    bench_job_start(argc, argv, &program);
    arrived = shmem_calloc((size_t)bench_job.npes, sizeof *arrived);
    if (!arrived)
        bench_job_fatal("the symmetric heap is too small");
    shmem_barrier_all(); /* in some libraries a PE leaves the allocation before another has cleared its part */
    bench_plan_begin(BENCH_BARRIER_CASES * CALLS, bench_options.max_seconds);
    for (int i = 0; i < CALLS; i++) {
        const bool right = check(&calls[i], arrived, 20);

        for (int pe = 0; pe < bench_job.npes; pe++)
            arrived[pe] = 0;
        shmem_barrier_all();
        bench_barrier(&calls[i], right);
    }
    return bench_job_finish();
}
