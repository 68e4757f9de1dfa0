/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo test of contiguous messages, as on the T3E-900: from the first process to each other, in each way of sending
 * that the interface has, with its buffers in and out of the caches. MPI's modes are in mpi/mpi_echo.c.
 */
#include "pair.h"

#define LARGEST (4l << 20)

static const char test[] = "echo test, contiguous";
static struct bench_series samples, rates;

struct sweep {
    double asymptotic, peak, peak_bytes;
    bool right;
};

static struct bench_params parameters(const struct pair *p)
{
    struct bench_params q = face_params(p->way);

    face_param_cache(&q, p->cache);
    return q;
}

static void emit(const struct pair *p, const char *metric, const char *unit, const struct bench_series *s, bool right,
                 enum bench_stop stop)
{
    struct bench_params q = parameters(p);

    bench_param_integer(&q, "message_bytes", p->bytes);
    bench_report_write(&(struct bench_record){.test = test,
                                              .metric = metric,
                                              .unit = unit,
                                              .params = &q,
                                              .series = s,
                                              .verified = right,
                                              .stop = bench_stop_name(stop),
                                              .has_pair = true,
                                              .pair = {p->first, p->second}});
}

static void one_size(struct pair *p, struct sweep *s)
{
    const double budget = face_case("%s %ld bytes", p->way->call, p->bytes);
    enum bench_stop stop = BENCH_STOP_BUDGET;
    bool right = true;
    double rate;

    face_cache(p->cache, p->bytes, true);
    if (pair_has_me(p)) {
        right = pair_right(p);
        stop = pair_measure(p, budget, &samples);
    }
    right = face_right(bench_fresh_right() && right);
    s->right = s->right && right;
    if (face.me != 0)
        return;
    bench_series_scale(&samples, &samples, 0.5e-3);
    bench_series_invert(&rates, &samples, (double)p->bytes);
    emit(p, "latency", "us", &samples, right, stop);
    emit(p, "bandwidth", "MB/s", &rates, right, stop);
    rate = bench_stats(&rates).median;
    s->asymptotic = rate;
    if (rate > s->peak) {
        s->peak = rate;
        s->peak_bytes = (double)p->bytes;
    }
}

static void all_sizes(struct pair *p)
{
    const struct bench_params q = parameters(p);
    struct sweep s = {.right = true};

    face_cache(p->cache, LARGEST, true);
    p->bytes = LARGEST;
    if (p->cache == BENCH_ROTATING && pair_has_me(p))
        pair_echo(p, face_lap());
    for (size_t bytes = 64; bytes; bytes = bench_next_size(bytes, LARGEST)) {
        p->bytes = (long)bytes;
        one_size(p, &s);
    }
    face_cache(BENCH_HOT, 0, false);
    if (p->second != 1)
        return;
    bench_report_value(test, &q, "bandwidth_asymptotic", "MB/s", s.asymptotic, s.right);
    bench_report_value(test, &q, "message_size_for_peak_bandwidth", "bytes", s.peak_bytes, s.right);
}

static int cases(void)
{
    int sizes = 0, ways = 0;

    for (size_t bytes = 64; bytes; bytes = bench_next_size(bytes, LARGEST))
        sizes++;
    for (const struct face_way *way = pair_ways(NULL); way; way = pair_ways(way))
        ways++;
    return sizes * ways * bench_caches_count(face_caches) * (face.n - 1);
}

int main(int argc, char **argv)
{
    static const struct face_program program = {
        "echo",          "echo of contiguous messages by way of sending", 2, 30, 3, 1 << BENCH_HOT | 1 << BENCH_FLUSHED,
        BENCH_ALL_CACHES};

    face_start(argc, argv, &program, LARGEST);
    bench_plan_begin(cases(), bench_options.max_seconds);
    for (int second = 1; second < face.n; second++)
        for (const struct face_way *way = pair_ways(NULL); way; way = pair_ways(way))
            for (int cache = 0; cache < BENCH_CACHES; cache++) {
                struct pair p = {
                    .first = 0, .second = second, .way = way, .cache = (enum bench_cache)cache, .body = pair_echo};

                if (face_caches & 1 << cache)
                    all_sizes(&p);
            }
    return face_finish();
}
