/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo of doubles that lie a stride apart, between PEs 0 and 1, by active messages: copied by hand into a block that
 * one store takes across, whose handler copies them out; and in medium messages that are filled where they are sent from and
 * emptied by their handlers.
 */
#include <am.h>
#include <stdlib.h>

#include "../common/job.h"
#include "../common/strides.h"

#define WORDS ((size_t)BENCH_STRIDE_DOUBLES * BENCH_STRIDE_MAX)

static struct {
    double *out, *in, *block;
    double *landing; /* symmetric: where the other's block comes */
    int stride;
    volatile long came; /* doubles */
    long due;
} area;
static struct bench_series samples, rates;

static void on_store(vnn_t src, void *addr, int n, void *arg)
{
    const double *const from = addr;

    (void)src;
    (void)arg;
    for (int i = 0; i < n / (int)sizeof *from; i++)
        area.in[i * area.stride] = from[i];
    area.came += n / (long)sizeof *from;
}

static void store(int to)
{
    for (int i = 0; i < BENCH_STRIDE_DOUBLES; i++)
        area.block[i] = area.out[i * area.stride];
    am_store(to, area.block, area.landing, BENCH_STRIDE_DOUBLES * (long)sizeof *area.block, on_store, NULL);
}

/* The word: number of the first double. */
static void on_medium(vnn_t src, void *body, int bytes, const am_word *words, int n)
{
    const double *const from = body;
    const int count = bytes / (int)sizeof *from;

    (void)src;
    (void)n;
    for (int i = 0; i < count; i++)
        area.in[(words[0] + i) * area.stride] = from[i];
    area.came += count;
}

static void mediums(int to)
{
    const int most = am_max_medium(to) / (int)sizeof(double);

    for (int first = 0, n; first < BENCH_STRIDE_DOUBLES; first += n) {
        const am_word word = first;
        double *body;

        n = BENCH_STRIDE_DOUBLES - first < most ? BENCH_STRIDE_DOUBLES - first : most;
        body = am_request_prepare(to, n * (int)sizeof *body, 1);
        if (!body)
            bench_job_fatal("am_strides: am_request_prepare(%d, %d bytes) failed", to, n * (int)sizeof *body);
        for (int i = 0; i < n; i++)
            body[i] = area.out[(first + i) * area.stride];
        am_request_commit(to, on_medium, n * (int)sizeof *body, &word, 1);
    }
}

static const struct way {
    const char *mode, *call;
    void (*send)(int to);
} ways[] = {{"copy by hand", "am_store", store}, {"copied where sent from", "am_request_prepare, am_request_commit", mediums}};
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
        if (bench_job.me < 2)
            bench_strides_fill(area.out, area.stride, bench_job.me, round);
        shmem_barrier_all();
        echo(&copy, 1);
        shmem_barrier_all();
        if (bench_job.me < 2)
            right = bench_strides_check(area.in, area.stride, 1 - bench_job.me, round) && right;
    }
    return bench_agree_right(right);
}

static struct bench_params parameters(const struct way *w)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "mode", w->mode);
    bench_param_text(&p, "call", w->call);
    bench_param_text(&p, "cache", "hot");
    bench_param_integer(&p, "message_bytes", BENCH_STRIDE_DOUBLES * (long)sizeof(double));
    return p;
}

static void one_stride(const struct way *w, struct bench_strides *all)
{
    const double budget = bench_agree_budget(bench_plan_next("%s stride %d", w->call, area.stride));
    struct bench_params p = parameters(w);
    struct way copy = *w;
    const bool right = check(w);
    const enum bench_stop stop = bench_measure_together(echo, &copy, budget, BENCH_PE0, &samples, NULL);

    bench_param_integer(&p, "stride", area.stride);
    bench_series_invert(&rates, &samples, 2e3 * BENCH_STRIDE_DOUBLES * (double)sizeof(double));
    bench_emit("echo with strides", &p, "bandwidth", "MB/s", &rates, right, bench_stop_name(stop));
    bench_strides_add(all, area.stride, bench_stats(&rates).median, right);
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"am_strides", "echo of doubles a stride apart", bench_strides_options, 2, 20, 2};

    bench_job.library = "AM";
    bench_job_start(argc, argv, &program);
    if (bench_strides_wrong())
        bench_job_fatal("am_strides: %s", bench_strides_wrong());
    area.out = calloc(WORDS, sizeof *area.out);
    area.in = calloc(WORDS, sizeof *area.in);
    area.block = calloc(BENCH_STRIDE_DOUBLES, sizeof *area.block);
    area.landing = shmem_calloc(BENCH_STRIDE_DOUBLES, sizeof *area.landing);
    if (!area.out || !area.in || !area.block || !area.landing)
        bench_job_fatal("am_strides: no memory for two arrays of %zu bytes", WORDS * sizeof *area.out);
    am_enable();
    shmem_barrier_all();
    bench_plan_begin(WAYS * bench_strides_count(), bench_options.max_seconds);
    for (int i = 0; i < WAYS; i++) {
        const struct bench_params p = parameters(&ways[i]);
        struct bench_strides all = {.n = 0};

        for (area.stride = bench_next_stride(0); area.stride; area.stride = bench_next_stride(area.stride))
            one_stride(&ways[i], &all);
        bench_strides_report(&p, &all);
    }
    am_disable();
    free(area.out);
    free(area.in);
    free(area.block);
    return bench_job_finish();
}
