/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo of doubles that lie a stride apart, between PEs 0 and 1: each puts its own into the other's, stride to stride;
 * and, as one-sided libraries can, the same fetched by a strided get.
 */
#include "common/job.h"
#include "common/strides.h"

#include <string.h>

#define WORDS ((size_t)BENCH_STRIDE_DOUBLES * BENCH_STRIDE_MAX)

static struct {
    double *out, *in; /* symmetric */
    long *came;       /* symmetric: number of the last message */
    long number;
    int stride;
} area;
static struct bench_series samples, rates;

static void put(int to)
{
    shmem_iput64(area.in, area.out, area.stride, area.stride, BENCH_STRIDE_DOUBLES, to);
    shmem_fence();
    shmem_long_p(area.came, area.number, to);
}

static void put_echo(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        area.number++;
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
    shmem_iget64(area.in, area.out, area.stride, area.stride, BENCH_STRIDE_DOUBLES, pe);
}

/* Both ways in turn, as in an echo, so that each way's data come from the other's cache. */
static void get_both(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        area.number++;
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
        bench_strides_fill(area.out, area.stride, bench_job.me, round);
        memset(area.in, 0, BENCH_STRIDE_DOUBLES * sizeof *area.in);
        shmem_barrier_all();
        w->body(NULL, 1);
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
    const bool right = check(w);
    const enum bench_stop stop = bench_measure_together(w->body, NULL, budget, BENCH_PE0, &samples, NULL);

    bench_param_integer(&p, "stride", area.stride);
    bench_series_invert(&rates, &samples, 2e3 * BENCH_STRIDE_DOUBLES * (double)sizeof(double));
    bench_emit("echo with strides", &p, "bandwidth", "MB/s", &rates, right, bench_stop_name(stop));
    bench_strides_add(all, area.stride, bench_stats(&rates).median, right);
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"strides", "echo of doubles a stride apart", bench_strides_options, 2, 20, 3};

    bench_job_start(argc, argv, &program);
    if (bench_strides_wrong())
        bench_job_fatal("strides: %s", bench_strides_wrong());
    area.out = shmem_malloc(WORDS * sizeof *area.out);
    area.in = shmem_malloc(WORDS * sizeof *area.in);
    area.came = shmem_calloc(1, sizeof *area.came);
    if (!area.out || !area.in || !area.came)
        bench_job_fatal("strides: the symmetric heap has no room for two arrays of %zu bytes", WORDS * sizeof *area.out);
    memset(area.out, 0, WORDS * sizeof *area.out);
    memset(area.in, 0, WORDS * sizeof *area.in);
    shmem_barrier_all();
    bench_plan_begin(WAYS * bench_strides_count(), bench_options.max_seconds);
    for (int i = 0; i < WAYS; i++) {
        const struct bench_params p = parameters(&ways[i]);
        struct bench_strides all = {.n = 0};

        for (area.stride = bench_next_stride(0); area.stride; area.stride = bench_next_stride(area.stride))
            one_stride(&ways[i], &all);
        bench_strides_report(&p, &all);
    }
    return bench_job_finish();
}
