/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo of doubles that lie a stride apart, between tasks 0 and 1: pvm_pkdouble and pvm_upkdouble gather and scatter
 * them, with each encoding that copies.
 */
#include <stdlib.h>

#include "../common/strides.h"
#include "pvmjob.h"

#define TAG 4

static const struct way {
    const char *encoding;
    int code;
} ways[] = {{"Default", PvmDataDefault}, {"Raw", PvmDataRaw}};
#define WAYS (int)(sizeof ways / sizeof *ways)

static struct {
    double *out, *in;
    int stride, code;
    int fault; /* the first code that was an error */
} x;
static struct bench_series samples, rates;

static void note(int code)
{
    if (code < 0 && !x.fault)
        x.fault = code;
}

static void send(int tid)
{
    note(pvm_initsend(x.code));
    note(pvm_pkdouble(x.out, BENCH_STRIDE_DOUBLES, x.stride));
    note(pvm_send(tid, TAG));
}

static void receive(int tid)
{
    note(pvm_recv(tid, TAG));
    note(pvm_upkdouble(x.in, BENCH_STRIDE_DOUBLES, x.stride));
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
        bench_strides_fill(x.out, x.stride, pvmjob.rank, round);
        echo(NULL, 1);
        right = bench_strides_check(x.in, x.stride, 1 - pvmjob.rank, round) && right;
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
    bench_param_text(&p, "cache", "hot");
    bench_param_integer(&p, "message_bytes", BENCH_STRIDE_DOUBLES * (long)sizeof(double));
    return p;
}

static void one_stride(const struct way *w, struct bench_strides *all)
{
    const double budget = pvmjob_case("%s stride %d", w->encoding, x.stride);
    struct bench_params p = parameters(w);
    const bool right = check();
    const enum bench_stop stop = pvmjob_measure(echo, NULL, budget, PVMJOB_RANK0, &samples);

    bench_param_integer(&p, "stride", x.stride);
    if (pvmjob.rank != 0)
        return;
    bench_series_invert(&rates, &samples, 2e3 * BENCH_STRIDE_DOUBLES * (double)sizeof(double));
    pvmjob_emit("echo with strides", &p, "bandwidth", "MB/s", &rates, right, bench_stop_name(stop));
    bench_strides_add(all, x.stride, bench_stats(&rates).median, right);
}

int main(int argc, char **argv)
{
    static const struct pvmjob_program program = {"pvm_strides", "echo of doubles a stride apart, packed and unpacked", 2, 20, 3, bench_strides_options};
    size_t doubles;

    pvmjob_start(argc, argv, &program);
    if (bench_strides_wrong())
        pvmjob_fatal("pvm_strides: %s", bench_strides_wrong());
    doubles = (size_t)BENCH_STRIDE_DOUBLES * (size_t)BENCH_STRIDE_MAX;
    x.out = calloc(doubles, sizeof *x.out);
    x.in = calloc(doubles, sizeof *x.in);
    if (!x.out || !x.in)
        pvmjob_fatal("pvm_strides: no memory for two arrays of %zu bytes", doubles * sizeof *x.out);
    bench_plan_begin(WAYS * bench_strides_count(), bench_options.max_seconds);
    for (int i = 0; i < WAYS; i++) {
        const struct bench_params p = parameters(&ways[i]);
        struct bench_strides all = {.n = 0};

        x.code = ways[i].code;
        for (x.stride = bench_next_stride(0); x.stride; x.stride = bench_next_stride(x.stride))
            one_stride(&ways[i], &all);
        bench_strides_report(&p, &all);
    }
    free(x.out);
    free(x.in);
    return pvmjob_finish();
}
