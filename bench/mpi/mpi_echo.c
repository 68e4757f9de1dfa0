/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo test of contiguous messages, as on the T3E-900: from rank 0 to each other rank, in each mode of sending,
 * with its buffers in and out of the caches. --buffer-max N measures standard sends under MPI_BUFFER_MAX=N in their
 * place.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpijob_echo.h"

#define LARGEST (4l << 20)
#define MAX_SIZES 32
#define LONG_BYTES (2l << 20) /* the study names what is reached over 2 MB */
#define FALLEN 0.8            /* of the largest rate: the rate has fallen */

#define UNSET LONG_MIN
static long buffer_max = UNSET;
static const struct bench_option own[] = {
    {"buffer-max", BENCH_LONG, &buffer_max, "standard sends with MPI_BUFFER_MAX set to so many bytes"},
    {NULL, BENCH_FLAG, NULL, NULL},
};
static char setting[64];
static struct bench_series samples, rates;

struct sweep {
    int n;
    double bytes[MAX_SIZES], rate[MAX_SIZES];
};

/* Each tells the other who it is and which round this is. */
static bool check(struct mpijob_echo *e, size_t bytes)
{
    bool right = true;

    for (int round = 1; e->pair != MPI_COMM_NULL && round <= 2; round++) {
        const size_t at = e->turn.at;

        bench_pattern_fill(e->out + at, bytes, bench_pattern_seed(e->me, bytes, round));
        memset(e->in + at, 0, bytes);
        mpijob_echo_as_filled(e);
        right = bench_pattern_check(e->in + at, bytes, bench_pattern_seed(1 - e->me, bytes, round)) && right;
    }
    return mpijob_right(right);
}

static struct bench_params parameters(const struct mpijob_echo *e)
{
    struct bench_params p = mpijob_params();

    bench_param_text(&p, "mode", buffer_max >= 0 ? setting : mpijob_mode_name(e->mode));
    bench_param_cache(&p, e->cache, 2 * e->rotates);
    return p;
}

static void emit(const struct bench_params *p, const char *metric, const char *unit, const struct bench_series *s,
                 bool right, enum bench_stop stop, int second)
{
    bench_report_write(&(struct bench_record){.test = "echo test, contiguous",
                                              .metric = metric,
                                              .unit = unit,
                                              .params = p,
                                              .series = s,
                                              .verified = right,
                                              .stop = bench_stop_name(stop),
                                              .has_pair = true,
                                              .pair = {0, second}});
}

static bool one_size(struct mpijob_echo *e, long bytes, int second, struct sweep *s)
{
    const double budget = mpijob_case(mpijob_mode_name(e->mode));
    enum bench_stop stop = BENCH_STOP_BUDGET;
    struct bench_params p = parameters(e);
    bool right;

    e->count = (int)bytes;
    e->extent = (size_t)bytes;
    mpijob_echo_case(e);
    right = check(e, (size_t)bytes);
    if (e->pair != MPI_COMM_NULL)
        stop = mpijob_echo_measure(e, budget, &samples);
    if (e->cache == BENCH_WRITTEN)
        right = mpijob_right(bench_fresh_right()) && right;
    if (e->pair != MPI_COMM_NULL && e->me == 0) {
        bench_param_integer(&p, "message_bytes", bytes);
        bench_series_invert(&rates, &samples, (double)bytes);
        emit(&p, "latency", "us", &samples, right, stop, second);
        emit(&p, "bandwidth", "MB/s", &rates, right, stop, second);
        s->bytes[s->n] = (double)bytes;
        s->rate[s->n++] = bench_stats(&rates).median;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return right;
}

static void summary(const struct mpijob_echo *e, const struct sweep *s, bool right)
{
    static const char test[] = "echo test, contiguous";
    struct bench_params p = parameters(e);
    int peak = 0;

    for (int i = 1; i < s->n; i++)
        if (s->rate[i] > s->rate[peak])
            peak = i;
    if (buffer_max >= 0)
        bench_param_integer(&p, "message_bytes_over", LONG_BYTES);
    bench_report_value(test, &p, "bandwidth_asymptotic", "MB/s", s->rate[s->n - 1], right);
    p = parameters(e);
    bench_report_value(test, &p, "message_size_for_peak_bandwidth", "bytes", s->bytes[peak], right);
    for (int i = peak + 1; e->mode == MPIJOB_BUFFERED && i < s->n; i++)
        if (s->rate[i] < FALLEN * s->rate[peak]) {
            bench_report_value(test, &p, "message_size_where_buffered_bandwidth_falls", "bytes", s->bytes[i], right);
            return;
        }
}

static void sweep(struct mpijob_echo *e, int second)
{
    struct sweep s = {.n = 0};
    bool right = true;

    e->count = (int)LARGEST;
    e->extent = LARGEST;
    mpijob_echo_lap(e);
    for (size_t bytes = 64; bytes; bytes = bench_next_size(bytes, LARGEST))
        right = one_size(e, (long)bytes, second, &s) && right;
    if (s.n > 0 && second == 1)
        summary(e, &s, right);
}

static int sizes(void)
{
    int n = 0;

    for (size_t bytes = 64; bytes; bytes = bench_next_size(bytes, LARGEST))
        n++;
    return n;
}

/* MPI reads its parameters when it starts: before that. What is wrong with the options is said after it. */
static void set_buffer_max(int argc, char **argv)
{
    char why[128], text[32];

    mpijob_own(own);
    if (bench_options_parse(argc, argv, own, why, sizeof why) != 0 || buffer_max < 0)
        return;
    snprintf(text, sizeof text, "%ld", buffer_max);
    snprintf(setting, sizeof setting, "MPI_BUFFER_MAX=%s", text);
    setenv("MPI_BUFFER_MAX", text, 1);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_echo", "echo of contiguous messages by mode of sending", 2, 30,
                                                  4};
    struct mpijob_echo e = {.type = MPI_CHAR, .body = mpijob_echo};
    int last, caches;

    set_buffer_max(argc, argv);
    mpijob_start(argc, argv, &program);
    if (buffer_max < 0 && buffer_max != UNSET)
        mpijob_fatal("mpi_echo: --buffer-max: %ld is not a number of bytes", buffer_max);
    last = buffer_max >= 0 ? MPIJOB_STANDARD : MPIJOB_BUFFERED;
    caches = bench_caches(1 << BENCH_HOT | 1 << BENCH_FLUSHED, BENCH_ALL_CACHES, BENCH_ALL_CACHES);
    mpijob_echo_room(&e, LARGEST, caches);
    mpijob_echo_attach(LARGEST);
    bench_plan_begin((last + 1) * bench_caches_count(caches) * (mpijob.size - 1) * sizes(), bench_options.max_seconds);
    for (int second = 1; second < mpijob.size; second++) {
        mpijob_echo_pair(&e, 0, second);
        for (int mode = 0; mode <= last; mode++)
            for (int cache = 0; cache < BENCH_CACHES; cache++) {
                e.mode = (enum mpijob_mode)mode;
                e.cache = (enum bench_cache)cache;
                if (caches & 1 << cache)
                    sweep(&e, second);
            }
        mpijob_echo_unpair(&e);
    }
    mpijob_echo_detach();
    free(e.out);
    free(e.in);
    return mpijob_finish();
}
