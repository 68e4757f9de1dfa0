/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ping-pong of doubles between tasks 0 and 1, packed and unpacked on both sides: as measured in 1996 (the MPT paper's
 * table 1) with a barrier before each message, and clean, without; in each encoding, and by pvm_psend, which needs no
 * packing. The clean ones also of doubles that are written before they are packed and read when they are unpacked.
 * ParkBench's COMMS1 (the T3E report's table 4) is ../pt2pt/comms.c.
 */
#include <stdlib.h>
#include <string.h>

#include "pvmjob.h"

#define LARGEST (16l << 20)
#define TAG 1
#define PSEND (-1) /* in the place of an encoding */

static const struct variant {
    const char *method, *encoding;
    int code;
    bool barriers;
} variants[] = {
    {"as in 1996", "Default", PvmDataDefault, true},
    {"as in 1996", "Raw", PvmDataRaw, true},
    {"as in 1996", "InPlace", PvmDataInPlace, true},
    {"clean", "Default", PvmDataDefault, false},
    {"clean", "Raw", PvmDataRaw, false},
    {"clean", "InPlace", PvmDataInPlace, false},
    {"clean", "psend", PSEND, false},
};
#define VARIANTS (int)(sizeof variants / sizeof *variants)

struct exchange {
    const struct variant *v;
    double *out, *in;
    int count; /* doubles */
    int fault; /* the first code that was an error */
    enum bench_cache cache;
    long round; /* trips so far */
};
static struct bench_series samples, rates;

static void note(struct exchange *x, int code)
{
    if (code < 0 && !x->fault)
        x->fault = code;
}

static void send(struct exchange *x, int tid)
{
    if (x->v->code == PSEND) {
        note(x, pvm_psend(tid, TAG, x->out, x->count, PVM_DOUBLE));
        return;
    }
    note(x, pvm_initsend(x->v->code));
    if (x->count > 0)
        note(x, pvm_pkdouble(x->out, x->count, 1));
    note(x, pvm_send(tid, TAG));
}

static void receive(struct exchange *x, int tid)
{
    int from, tag, count;

    if (x->v->code == PSEND) {
        note(x, pvm_precv(tid, TAG, x->in, x->count, PVM_DOUBLE, &from, &tag, &count));
        return;
    }
    note(x, pvm_recv(tid, TAG));
    if (x->count > 0)
        note(x, pvm_upkdouble(x->in, x->count, 1));
}

/* One round trip; in the barriers all tasks take part. */
static void round_trip(struct exchange *x)
{
    const bool written = x->cache == BENCH_WRITTEN;
    const size_t bytes = (size_t)x->count * sizeof(double);

    x->round++;
    for (int way = 0; way < 2; way++) {
        if (x->v->barriers)
            pvmjob_barrier();
        if (pvmjob.rank == way) {
            if (written)
                bench_fresh_write(x->out, bytes, way, x->round);
            send(x, pvmjob.tids[1 - way]);
        } else if (pvmjob.rank == 1 - way) {
            receive(x, pvmjob.tids[way]);
            if (written)
                bench_fresh_read(x->in, bytes, way, x->round);
        }
    }
}

static void ping_pong(void *arg, long reps)
{
    for (long i = 0; i < reps; i++)
        round_trip(arg);
}

static double element(int rank, int round, int i)
{
    return rank * 1e9 + round * 1e7 + i + 0.25;
}

/* Two round trips of data that say who sent them, when, and which they are. */
static bool check(struct exchange *x)
{
    const enum bench_cache cache = x->cache;
    bool right = true;

    x->cache = BENCH_HOT; /* what it fills is not to be written anew */
    for (int round = 1; round <= 2; round++) {
        for (int i = 0; i < x->count; i++) {
            x->out[i] = element(pvmjob.rank, round, i);
            x->in[i] = 0;
        }
        round_trip(x);
        for (int i = 0; pvmjob.rank < 2 && i < x->count; i++)
            right = right && x->in[i] == element(1 - pvmjob.rank, round, i);
    }
    x->cache = cache;
    if (x->fault)
        fprintf(stderr, "task %d: %s, %s, %d doubles: code %d\n", pvmjob.rank, x->v->method, x->v->encoding, x->count,
                x->fault);
    return pvmjob_right(right && !x->fault);
}

static struct bench_params parameters(const struct variant *v, enum bench_cache cache)
{
    struct bench_params p = pvmjob_params();

    bench_param_text(&p, "call", v->code == PSEND ? "pvm_psend" : "pvm_send");
    bench_param_text(&p, "method", v->method);
    bench_param_text(&p, "encoding", v->encoding);
    if (cache != BENCH_HOT)
        bench_param_cache(&p, cache, 0);
    return p;
}

/* One size. The median time one way, us, on rank 0. */
static double one_size(struct exchange *x, bool *all_right)
{
    const int bytes = x->count * (int)sizeof(double);
    const double budget = pvmjob_case("%s %s %d bytes", x->v->method, x->v->encoding, bytes);
    struct bench_params p = parameters(x->v, x->cache);
    bool right = check(x);
    const char *stop = bench_stop_name(pvmjob_measure(ping_pong, x, budget, PVMJOB_RANK0, &samples));

    if (x->cache == BENCH_WRITTEN)
        right = pvmjob_right(bench_fresh_right()) && right;
    *all_right = *all_right && right;
    bench_param_integer(&p, "message_bytes", bytes);
    bench_series_scale(&rates, &samples, 1e-3);
    pvmjob_emit("pvm_pingpong", &p, "round_trip", "us", &rates, right, stop);
    bench_series_scale(&samples, &samples, 0.5e-3);
    pvmjob_emit("pvm_pingpong", &p, "latency", "us", &samples, right, stop);
    if (bytes > 0) {
        bench_series_invert(&rates, &samples, bytes);
        pvmjob_emit("pvm_pingpong", &p, "bandwidth", "MB/s", &rates, right, stop);
    }
    return bench_stats(&samples).median;
}

static void all_sizes(const struct variant *v, struct exchange *x)
{
    const struct bench_params summary = parameters(v, BENCH_HOT);
    double empty = 0, best = 0;
    bool right = true;

    x->v = v;
    x->fault = 0;
    x->cache = BENCH_HOT;
    for (size_t bytes = 0, next = 8;; bytes = next, next = bench_next_size(bytes, LARGEST)) {
        double us;

        x->count = (int)(bytes / sizeof(double));
        us = one_size(x, &right);
        if (bytes == 0)
            empty = us;
        else if ((double)bytes / us > best)
            best = (double)bytes / us;
        if (bytes == LARGEST)
            break;
    }
    pvmjob_emit_value("pvm point-to-point ping-pong", &summary, "latency", "us", empty, right);
    pvmjob_emit_value("pvm point-to-point ping-pong", &summary, "bandwidth", "MB/s", best, right);
}

static void written_sizes(const struct variant *v, struct exchange *x)
{
    bool right = true;

    x->v = v;
    x->fault = 0;
    x->cache = BENCH_WRITTEN;
    for (size_t bytes = BENCH_FRESH_SMALLEST; bytes && !v->barriers; bytes = bench_next_fresh(bytes)) {
        x->count = (int)(bytes / sizeof(double));
        one_size(x, &right);
    }
}

static int cases(int caches)
{
    int n = 1, clean = 0;

    for (size_t bytes = 8; bytes; bytes = bench_next_size(bytes, LARGEST))
        n++;
    for (int i = 0; i < VARIANTS; i++)
        clean += !variants[i].barriers;
    return (caches & 1 << BENCH_HOT ? VARIANTS * n : 0) +
           (caches & 1 << BENCH_WRITTEN ? clean * bench_fresh_sizes() : 0);
}

int main(int argc, char **argv)
{
    static const struct pvmjob_program program = {
        "pvm_pingpong", "half round trips of a message packed, sent and unpacked", 2, 30, 8, NULL};
    const int hot = 1 << BENCH_HOT, both = hot | 1 << BENCH_WRITTEN;
    static struct exchange x;
    int caches;

    pvmjob_start(argc, argv, &program);
    caches = bench_caches(hot, both, both);
    x.out = malloc(LARGEST);
    x.in = malloc(LARGEST);
    if (!x.out || !x.in)
        pvmjob_fatal("out of memory");
    memset(x.out, 0, LARGEST);
    memset(x.in, 0, LARGEST);
    bench_plan_begin(cases(caches), bench_options.max_seconds);
    for (int i = 0; i < VARIANTS; i++)
        if (caches & hot)
            all_sizes(&variants[i], &x);
    for (int i = 0; i < VARIANTS && caches & 1 << BENCH_WRITTEN; i++)
        written_sizes(&variants[i], &x);
    free(x.out);
    free(x.in);
    return pvmjob_finish();
}
