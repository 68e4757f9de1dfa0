/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the cases of an application: fresh input, a barrier, the run, its check, until its time is used or well known.
 * A sample is one run; its time is that of the slowest process, its phases are means over processes.
 */
#include "app.h"

#include <stdlib.h>

#define MIN_RUNS 3
#define KNOWN_RUNS 16
#define PRECISION 0.02

struct app_clock app_clock;

/* What a run took a process, s. */
struct taken {
    double all, phase[APP_PHASES];
};

static struct {
    struct bench_series time, local, communication, local_share, rate;
} series;

static struct taken *gathered;

void *app_alloc(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);

    if (!p)
        app_fatal("no memory for %zu bytes", bytes);
    return p;
}

static struct taken run_once(const struct app_case *c)
{
    struct taken t;
    int64_t start;

    c->problem->prepare();
    app_barrier();
    bench_region_begin("%s%s%s", c->problem->test, c->variant ? ", " : "", c->variant ? c->variant : "");
    app_clock = (struct app_clock){.phase = APP_LOCAL, .since = bench_now()};
    start = app_clock.since;
    c->run();
    app_phase(APP_LOCAL);
    t.all = (double)(app_clock.since - start) * 1e-9;
    bench_region_end();
    for (int i = 0; i < APP_PHASES; i++)
        t.phase[i] = (double)app_clock.spent[i] * 1e-9;
    return t;
}

/* On process 0, of what all took. */
static void add_sample(const struct app_case *c)
{
    struct taken sum = {0};
    double slowest = 0;
    const double n = app_job.npes;

    for (int pe = 0; pe < app_job.npes; pe++) {
        slowest = gathered[pe].all > slowest ? gathered[pe].all : slowest;
        for (int i = 0; i < APP_PHASES; i++)
            sum.phase[i] += gathered[pe].phase[i];
    }
    bench_series_add(&series.time, slowest);
    bench_series_add(&series.local, sum.phase[APP_LOCAL] / n);
    bench_series_add(&series.communication, sum.phase[APP_COMMUNICATION] / n);
    bench_series_add(&series.local_share,
                     100 * sum.phase[APP_LOCAL] / (sum.phase[APP_LOCAL] + sum.phase[APP_COMMUNICATION]));
    bench_series_add(&series.rate, c->problem->work() / slowest * 1e-6);
}

static bool known(void)
{
    const struct bench_stats s = bench_stats(&series.time);

    return s.n >= KNOWN_RUNS && s.ci_high - s.ci_low <= 2 * PRECISION * s.median;
}

static void emit(const struct app_case *c, bool right, enum bench_stop stop)
{
    const struct {
        const char *metric, *unit;
        const struct bench_series *series;
    } metrics[] = {{"time", "s", &series.time},
                   {"local_time", "s", &series.local},
                   {"communication_time", "s", &series.communication},
                   {"local_share", "%", &series.local_share},
                   {"rate", c->problem->unit, &series.rate}};
    struct bench_params p = {0};

    bench_param_integer(&p, "npes", app_job.npes);
    if (c->variant)
        bench_param_text(&p, "variant", c->variant);
    c->problem->params(&p);
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        bench_report_write(&(struct bench_record){.test = c->problem->test,
                                                  .metric = metrics[i].metric,
                                                  .unit = metrics[i].unit,
                                                  .params = &p,
                                                  .series = metrics[i].series,
                                                  .verified = right,
                                                  .stop = bench_stop_name(stop)});
}

static void run_case(const struct app_case *c, double budget_ns)
{
    const double deadline = (double)bench_now() + budget_ns;
    bool right = true;
    long more = 1, runs = 0;

    bench_series_clear(&series.time);
    bench_series_clear(&series.local);
    bench_series_clear(&series.communication);
    bench_series_clear(&series.local_share);
    bench_series_clear(&series.rate);
    series.rate.rates = true;
    if (c->begin)
        c->begin();
    while (more) {
        const struct taken mine = run_once(c);

        right = app_right(c->problem->check()) && right;
        app_gather(&mine, sizeof mine, gathered);
        if (app_job.me == 0 && runs > 0) /* the first one only warms up */
            add_sample(c);
        more = ++runs <= MIN_RUNS || ((double)bench_now() < deadline && !known() && runs < BENCH_MAX_SAMPLES);
        more = app_agree(more);
    }
    if (app_job.me == 0)
        emit(c, right, known() ? BENCH_STOP_CI : BENCH_STOP_BUDGET);
}

int app_main(int argc, char **argv)
{
    const struct app_program *const p = &app_program;
    const char *why;

    app_start(argc, argv, p);
    why = p->setup();
    if (why)
        app_fatal("%s: %s", p->name, why);
    gathered = app_alloc(sizeof *gathered * (size_t)app_job.npes);
    bench_plan_begin(p->ncases + (p->further ? 1 : 0), bench_options.max_seconds);
    for (int i = 0; i < p->ncases; i++) {
        const struct app_case *c = &p->cases[i];

        run_case(c, bench_plan_next("%s %s", c->problem->test, c->variant ? c->variant : ""));
    }
    if (p->further)
        p->further(bench_plan_next("%s", "further"));
    free(gathered);
    return app_finish();
}
