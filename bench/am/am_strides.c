/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo of doubles that lie a stride apart, between PEs 0 and 1, by active messages: copied by hand into a block
 * that one store takes across, whose handler copies them out; and in medium messages that are filled where they are
 * sent from and emptied by their handlers.
 */
#include <am.h>
#include <stdlib.h>
#include <string.h>

#include "../common/job.h"
#include "../common/strides.h"

static struct {
    char *out, *in;
    size_t room; /* bytes that each rotates over */
    struct bench_buffers sent, come;
    enum bench_cache cache;
    double *block;
    double *landing; /* symmetric: where the other's block comes */
    int stride;
    volatile long came; /* doubles */
    long due;
} area;
static struct bench_series samples, rates;

static double *doubles(char *at)
{
    return (double *)(void *)at;
}

static double *incoming(void)
{
    return doubles(area.in + area.come.at);
}

/* The next message's place is another one, even when it comes before this one was waited for. */
static void arrived(long n)
{
    area.came += n;
    if (area.came % BENCH_STRIDE_DOUBLES == 0)
        bench_buffers_next(&area.come);
}

static void on_store(vnn_t src, void *addr, int n, void *arg)
{
    const double *const from = addr;
    double *const in = incoming();

    (void)src;
    (void)arg;
    for (int i = 0; i < n / (int)sizeof *from; i++)
        in[i * area.stride] = from[i];
    arrived(n / (long)sizeof *from);
}

static void store(int to)
{
    const double *const out = doubles(area.out + bench_buffers_next(&area.sent));

    for (int i = 0; i < BENCH_STRIDE_DOUBLES; i++)
        area.block[i] = out[i * area.stride];
    am_store(to, area.block, area.landing, BENCH_STRIDE_DOUBLES * (long)sizeof *area.block, on_store, NULL);
}

/* The word: number of the first double. */
static void on_medium(vnn_t src, void *body, int bytes, const am_word *words, int n)
{
    const double *const from = body;
    const int count = bytes / (int)sizeof *from;
    double *const in = incoming();

    (void)src;
    (void)n;
    for (int i = 0; i < count; i++)
        in[(words[0] + i) * area.stride] = from[i];
    arrived(count);
}

static void mediums(int to)
{
    const double *const out = doubles(area.out + bench_buffers_next(&area.sent));
    const int most = am_max_medium(to) / (int)sizeof(double);

    for (int first = 0, n; first < BENCH_STRIDE_DOUBLES; first += n) {
        const am_word word = first;
        double *body;

        n = BENCH_STRIDE_DOUBLES - first < most ? BENCH_STRIDE_DOUBLES - first : most;
        body = am_request_prepare(to, n * (int)sizeof *body, 1);
        if (!body)
            bench_job_fatal("am_strides: am_request_prepare(%d, %d bytes) failed", to, n * (int)sizeof *body);
        for (int i = 0; i < n; i++)
            body[i] = out[(first + i) * area.stride];
        am_request_commit(to, on_medium, n * (int)sizeof *body, &word, 1);
    }
}

static const struct way {
    const char *mode, *call;
    void (*send)(int to);
} ways[] = {{"copy by hand", "am_store", store},
            {"copied where sent from", "am_request_prepare, am_request_commit", mediums}};
#define WAYS (int)(sizeof ways / sizeof *ways)

static void receive(void)
{
    area.due += BENCH_STRIDE_DOUBLES;
    am_wait_for(area.came >= area.due);
}

static void echo(void *way, long reps)
{
    const struct way *const w = way;

    for (long i = 0; i < reps; i++) {
        if (bench_job.me == 0)
            w->send(1);
        if (bench_job.me < 2)
            receive();
        if (bench_job.me == 1)
            w->send(0);
    }
}

static bool check(const struct way *w)
{
    struct way copy = *w;
    bool right = true;

    for (int round = 1; round <= 2; round++) {
        const double *const in = incoming();

        if (bench_job.me < 2)
            bench_strides_fill(doubles(area.out + area.sent.at), area.stride, bench_job.me, round);
        shmem_barrier_all();
        echo(&copy, 1);
        shmem_barrier_all();
        if (bench_job.me < 2)
            right = bench_strides_check(in, area.stride, 1 - bench_job.me, round) && right;
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

/* What is copied by hand goes by way of the same block in all caches but flushed ones. */
static void begin_cache(void)
{
    const size_t bytes = BENCH_STRIDE_SPAN(area.stride), block = BENCH_STRIDE_DOUBLES * sizeof *area.block;

    bench_job_rotate(&area.sent, area.cache, bytes, area.room);
    area.come = area.sent;
    bench_cold_clear();
    if (area.cache != BENCH_FLUSHED)
        return;
    bench_cold_add(area.out, bytes);
    bench_cold_add(area.in, bytes);
    bench_cold_add(area.block, block);
    bench_cold_add(area.landing, block);
}

static void one_stride(const struct way *w, struct bench_strides *all)
{
    const double budget = bench_agree_budget(bench_plan_next("%s stride %d", w->call, area.stride));
    struct bench_params p = parameters(w);
    struct way copy = *w;
    enum bench_stop stop;
    bool right;

    begin_cache();
    right = check(w);
    stop = bench_measure_together(echo, &copy, budget, BENCH_PE0, &samples, NULL);
    bench_param_integer(&p, "stride", area.stride);
    bench_series_invert(&rates, &samples, 2e3 * BENCH_STRIDE_DOUBLES * (double)sizeof(double));
    bench_emit("echo with strides", &p, "bandwidth", "MB/s", &rates, right, bench_stop_name(stop));
    bench_strides_add(all, area.stride, bench_stats(&rates).median, right);
}

static void all_strides(const struct way *w)
{
    const struct bench_params p = parameters(w);
    struct bench_strides all = {.n = 0};

    for (area.stride = bench_next_stride(0); area.stride; area.stride = bench_next_stride(area.stride))
        one_stride(w, &all);
    bench_strides_report(&p, &all);
}

static void allocate(int caches)
{
    size_t bytes;

    area.room = caches & 1 << BENCH_ROTATING ? (size_t)bench_agree((long)bench_rotation(bench_job.npes)) : 0;
    bytes = bench_buffers_bytes(area.room, BENCH_STRIDE_LARGEST);
    area.out = malloc(bytes);
    area.in = malloc(bytes);
    area.block = calloc(BENCH_STRIDE_DOUBLES, sizeof *area.block);
    area.landing = shmem_calloc(BENCH_STRIDE_DOUBLES, sizeof *area.landing);
    if (!area.out || !area.in || !area.block || !area.landing)
        bench_job_fatal("am_strides: no memory for two arrays of %zu bytes", bytes);
    memset(area.out, 0, bytes);
    memset(area.in, 0, bytes);
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {
        "am_strides", "echo of doubles a stride apart", bench_strides_options, 2, 20, 2};
    int caches;

    bench_job.library = "AM";
    bench_job_start(argc, argv, &program);
    if (bench_strides_wrong())
        bench_job_fatal("am_strides: %s", bench_strides_wrong());
    caches = bench_caches(1 << BENCH_HOT, BENCH_UNTOUCHED, BENCH_UNTOUCHED);
    allocate(caches);
    am_enable();
    shmem_barrier_all();
    bench_plan_begin(WAYS * bench_caches_count(caches) * bench_strides_count(), bench_options.max_seconds);
    for (int i = 0; i < WAYS; i++)
        for (int cache = 0; cache < BENCH_CACHES; cache++) {
            area.cache = (enum bench_cache)cache;
            if (caches & 1 << cache)
                all_strides(&ways[i]);
        }
    am_disable();
    free(area.out);
    free(area.in);
    free(area.block);
    return bench_job_finish();
}
