/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo of doubles that lie a stride apart, between PEs 0 and 1: each puts its own into the other's, stride to
 * stride; and, as one-sided libraries can, the same fetched by a strided get.
 */
#include "common/job.h"
#include "common/strides.h"

#include <string.h>

static struct {
    char *out, *in; /* symmetric; the doubles of a repetition are where `turn` was, on all PEs */
    size_t room;    /* bytes that each rotates over */
    struct bench_buffers turn;
    size_t at;
    long *came; /* symmetric: number of the last message */
    long number;
    int stride;
    enum bench_cache cache;
} area;
static struct bench_series samples, rates;

static double *doubles(char *base)
{
    return (double *)(void *)(base + area.at);
}

static void next(void)
{
    area.number++;
    area.at = bench_buffers_next(&area.turn);
}

static void put(int to)
{
    shmem_iput64(doubles(area.in), doubles(area.out), area.stride, area.stride, BENCH_STRIDE_DOUBLES, to);
    shmem_fence();
    shmem_long_p(area.came, area.number, to);
}

static void put_echo(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        next();
        if (bench_job.me == 0)
            put(1);
        if (bench_job.me < 2)
            shmem_long_wait_until(area.came, SHMEM_CMP_GE, area.number);
        if (bench_job.me == 1)
            put(0);
    }
}

static void get_from(int pe)
{
    shmem_iget64(doubles(area.in), doubles(area.out), area.stride, area.stride, BENCH_STRIDE_DOUBLES, pe);
}

/* Both ways in turn, as in an echo, so that each way's data come from the other's cache. */
static void get_both(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        next();
        if (bench_job.me == 1)
            shmem_long_wait_until(area.came, SHMEM_CMP_GE, area.number);
        if (bench_job.me < 2) {
            get_from(1 - bench_job.me);
            shmem_long_p(area.came, area.number, 1 - bench_job.me);
        }
        if (bench_job.me == 0)
            shmem_long_wait_until(area.came, SHMEM_CMP_GE, area.number);
    }
}

static const struct way {
    const char *mode, *call;
    bench_body *body;
} ways[] = {{"put", "shmem_iput64", put_echo}, {"get", "shmem_iget64", get_both}};
#define WAYS (int)(sizeof ways / sizeof *ways)

static bool check(const struct way *w)
{
    bool right = true;

    for (int round = 1; round <= 2; round++) {
        area.at = area.turn.at;
        bench_strides_fill(doubles(area.out), area.stride, bench_job.me, round);
        memset(doubles(area.in), 0, BENCH_STRIDE_SPAN(area.stride));
        shmem_barrier_all();
        w->body(NULL, 1);
        shmem_barrier_all();
        if (bench_job.me < 2)
            right = bench_strides_check(doubles(area.in), area.stride, 1 - bench_job.me, round) && right;
    }
    return bench_agree_right(right);
}

static struct bench_params parameters(const struct way *w)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "mode", w->mode);
    bench_param_text(&p, "call", w->call);
    bench_param_cache(&p, area.cache, 2 * area.room);
    bench_param_integer(&p, "message_bytes", BENCH_STRIDE_DOUBLES * (long)sizeof(double));
    return p;
}

static void begin_cache(size_t bytes)
{
    bench_job_rotate(&area.turn, area.cache, bytes, area.room);
    bench_cold_clear();
    if (area.cache == BENCH_FLUSHED) {
        bench_cold_add(area.out, bytes);
        bench_cold_add(area.in, bytes);
    }
}

/* Once through all that rotates, in plain transfers. */
static void lap(void)
{
    begin_cache(BENCH_STRIDE_LARGEST);
    for (long i = bench_buffers_lap(&area.turn); i > 0 && bench_job.me < 2; i--) {
        const size_t at = bench_buffers_next(&area.turn);

        shmem_putmem(area.in + at, area.out + at, BENCH_STRIDE_LARGEST, 1 - bench_job.me);
        shmem_getmem(area.in + at, area.out + at, BENCH_STRIDE_LARGEST, 1 - bench_job.me);
    }
    shmem_barrier_all();
}

static void one_stride(const struct way *w, struct bench_strides *all)
{
    const double budget = bench_agree_budget(bench_plan_next("%s stride %d", w->call, area.stride));
    struct bench_params p = parameters(w);
    enum bench_stop stop;
    bool right;

    begin_cache(BENCH_STRIDE_SPAN(area.stride));
    right = check(w);
    stop = bench_measure_together(w->body, NULL, budget, BENCH_PE0, &samples, NULL);
    bench_param_integer(&p, "stride", area.stride);
    bench_series_invert(&rates, &samples, 2e3 * BENCH_STRIDE_DOUBLES * (double)sizeof(double));
    bench_emit("echo with strides", &p, "bandwidth", "MB/s", &rates, right, bench_stop_name(stop));
    bench_strides_add(all, area.stride, bench_stats(&rates).median, right);
}

static void all_strides(const struct way *w)
{
    const struct bench_params p = parameters(w);
    struct bench_strides all = {.n = 0};

    if (area.cache == BENCH_ROTATING)
        lap();
    for (area.stride = bench_next_stride(0); area.stride; area.stride = bench_next_stride(area.stride))
        one_stride(w, &all);
    bench_strides_report(&p, &all);
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {
        "strides", "echo of doubles a stride apart", bench_strides_options, 2, 20, 3};
    size_t largest[2];
    char *places[2];
    int caches;

    bench_job_start(argc, argv, &program);
    if (bench_strides_wrong())
        bench_job_fatal("strides: %s", bench_strides_wrong());
    largest[0] = largest[1] = BENCH_STRIDE_LARGEST;
    caches = bench_caches(1 << BENCH_HOT, BENCH_UNTOUCHED, BENCH_UNTOUCHED);
    area.came = shmem_calloc(1, sizeof *area.came);
    if (!area.came)
        bench_job_fatal("strides: the symmetric heap is too small");
    area.room = bench_job_buffers(2, largest, caches, places);
    area.out = places[0];
    area.in = places[1];
    bench_plan_begin(WAYS * bench_caches_count(caches) * bench_strides_count(), bench_options.max_seconds);
    for (int i = 0; i < WAYS; i++)
        for (int cache = 0; cache < BENCH_CACHES; cache++) {
            area.cache = (enum bench_cache)cache;
            if (caches & 1 << cache)
                all_strides(&ways[i]);
        }
    return bench_job_finish();
}
