/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short forms for the records that the SHMEM benchmarks write.
 */
#include "job.h"
#include "nhalf.h"

struct bench_params bench_job_params(void)
{
    struct bench_params p = {0};

    bench_param_integer(&p, "npes", bench_job.npes);
    return p;
}

void bench_emit(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                const struct bench_series *s, bool right, const char *stop)
{
    bench_report_write(&(struct bench_record){
        .test = test, .metric = metric, .unit = unit, .params = p, .series = s, .verified = right, .stop = stop});
}

void bench_emit_pair(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                     const struct bench_series *s, bool right, const char *stop, int a, int b)
{
    bench_report_write(&(struct bench_record){.test = test,
                                              .metric = metric,
                                              .unit = unit,
                                              .params = p,
                                              .series = s,
                                              .verified = right,
                                              .stop = stop,
                                              .has_pair = true,
                                              .pair = {a, b}});
}

void bench_emit_value(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                      double value, const struct bench_series *s, bool right)
{
    static struct bench_series alone;

    alone.n = 1;
    alone.v[0] = value;
    bench_report_write(&(struct bench_record){.test = test,
                                              .metric = metric,
                                              .unit = unit,
                                              .params = p,
                                              .series = s ? s : &alone,
                                              .has_value = true,
                                              .value = value,
                                              .verified = right});
}

void bench_emit_latencies(const char *test, const struct bench_params *p, const struct bench_series *by_pair,
                          bool right)
{
    const struct bench_stats s = bench_stats(by_pair);
    double sum = 0;

    for (size_t i = 0; i < by_pair->n; i++)
        sum += by_pair->v[i];
    bench_emit_value(test, p, "latency_max", "us", s.max, by_pair, right);
    bench_emit_value(test, p, "latency_min", "us", s.min, by_pair, right);
    bench_emit_value(test, p, "latency_avg", "us", sum / (double)by_pair->n, by_pair, right);
    bench_emit_value(test, p, "bandwidth_avg_one_word", "MB/s", 8 / (sum / (double)by_pair->n), NULL, right);
}

void bench_emit_nhalf(const char *test, const struct bench_params *p, const struct bench_nhalf *n)
{
    const bool right = !bench_agree_failed();

    bench_emit_value(test, p, "r_inf", "MB/s", n->r_inf, NULL, right);
    bench_emit_value(test, p, "rate_at_n_half", "MB/s", n->r_inf / 2, NULL, right);
    bench_emit_value(test, p, "rate_measured_at_n_half", "MB/s", n->rate, NULL, right);
    bench_emit_value(test, p, "n_half_words", "64-bit words", (double)n->words, NULL, right);
    bench_emit_value(test, p, "n_half_bytes", "bytes", 8.0 * (double)n->words, NULL, right);
}
