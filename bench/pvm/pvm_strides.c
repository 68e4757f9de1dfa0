/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo of doubles that lie a stride apart, between tasks 0 and 1: pvm_pkdouble and pvm_upkdouble gather and scatter
 * them, with each encoding that copies.
 */
#include <stdlib.h>
#include <string.h>

#include "../common/strides.h"
#include "pvmjob.h"

#define TAG 4

static const struct way {
    const char *encoding;
    int code;
} ways[] = {{"Default", PvmDataDefault}, {"Raw", PvmDataRaw}};
#define WAYS (int)(sizeof ways / sizeof *ways)

static struct {
    char *out, *in;
    size_t room; /* bytes that each rotates over */
    struct bench_buffers sent, come;
    enum bench_cache cache;
    int stride, code;
    int fault; /* the first code that was an error */
} x;
static struct bench_series samples, rates;

static void note(int code)
{
    if (code < 0 && !x.fault)
        x.fault = code;
}

static double *doubles(char *at)
{
    return (double *)(void *)at;
}

static void send(int tid)
{
    double *const out = doubles(x.out + bench_buffers_next(&x.sent));

    note(pvm_initsend(x.code));
    note(pvm_pkdouble(out, BENCH_STRIDE_DOUBLES, x.stride));
    note(pvm_send(tid, TAG));
}

static void receive(int tid)
{
    double *const in = doubles(x.in + bench_buffers_next(&x.come));

    note(pvm_recv(tid, TAG));
    note(pvm_upkdouble(in, BENCH_STRIDE_DOUBLES, x.stride));
}

static void echo(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        if (pvmjob.rank == 0)
            send(pvmjob.tids[1]);
        if (pvmjob.rank < 2)
            receive(pvmjob.tids[1 - pvmjob.rank]);
        if (pvmjob.rank == 1)
            send(pvmjob.tids[0]);
    }
}

static bool check(void)
{
    bool right = true;

    for (int round = 1; pvmjob.rank < 2 && round <= 2; round++) {
        const double *const in = doubles(x.in + x.come.at);

        bench_strides_fill(doubles(x.out + x.sent.at), x.stride, pvmjob.rank, round);
        echo(NULL, 1);
        right = bench_strides_check(in, x.stride, 1 - pvmjob.rank, round) && right;
    }
    if (x.fault)
        fprintf(stderr, "task %d: stride %d: code %d\n", pvmjob.rank, x.stride, x.fault);
    return pvmjob_right(right && !x.fault);
}

static struct bench_params parameters(const struct way *w)
{
    struct bench_params p = pvmjob_params();

    bench_param_text(&p, "encoding", w->encoding);
    bench_param_text(&p, "call", "pvm_pkdouble");
    bench_param_cache(&p, x.cache, 2 * x.room);
    bench_param_integer(&p, "message_bytes", BENCH_STRIDE_DOUBLES * (long)sizeof(double));
    return p;
}

/* Each task's places are its own: they need not be those of the other. */
static void begin_cache(void)
{
    const size_t bytes = BENCH_STRIDE_SPAN(x.stride);

    bench_buffers_begin(&x.sent, x.cache, bytes, x.room, bench_buffers_position(&x.sent));
    bench_buffers_begin(&x.come, x.cache, bytes, x.room, bench_buffers_position(&x.come));
    bench_cold_clear();
    if (x.cache == BENCH_FLUSHED) {
        bench_cold_add(x.out, bytes);
        bench_cold_add(x.in, bytes);
    }
}

static void one_stride(const struct way *w, struct bench_strides *all)
{
    const double budget = pvmjob_case("%s stride %d", w->encoding, x.stride);
    struct bench_params p = parameters(w);
    enum bench_stop stop;
    bool right;

    begin_cache();
    right = check();
    stop = pvmjob_measure(echo, NULL, budget, PVMJOB_RANK0, &samples);
    bench_param_integer(&p, "stride", x.stride);
    if (pvmjob.rank != 0)
        return;
    bench_series_invert(&rates, &samples, 2e3 * BENCH_STRIDE_DOUBLES * (double)sizeof(double));
    pvmjob_emit("echo with strides", &p, "bandwidth", "MB/s", &rates, right, bench_stop_name(stop));
    bench_strides_add(all, x.stride, bench_stats(&rates).median, right);
}

static void all_strides(const struct way *w)
{
    const struct bench_params p = parameters(w);
    struct bench_strides all = {.n = 0};

    x.code = w->code;
    for (x.stride = bench_next_stride(0); x.stride; x.stride = bench_next_stride(x.stride))
        one_stride(w, &all);
    bench_strides_report(&p, &all);
}

static void allocate(int caches)
{
    size_t bytes;

    x.room = pvmjob_rotation(caches);
    bytes = bench_buffers_bytes(x.room, BENCH_STRIDE_LARGEST);
    x.out = malloc(bytes);
    x.in = malloc(bytes);
    if (!x.out || !x.in)
        pvmjob_fatal("pvm_strides: no memory for two arrays of %zu bytes", bytes);
    memset(x.out, 0, bytes);
    memset(x.in, 0, bytes);
}

int main(int argc, char **argv)
{
    static const struct pvmjob_program program = {
        "pvm_strides", "echo of doubles a stride apart, packed and unpacked", 2, 20, 3, bench_strides_options};
    int caches;

    pvmjob_start(argc, argv, &program);
    if (bench_strides_wrong())
        pvmjob_fatal("pvm_strides: %s", bench_strides_wrong());
    caches = bench_caches(1 << BENCH_HOT, BENCH_UNTOUCHED, BENCH_UNTOUCHED);
    allocate(caches);
    bench_plan_begin(WAYS * bench_caches_count(caches) * bench_strides_count(), bench_options.max_seconds);
    for (int i = 0; i < WAYS; i++)
        for (int cache = 0; cache < BENCH_CACHES; cache++) {
            x.cache = (enum bench_cache)cache;
            if (caches & 1 << cache)
                all_strides(&ways[i]);
        }
    free(x.out);
    free(x.in);
    return pvmjob_finish();
}
