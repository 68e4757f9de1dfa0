/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time of a barrier at the number of PEs the program is started with: as a rate (the MPT paper's table 2), and as
 * sequences of ten (ParkBench's SYNCH1, the T3E paper's table 5); and when one PE comes late, what passes until the last has left.
 */
#include "common/job.h"

#define SEQUENCE 10
#define SEQUENCES 1000
#define LATE_NS 200000 /* how much later than the others one PE comes, when the barrier is checked */
#define SKEW_NS 20000  /* and when that is measured */
#define SKEW_SAMPLES 1000

static struct bench_series samples, rates;

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

static const struct call {
    const char *name;
    bench_body *body;
} calls[] = {{"shmem_barrier_all", barrier_all}, {"shmem_sync_all", sync_all}};
#define CALLS (int)(sizeof calls / sizeof *calls)

static void linger(int64_t ns)
{
    for (const int64_t end = bench_now() + ns; bench_now() < end;)
        continue;
}

/*
 * Nobody may leave before all have come: each PE says in every other's array that it came, with a put before the barrier;
 * after it all must have. One PE in turn comes late, so that luck doesn't help. sync_all doesn't complete puts, so they are
 * completed first.
 */
static bool check(const struct call *c, long *arrived, int rounds)
{
    bool right = true;

    for (int round = 1; round <= rounds; round++) {
        if (round % bench_job.npes == bench_job.me)
            linger(LATE_NS);
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

static void rate(const struct call *c, bool right)
{
    const double budget = bench_agree_budget(bench_plan_next("%s", c->name));
    struct bench_params p = bench_job_params();
    enum bench_stop stop;

    stop = bench_measure_together(c->body, NULL, budget, BENCH_PE0, &samples, NULL);
    bench_param_text(&p, "call", c->name);
    bench_series_invert(&rates, &samples, 1e3);
    bench_series_scale(&samples, &samples, 1e-3);
    bench_emit("barrier", &p, "barrier_time", "us", &samples, right, bench_stop_name(stop));
    bench_emit("barrier", &p, "barrier_rate", "Mbarrier/s", &rates, right, bench_stop_name(stop));
}

/* A sample is a sequence of ten; as many as asked for, or as the budget allows. */
static void synch1(const struct call *c, bool right)
{
    const int64_t end = bench_now() + (int64_t)bench_agree_budget(bench_plan_next("SYNCH1 %s", c->name));
    struct bench_params p = bench_job_params();
    long n = 0;

    bench_series_clear(&samples);
    while (n < SEQUENCES && bench_agree(bench_now() < end)) {
        const long block = n < 10 ? 10 : 99; /* sequences in a row before the budget is looked at */

        c->body(NULL, SEQUENCE);
        for (long i = 0; i < block; i++) {
            const int64_t t0 = bench_now();

            c->body(NULL, SEQUENCE);
            bench_series_add(&samples, (double)(bench_now() - t0) / SEQUENCE * 1e-3);
        }
        n += block;
    }
    if (n == 0)
        return; /* the budget was gone before: nothing was measured */
    bench_param_text(&p, "call", c->name);
    bench_param_integer(&p, "sequences", n);
    bench_emit("SYNCH1", &p, "barrier_time", "us", &samples, right, NULL);
}

/* One PE in turn is late. From its coming to the last one's leaving, on the clock that all have in common. */
static void late(const struct call *c, bool right)
{
    static struct bench_series all;
    const int64_t end = bench_now() + (int64_t)bench_agree_budget(bench_plan_next("late %s", c->name));
    struct bench_params p = bench_job_params();
    long n = 0;

    bench_series_clear(&samples);
    for (; n < SKEW_SAMPLES && (n < 10 || bench_agree(bench_now() < end)); n++) {
        double came, left;

        c->body(NULL, 1);
        if (n % bench_job.npes == bench_job.me)
            linger(SKEW_NS);
        came = (double)bench_now();
        c->body(NULL, 1);
        left = (double)bench_now();
        bench_gather(came, &all);
        came = bench_stats(&all).max;
        bench_gather(left, &all);
        bench_series_add(&samples, (bench_stats(&all).max - came) * 1e-3);
    }
    bench_param_text(&p, "call", c->name);
    bench_param_integer(&p, "late_by_us", SKEW_NS / 1000);
    bench_emit("barrier, one late", &p, "release_time", "us", &samples, right, NULL);
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
    bench_plan_begin(3 * CALLS, bench_options.max_seconds);
    for (int i = 0; i < CALLS; i++) {
        const bool right = check(&calls[i], arrived, 20);

        for (int pe = 0; pe < bench_job.npes; pe++)
            arrived[pe] = 0;
        shmem_barrier_all();
        rate(&calls[i], right);
        synch1(&calls[i], right);
        if (bench_job.npes > 1 && bench_job.machines == 1)
            late(&calls[i], right);
    }
    return bench_job_finish();
}
