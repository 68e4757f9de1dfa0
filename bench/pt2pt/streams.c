/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The T3D's single_pairs and multiple_pairs with messages in the place of puts: streams from one process to one other
 * while the rest are idle, and from all at once, process i to i + d for every distance d. The time of a one-word
 * message, the largest rate (Rmax) and the message that reaches half of it (N one-half). Over SHMEM they are
 * single_pairs.c and multiple_pairs.c.
 */
#include "../common/nhalf.h"
#include "pair.h"

#define WORD 8
#define MAX_WORDS (512l << 10) /* 4 MiB */

static struct bench_series samples, by_pair;

struct streams {
    const char *test;
    const struct face_way *way;
    bool all;               /* of all processes at once */
    struct pair pair;       /* else of these two */
    int distance;
    bool right;
};

static struct bench_params parameters(const struct streams *s, long bytes)
{
    struct bench_params p = face_params(s->way);

    bench_param_text(&p, "op", "message");
    bench_param_bool(&p, "all_pes_active", s->all);
    if (bytes) {
        bench_param_integer(&p, "message_words", bytes / WORD);
        bench_param_integer(&p, "message_bytes", bytes);
    }
    return p;
}

static void shift(void *arg, long reps)
{
    const struct streams *const s = arg;
    const int to = (face.me + s->distance) % face.n, from = (face.me + face.n - s->distance) % face.n;

    for (long i = 0; i < reps; i++) {
        face_send(s->way, to, s->pair.bytes);
        face_receive(s->way, from, s->pair.bytes);
    }
}

static bool shift_right(struct streams *s)
{
    const size_t bytes = (size_t)s->pair.bytes;
    const int from = (face.me + face.n - s->distance) % face.n;

    bench_pattern_fill(face_out(), bytes, bench_pattern_seed(face.me, bytes, s->distance));
    face_barrier();
    shift(s, 1);
    face_barrier();
    return bench_pattern_check(face_in(from), bytes, bench_pattern_seed(from, bytes, s->distance));
}

/* Times of a message in us, on the first process. */
static void measure(struct streams *s, long bytes)
{
    const double budget =
        face_case("%s %d-%d +%d %ld bytes", s->test, s->pair.first, s->pair.second, s->distance, bytes);
    enum bench_stop stop = BENCH_STOP_BUDGET;
    bool right = true;

    s->pair.bytes = bytes;
    if (s->all) {
        right = shift_right(s);
        stop = face_measure(shift, s, budget, true, &samples);
    } else {
        if (pair_has_me(&s->pair)) {
            right = pair_right(&s->pair);
            stop = pair_measure(&s->pair, budget, &samples);
        }
        pair_collect(&samples, &stop, s->pair.first);
    }
    right = face_right(right);
    s->right = s->right && right;
    if (face.me == 0)
        bench_series_scale(&samples, &samples, 1e-3);
}

static void emit(const struct streams *s, const char *metric, const char *unit, const struct bench_series *series)
{
    struct bench_params p = parameters(s, s->pair.bytes);
    struct bench_record r = {
        .test = s->test, .metric = metric, .unit = unit, .params = &p, .series = series, .verified = s->right};

    if (s->all)
        bench_param_integer(&p, "distance", s->distance);
    r.has_pair = !s->all;
    r.pair[0] = s->pair.first;
    r.pair[1] = s->pair.second;
    if (face.me == 0)
        bench_report_write(&r);
}

/* The next pair or distance; false after the last. */
static bool next(struct streams *s)
{
    if (s->all)
        return ++s->distance < face.n;
    do {
        if (++s->pair.second == face.n) {
            s->pair.second = 0;
            s->pair.first++;
        }
    } while (s->pair.second == s->pair.first);
    return s->pair.first < face.n;
}

static void latencies(struct streams s)
{
    struct bench_params p = parameters(&s, WORD);
    struct bench_stats all;
    double sum = 0;

    bench_series_clear(&by_pair);
    do {
        measure(&s, WORD);
        emit(&s, "latency", "us", &samples);
        if (face.me == 0)
            bench_series_add(&by_pair, bench_stats(&samples).median);
    } while (next(&s));
    if (face.me != 0)
        return;
    all = bench_stats(&by_pair);
    for (size_t i = 0; i < by_pair.n; i++)
        sum += by_pair.v[i] / (double)by_pair.n;
    bench_report_value(s.test, &p, "latency_max", "us", all.max, s.right);
    bench_report_value(s.test, &p, "latency_min", "us", all.min, s.right);
    bench_report_value(s.test, &p, "latency_avg", "us", sum, s.right);
    bench_report_value(s.test, &p, "bandwidth_avg_one_word", "MB/s", WORD / sum, s.right);
}

/* For the searches: the same rate on all processes, as they must take the same way. */
static double rate(void *arg, long words)
{
    struct streams *const s = arg;
    double median = 0;

    measure(s, words * WORD);
    if (face.me == 0) {
        bench_series_invert(&samples, &samples, (double)(words * WORD));
        emit(s, "bandwidth", "MB/s", &samples);
        median = bench_stats(&samples).median;
    }
    return (double)face_agree((long)(median * 1e3)) / 1e3;
}

static long step(void)
{
    return bench_options.quick ? 8 : 2;
}

/* On the first pair, or at the first distance. */
static void bandwidths(struct streams s)
{
    const struct bench_params p = parameters(&s, 0);
    struct bench_nhalf found;

    bench_rmax(rate, &s, MAX_WORDS, step(), &found);
    bench_nhalf(rate, &s, MAX_WORDS, &found);
    bench_report_value(s.test, &p, "r_inf", "MB/s", found.r_inf, s.right);
    bench_report_value(s.test, &p, "rate_at_n_half", "MB/s", found.r_inf / 2, s.right);
    bench_report_value(s.test, &p, "rate_measured_at_n_half", "MB/s", found.rate, s.right);
    bench_report_value(s.test, &p, "n_half_words", "64-bit words", (double)found.words, s.right);
    bench_report_value(s.test, &p, "n_half_bytes", "bytes", (double)(found.words * WORD), s.right);
}

static int cases(void)
{
    const int searches = bench_rmax_cases(MAX_WORDS, step()) + bench_nhalf_cases(MAX_WORDS);
    int ways = 0;

    for (const struct face_way *way = pair_ways(NULL); way; way = pair_ways(way))
        ways++;
    return ways * (face.n * (face.n - 1) + face.n - 1 + 2 * searches);
}

int main(int argc, char **argv)
{
    static const struct face_program program = {
        "streams", "one-way messages, one pair at a time and all processes at once", 2, 30, 3, 0, 0};

    face_start(argc, argv, &program, MAX_WORDS * WORD);
    bench_plan_begin(cases(), bench_options.max_seconds);
    for (const struct face_way *way = pair_ways(NULL); way; way = pair_ways(way)) {
        const struct pair pair = {.first = 0, .second = 1, .way = way, .body = pair_stream};
        const struct streams single = {.test = "single_pairs", .way = way, .pair = pair, .right = true};
        const struct streams multiple = {
            .test = "multiple_pairs", .way = way, .all = true, .pair = pair, .distance = 1, .right = true};

        latencies(single);
        bandwidths(single);
        latencies(multiple);
        bandwidths(multiple);
    }
    return face_finish();
}
