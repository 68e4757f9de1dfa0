/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides how often a body is repeated in a batch and how many batches are sampled. A state machine, so
 * that the same decisions serve one process and a job whose first PE decides for all.
 */
#include "bench.h"

#define WARM_UP 3
#define TRIES 2            /* batches timed at each size while the size is being found */
#define MIN_SAMPLES 5      /* taken even when the budget is gone */
#define MIN_SLOW 3         /* the same, for a body that takes a tenth of the budget each time */
#define PRECISION 0.02     /* half width of the confidence interval that is good enough */
#define SPREAD_NS 20e6     /* samples from less than this could all lie in one disturbance */
#define SPREAD_BURNER 4e8  /* or between two, when the scheduler's turns are to be measured, too */
#define CHECK_EVERY 16
#define RESTARTS 12

void bench_sampler_begin(struct bench_sampler *s, struct bench_series *out, double budget_ns)
{
    const double timer_share = 200 * bench_timer_cost();

    *s = (struct bench_sampler){
        .batch_ns = bench_cold()        ? 0
                    : timer_share > 1e4 ? timer_share
                                        : 1e4,
        .budget_ns = budget_ns,
        .out = out,
        .reps = 1,
        .fastest = INFINITY,
        .started = bench_now(),
    };
    bench_series_clear(out);
}

bool bench_precise(const struct bench_series *s)
{
    const struct bench_stats r = bench_stats(s);

    return r.n >= BENCH_LEAST_SAMPLES && r.ci_high - r.ci_low <= 2 * PRECISION * r.median;
}

long bench_sampler_next(struct bench_sampler *s)
{
    const double spread = bench_options.burner ? SPREAD_BURNER : SPREAD_NS;
    const int64_t now = bench_now();
    const size_t n = s->out->n;

    if (!s->sampling || n < s->min_samples || n < bench_plan_insists())
        return s->reps;
    if (n >= BENCH_MAX_SAMPLES) {
        s->stop = bench_precise(s->out) ? BENCH_STOP_CI : BENCH_STOP_FULL;
        return 0;
    }
    if ((double)(now - s->started) > s->budget_ns) {
        s->stop = bench_precise(s->out) ? BENCH_STOP_CI : BENCH_STOP_BUDGET;
        return 0;
    }
    if (n % CHECK_EVERY == 0 && (double)(now - s->sampling_since) > spread && bench_precise(s->out)) {
        s->stop = BENCH_STOP_CI;
        return 0;
    }
    return s->reps;
}

static void begin_sampling(struct bench_sampler *s, size_t min_samples)
{
    s->sampling = true;
    s->min_samples = min_samples;
    s->sampling_since = bench_now();
}

/* Repetitions that fill a batch, were each as fast as the fastest seen; not more than 8 times as many at once. */
static void enlarge(struct bench_sampler *s)
{
    const double wanted = 1.2 * s->batch_ns / s->fastest;
    const long most = 8 * s->reps;

    s->reps = wanted > (double)most ? most : (long)wanted > s->reps ? (long)wanted : s->reps + 1;
    s->tries = 0;
}

/* The fastest of a few tries decides: one disturbed batch must not make all later ones too short. */
static void grow(struct bench_sampler *s)
{
    const bool late = (double)(bench_now() - s->started) > 0.3 * s->budget_ns;

    if (++s->tries < TRIES && !late)
        return;
    if (s->fastest * (double)s->reps >= s->batch_ns || late)
        begin_sampling(s, MIN_SAMPLES);
    else
        enlarge(s);
}

/*
 * A sample far below the length of a batch: the batch was made in a disturbed phase. Begins again with a larger one.
 */
static void sample(struct bench_sampler *s, double elapsed_ns)
{
    if (elapsed_ns < 0.5 * s->batch_ns && s->restarts < RESTARTS) {
        s->restarts++;
        enlarge(s);
        bench_series_clear(s->out);
        return;
    }
    bench_series_add(s->out, elapsed_ns / (double)s->reps);
}

void bench_sampler_give(struct bench_sampler *s, double elapsed_ns)
{
    const double each = elapsed_ns / (double)s->reps;

    if (each < s->fastest && each > 0)
        s->fastest = each;
    if (s->sampling)
        sample(s, elapsed_ns);
    else if (s->warm > 0 && s->reps == 1 && s->fastest > 0.1 * s->budget_ns)
        begin_sampling(s, MIN_SLOW);
    else if (s->warm < WARM_UP)
        s->warm++;
    else
        grow(s);
}

const char *bench_stop_name(enum bench_stop stop)
{
    static const char *const names[] = {"budget", "ci", "full"};

    return names[stop];
}

enum bench_stop bench_measure(bench_body *body, void (*prepare)(void *arg), void *arg, double budget_ns,
                              struct bench_series *out)
{
    struct bench_sampler s;
    long reps;

    bench_sampler_begin(&s, out, budget_ns);
    while ((reps = bench_sampler_next(&s)) > 0) {
        int64_t t0;

        bench_cold_flush();
        if (prepare)
            prepare(arg);
        t0 = bench_now();
        body(arg, reps);
        bench_sampler_give(&s, (double)(bench_now() - t0));
    }
    return s.stop;
}
