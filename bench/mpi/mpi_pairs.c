/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The T3D's ping_pong over MPI: one word to and fro between each pair of ranks, one pair at a time while the others
 * wait; and the MPT paper's table 1, latency and largest rate over sizes between ranks 0 and 1, with empty messages
 * first; these also written and read.
 */
#include <stdlib.h>
#include <string.h>

#include "mpijob_echo.h"

#define LARGEST (4l << 20)
#define WORD 8
#define NEWSLETTER "short-message latency (previous newsletter)"

static const char call[] = "MPI_Send, MPI_Recv";
static struct bench_series samples, rates, by_pair;

static void ping_pong(void *echo, long reps)
{
    struct mpijob_echo *const e = echo;
    const int peer = 1 - e->me;

    for (long i = 0; i < reps; i++) {
        e->round++;
        for (int way = 0; way < 2; way++)
            if (e->me == way) {
                mpijob_echo_compose(e, e->out);
                MPI_Send(e->out, e->count, e->type, peer, 1, e->pair);
            } else {
                MPI_Recv(e->in, e->count, e->type, peer, 1, e->pair, MPI_STATUS_IGNORE);
                mpijob_echo_consume(e, e->in);
            }
    }
}

static bool check(struct mpijob_echo *e)
{
    const size_t bytes = (size_t)e->count;
    bool right = true;

    for (int round = 1; round <= 2; round++) {
        bench_pattern_fill(e->out, bytes, bench_pattern_seed(e->me, bytes, round));
        memset(e->in, 0, bytes);
        mpijob_echo_as_filled(e);
        right = bench_pattern_check(e->in, bytes, bench_pattern_seed(1 - e->me, bytes, round)) && right;
    }
    return right;
}

/* One pair and size; all ranks come here. The samples, in us, are rank 0's when it returns. */
static bool run(struct mpijob_echo *e, int first, int second, enum bench_stop *stop)
{
    const double budget = mpijob_case(call);
    long n = 0;
    bool right = true;

    e->extent = (size_t)e->count;
    mpijob_echo_pair(e, first, second);
    if (e->pair != MPI_COMM_NULL) {
        right = check(e);
        *stop = mpijob_echo_measure(e, budget, &samples);
    }
    mpijob_echo_unpair(e);
    if (first != 0 && mpijob.rank == first) {
        n = (long)samples.n;
        MPI_Send(&n, 1, MPI_LONG, 0, 2, MPI_COMM_WORLD);
        MPI_Send(samples.v, (int)n, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
        MPI_Send(stop, (int)sizeof *stop, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
    } else if (first != 0 && mpijob.rank == 0) {
        MPI_Recv(&n, 1, MPI_LONG, first, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(samples.v, BENCH_MAX_SAMPLES, MPI_DOUBLE, first, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(stop, (int)sizeof *stop, MPI_BYTE, first, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        samples.n = (size_t)n;
    }
    return mpijob_right(bench_fresh_right() && right);
}

static struct bench_params parameters(enum bench_cache cache)
{
    struct bench_params p = mpijob_params();

    bench_param_text(&p, "call", call);
    if (cache != BENCH_HOT)
        bench_param_cache(&p, cache, 0);
    return p;
}

static void emit(const struct bench_params *p, const char *metric, const char *unit, const struct bench_series *s,
                 bool right, enum bench_stop stop, int a, int b)
{
    bench_report_write(&(struct bench_record){.test = "pingpong",
                                              .metric = metric,
                                              .unit = unit,
                                              .params = p,
                                              .series = s,
                                              .verified = right,
                                              .stop = bench_stop_name(stop),
                                              .has_pair = true,
                                              .pair = {a, b}});
}

/* Every pair alone with one word; named and counted as published. */
static void one_word(struct mpijob_echo *e)
{
    static const char test[] = "ping_pong";
    struct bench_params p = parameters(BENCH_HOT);
    struct bench_stats s;
    bool all_right = true;
    double sum = 0;

    bench_param_integer(&p, "message_words", 1);
    bench_param_integer(&p, "message_bytes", WORD);
    bench_param_bool(&p, "all_pes_active", false);
    e->count = WORD;
    for (int a = 0; a < mpijob.size; a++)
        for (int b = a + 1; b < mpijob.size; b++) {
            enum bench_stop stop = BENCH_STOP_BUDGET;
            const bool right = run(e, a, b, &stop);

            all_right = all_right && right;
            emit(&p, "latency", "us", &samples, right, stop, a, b);
            if (mpijob.rank == 0)
                bench_series_add(&by_pair, bench_stats(&samples).median);
        }
    if (mpijob.rank != 0)
        return;
    s = bench_stats(&by_pair);
    for (size_t i = 0; i < by_pair.n; i++)
        sum += by_pair.v[i];
    bench_param_text(&p, "pairs", "every possible pair, one at a time, half round trip of one word");
    bench_report_value(NEWSLETTER, &p, "latency", "us", sum / (double)by_pair.n, all_right);
    bench_report_value(test, &p, "latency_max", "us", s.max, all_right);
    bench_report_value(test, &p, "latency_min", "us", s.min, all_right);
    bench_report_value(test, &p, "latency_avg", "us", sum / (double)by_pair.n, all_right);
    bench_report_value(test, &p, "bandwidth_avg_one_word", "MB/s", WORD / (sum / (double)by_pair.n), all_right);
}

static void by_size(struct mpijob_echo *e, enum bench_cache cache)
{
    static const char test[] = "point-to-point ping-pong";
    const struct bench_params summary = parameters(cache);
    double shortest = 0, best = 0;
    bool all_right = true;

    e->cache = cache;
    for (size_t bytes = 0, next = 64;; bytes = next, next = bench_next_size(bytes, LARGEST)) {
        enum bench_stop stop = BENCH_STOP_BUDGET;
        struct bench_params p = parameters(cache);
        bool right;

        e->count = (int)bytes;
        right = run(e, 0, 1, &stop);
        all_right = all_right && right;
        bench_param_integer(&p, "message_bytes", (long)bytes);
        if (mpijob.rank == 0 && bytes == 0)
            shortest = bench_stats(&samples).median;
        emit(&p, "latency", "us", &samples, right, stop, 0, 1);
        if (mpijob.rank == 0 && bytes > 0) {
            bench_series_invert(&rates, &samples, (double)bytes);
            emit(&p, "bandwidth", "MB/s", &rates, right, stop, 0, 1);
            best = fmax(best, bench_stats(&rates).median);
        }
        if (bytes == LARGEST)
            break;
    }
    bench_report_value(test, &summary, "latency", "us", shortest, all_right);
    bench_report_value(test, &summary, "bandwidth", "MB/s", best, all_right);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_pairs", "half round trips between all pairs, and over sizes", 2,
                                                  20, 3};
    const int hot = 1 << BENCH_HOT, both = hot | 1 << BENCH_WRITTEN;
    struct mpijob_echo e = {.type = MPI_CHAR, .body = ping_pong};
    int sizes = 1, caches;

    mpijob_start(argc, argv, &program);
    caches = bench_caches(hot, both, both);
    e.out = calloc(1, LARGEST);
    e.in = calloc(1, LARGEST);
    if (!e.out || !e.in)
        mpijob_fatal("mpi_pairs: out of memory");
    for (size_t bytes = 64; bytes; bytes = bench_next_size(bytes, LARGEST))
        sizes++;
    bench_plan_begin(mpijob.size * (mpijob.size - 1) / 2 + bench_caches_count(caches) * sizes,
                     bench_options.max_seconds);
    one_word(&e);
    for (int cache = 0; cache < BENCH_CACHES; cache++)
        if (caches & 1 << cache)
            by_size(&e, (enum bench_cache)cache);
    free(e.out);
    free(e.in);
    return mpijob_finish();
}
