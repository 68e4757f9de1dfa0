/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gam_barrier at the number of PEs the program is started with: checked, then measured as job_barrier.h says.
 */
#include <am.h>

#include "../common/job_barrier.h"

#define LATE_NS 200000 /* how much later than the others one PE comes, when the barrier is checked */
#define ROUNDS 20

static volatile long arrived; /* requests of all PEs, by round */

static void on_arrival(vnn_t src)
{
    arrived += src >= 0;
}

static void barriers(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++)
        gam_barrier();
}

/* Nobody may leave before all have come: a request that was handled before its sender came to the barrier is there. One
 * PE in turn comes late, so that luck doesn't help. */
static bool check(void)
{
    bool right = true;

    for (int round = 1; round <= ROUNDS; round++) {
        if (round % bench_job.npes == bench_job.me)
            bench_linger(LATE_NS);
        for (int pe = 0; pe < bench_job.npes; pe++)
            am_request_0(pe, on_arrival);
        am_quiet();
        gam_barrier();
        right = right && arrived >= (long)round * bench_job.npes;
        shmem_barrier_all(); /* nobody's next request before all have looked */
    }
    return bench_agree_right(right);
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"am_barrier", "time of a barrier of all PEs", NULL, 1, 6, 1};

    bench_job.library = "AM";
    bench_job_start(argc, argv, &program);
    am_enable();
    bench_plan_begin(BENCH_BARRIER_CASES, bench_options.max_seconds);
    bench_barrier(&(struct bench_barrier){"gam_barrier", barriers}, check());
    am_disable();
    return bench_job_finish();
}
