/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measuring of job_barrier.h.
 */
#include "job_barrier.h"

#define SEQUENCE 10
#define SEQUENCES 1000
#define SKEW_NS 20000 /* how much later than the others one PE comes */
#define SKEW_SAMPLES 1000

static struct bench_series samples, rates;

void bench_linger(int64_t ns)
{
    for (const int64_t end = bench_now() + ns; bench_now() < end;)
        continue;
}

static void rate(const struct bench_barrier *c, bool right)
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
static void synch1(const struct bench_barrier *c, bool right)
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
static void late(const struct bench_barrier *c, bool right)
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
            bench_linger(SKEW_NS);
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

void bench_barrier(const struct bench_barrier *c, bool right)
{
    rate(c, right);
    synch1(c, right);
    if (bench_job.npes > 1 && bench_job.machines == 1)
        late(c, right);
}
