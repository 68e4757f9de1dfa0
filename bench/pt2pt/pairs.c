/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The T3D's ping_pong: half the round trip of one word between each pair of processes, the others idle. Over SHMEM, MPI
 * and active messages it is in pingpong.c, mpi/mpi_pairs.c and am/am_pt2pt.c.
 */
#include "pair.h"

#define WORD 8

static struct bench_series samples, by_pair;

static struct bench_params parameters(const struct face_way *way)
{
    struct bench_params p = face_params(way);

    bench_param_integer(&p, "message_words", 1);
    bench_param_integer(&p, "message_bytes", WORD);
    bench_param_bool(&p, "all_pes_active", false);
    return p;
}

/* Half round trips, us, on the first process. */
static bool one_pair(struct pair *p)
{
    const double budget = face_case("%s %d-%d", p->way->call, p->first, p->second);
    const struct bench_params q = parameters(p->way);
    enum bench_stop stop = BENCH_STOP_BUDGET;
    bool right = true;

    if (pair_has_me(p)) {
        right = pair_right(p);
        stop = pair_measure(p, budget, &samples);
    }
    pair_collect(&samples, &stop, p->first);
    right = face_right(right);
    if (face.me != 0)
        return right;
    bench_series_scale(&samples, &samples, 0.5e-3);
    bench_series_add(&by_pair, bench_stats(&samples).median);
    bench_report_write(&(struct bench_record){.test = "pingpong",
                                              .metric = "latency",
                                              .unit = "us",
                                              .params = &q,
                                              .series = &samples,
                                              .verified = right,
                                              .stop = bench_stop_name(stop),
                                              .has_pair = true,
                                              .pair = {p->first, p->second}});
    return right;
}

static void all_pairs(const struct face_way *way)
{
    static const char test[] = "ping_pong";
    struct bench_params q = parameters(way);
    struct bench_stats s;
    bool right = true;
    double sum = 0;

    bench_series_clear(&by_pair);
    for (int a = 0; a < face.n; a++)
        for (int b = a + 1; b < face.n; b++) {
            struct pair p = {.first = a, .second = b, .way = way, .bytes = WORD, .body = pair_echo};

            right = one_pair(&p) && right;
        }
    if (face.me != 0)
        return;
    s = bench_stats(&by_pair);
    for (size_t i = 0; i < by_pair.n; i++)
        sum += by_pair.v[i] / (double)by_pair.n;
    bench_param_text(&q, "pairs", "every possible pair, one at a time, half round trip of one word");
    bench_report_value(test, &q, "latency_max", "us", s.max, right);
    bench_report_value(test, &q, "latency_min", "us", s.min, right);
    bench_report_value(test, &q, "latency_avg", "us", sum, right);
    bench_report_value(test, &q, "bandwidth_avg_one_word", "MB/s", WORD / sum, right);
}

int main(int argc, char **argv)
{
    static const struct face_program program = {"pairs", "half round trips of a word between all pairs", 2, 15, 1, 0,
                                                0};
    int ways = 0;

    face_start(argc, argv, &program, sizeof samples.v);
    for (const struct face_way *way = pair_ways(NULL); way; way = pair_ways(way))
        ways++;
    bench_plan_begin(ways * face.n * (face.n - 1) / 2, bench_options.max_seconds);
    for (const struct face_way *way = pair_ways(NULL); way; way = pair_ways(way))
        all_pairs(way);
    return face_finish();
}
