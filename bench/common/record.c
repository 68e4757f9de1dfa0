/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The records: one JSON line per (test, parameters, metric), written and flushed as soon as it is known, so
 * that an interrupted run keeps what it measured. Only the process that opened the report writes.
 */
#include "bench.h"

#define KEPT BENCH_KEPT_SAMPLES

static struct {
    FILE *f;
    bool own; /* a file of ours, not stdout */
    const char *library, *implementation;
    bool tasks;
    int processes; /* whose tasks the PEs are; 0: not known */
} report;

static struct bench_param *append(struct bench_params *p, const char *key, char kind)
{
    static struct bench_param overflow;
    struct bench_param *q = p->n < BENCH_MAX_PARAMS ? &p->p[p->n++] : &overflow;

    *q = (struct bench_param){.key = key, .kind = kind};
    return q;
}

void bench_param_integer(struct bench_params *p, const char *key, long value)
{
    append(p, key, 'i')->integer = value;
}

void bench_param_text(struct bench_params *p, const char *key, const char *value)
{
    append(p, key, 's')->text = value;
}

void bench_param_bool(struct bench_params *p, const char *key, bool value)
{
    append(p, key, 'b')->integer = value;
}

int bench_report_open(const char *path, const char *library, const char *implementation)
{
    report.own = path != NULL;
    report.f = path ? fopen(path, "w") : stdout;
    report.library = library;
    report.implementation = implementation;
    return report.f ? 0 : -1;
}

FILE *bench_report_file(void)
{
    return report.f;
}

void bench_report_tasks(int processes)
{
    report.tasks = true;
    report.processes = processes;
}

static void write_params(struct bench_json *j, const struct bench_params *params)
{
    bench_json_open(j, "params", '{');
    for (int i = 0; i < params->n; i++) {
        const struct bench_param *p = &params->p[i];

        if (p->kind == 'i')
            bench_json_integer(j, p->key, p->integer);
        else if (p->kind == 'b')
            bench_json_bool(j, p->key, p->integer != 0);
        else
            bench_json_text(j, p->key, p->text);
    }
    if (bench_options.burner)
        bench_json_bool(j, "burner", true);
    if (bench_options.network)
        bench_json_text(j, "network", bench_options.network);
    if (report.tasks)
        bench_json_text(j, "pes", "tasks");
    if (report.tasks && report.processes)
        bench_json_integer(j, "processes", report.processes);
    bench_json_close(j, '}');
}

static void write_stats(struct bench_json *j, const struct bench_stats *s)
{
    bench_json_integer(j, "n", (long long)s->n);
    bench_json_number(j, "min", s->min);
    bench_json_number(j, "p25", s->p25);
    bench_json_number(j, "median", s->median);
    bench_json_number(j, "p75", s->p75);
    bench_json_number(j, "p95", s->p95);
    bench_json_number(j, "max", s->max);
    bench_json_number(j, "mean", s->mean);
    bench_json_number(j, "ci_low", s->ci_low);
    bench_json_number(j, "ci_high", s->ci_high);
}

/*
 * All of them; of more than a record holds, some evenly spaced over the time of measuring, so that a drift still shows,
 * and the record says of how many.
 */
static void write_samples(struct bench_json *j, const struct bench_series *s)
{
    const size_t kept = s->n < KEPT ? s->n : KEPT;

    if (kept < s->n)
        bench_json_integer(j, "samples_of", (long long)s->n);
    bench_json_open(j, "samples", '[');
    for (size_t i = 0; i < kept; i++)
        bench_json_short(j, NULL, s->v[i * s->n / kept]);
    bench_json_close(j, ']');
}

void bench_report_write(const struct bench_record *r)
{
    const struct bench_stats s = bench_stats(r->series);
    struct bench_json j = {.f = report.f};

    if (!report.f)
        return;
    bench_json_open(&j, NULL, '{');
    bench_json_text(&j, "test", r->test);
    bench_json_text(&j, "library", report.library);
    bench_json_text(&j, "implementation", report.implementation);
    write_params(&j, r->params);
    bench_json_text(&j, "metric", r->metric);
    bench_json_text(&j, "unit", r->unit);
    (r->exact ? bench_json_exact : bench_json_number)(&j, "value", r->has_value ? r->value : s.median);
    write_stats(&j, &s);
    bench_json_bool(&j, "verified", r->verified);
    if (r->stop)
        bench_json_text(&j, "stop", r->stop);
    if (r->has_pair) {
        bench_json_open(&j, "pair", '[');
        bench_json_integer(&j, NULL, r->pair[0]);
        bench_json_integer(&j, NULL, r->pair[1]);
        bench_json_close(&j, ']');
    }
    write_samples(&j, r->series);
    bench_json_close(&j, '}');
    fputc('\n', report.f);
    fflush(report.f);
}

void bench_report_value(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                        double value, bool right)
{
    static struct bench_series alone;

    alone.n = 1;
    alone.v[0] = value;
    bench_report_write(&(struct bench_record){.test = test,
                                              .metric = metric,
                                              .unit = unit,
                                              .params = p,
                                              .series = &alone,
                                              .has_value = true,
                                              .value = value,
                                              .verified = right});
}

int bench_report_close(void)
{
    int bad;

    if (!report.f)
        return 0;
    bad = fflush(report.f) | ferror(report.f);
    if (report.own)
        bad |= fclose(report.f);
    report.f = NULL;
    return bad ? -1 : 0;
}
