/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One-sided transfers from PE 0 to PE 1 and back, by size: time of one completed transfer, rate and bandwidth of a
 * stream; strided and indexed transfers by stride and by order of the index. All other PEs are idle. But where
 * transfers are written before and read after, the other PE does its part of that, and words go between the two.
 */
#include "common/job.h"

#include <stdlib.h>
#include <string.h>

#define REGION (64ul << 20)
#define WINDOW 4096l         /* smaller transfers walk through this much, so that they don't all meet in one line */
#define RATE_MAX (64l << 10) /* beyond, a latency or a rate says nothing that the bandwidth doesn't */
#define ELEMENTS 4096l       /* of strided and indexed transfers */
#define MAX_STRIDE 32l

static char global_region[REGION] __attribute__((aligned(4096)));

/* One transfer repeated. Turns of contiguous ones: hot, small ones go through the window in steps of the size. */
struct transfer {
    char *remote;      /* symmetric */
    char *local;       /* private */
    const long *index; /* private: the remote element for each local one, or NULL */
    long bytes, stride;
    struct bench_buffers turn;
    int peer;
    long round; /* of written transfers */
};

/* What contiguous transfers move between: `heap` and `local` have room to rotate, if that was asked for. */
static struct {
    int caches;
    char *local, *heap;
    size_t room;
    struct bench_buffers turn; /* of the last case that rotated */
} area;

static struct bench_series samples, rates;

#define BODY(name, statement, completion)                        \
    static void name(void *arg, long reps)                       \
    {                                                            \
        const struct transfer t = *(const struct transfer *)arg; \
        struct bench_buffers turn = t.turn;                      \
                                                                 \
        for (long i = 0; i < reps; i++) {                        \
            const size_t at = bench_buffers_next(&turn);         \
                                                                 \
            statement;                                           \
            completion;                                          \
        }                                                        \
        shmem_quiet();                                           \
        ((struct transfer *)arg)->turn = turn;                   \
    }
/* Streamed, and each completed before the next. */
#define BODIES(name, statement)              \
    BODY(name##_stream, statement, (void)at) \
    BODY(name##_each, statement, shmem_quiet())

#define REMOTE (t.remote + at)
#define LOCAL (t.local + at)

BODIES(put, shmem_putmem(REMOTE, LOCAL, (size_t)t.bytes, t.peer))
BODIES(get, shmem_getmem(LOCAL, REMOTE, (size_t)t.bytes, t.peer))
BODIES(put_nbi, shmem_putmem_nbi(REMOTE, LOCAL, (size_t)t.bytes, t.peer))
BODIES(get_nbi, shmem_getmem_nbi(LOCAL, REMOTE, (size_t)t.bytes, t.peer))
BODIES(p, shmem_long_p((long *)REMOTE, i, t.peer))
BODIES(g, bench_use(shmem_long_g((const long *)REMOTE, t.peer)))
BODY(iput, shmem_iput64(t.remote, t.local, t.stride, t.stride, ELEMENTS, t.peer), (void)at)
BODY(iget, shmem_iget64(t.local, t.remote, t.stride, t.stride, ELEMENTS, t.peer), (void)at)
#ifdef SHMEM_MPT
BODY(ixput, shmem_ixput((long *)t.remote, (const long *)t.local, t.index, ELEMENTS, t.peer), (void)at)
BODY(ixget, shmem_ixget((long *)t.local, (const long *)t.remote, t.index, ELEMENTS, t.peer), (void)at)
#endif

/*
 * Written and read: who has the source writes it, PE 0 moves it, who has the target reads it. A word tells the other
 * that it is its turn; a put's is told once the data are there.
 */
static long *turns_of; /* symmetric */

static void tell(const struct transfer *t)
{
    shmem_fence();
    shmem_long_p(turns_of, t->round, bench_job.me == 0 ? t->peer : 0);
}

static void await(const struct transfer *t)
{
    shmem_long_wait_until(turns_of, SHMEM_CMP_GE, t->round);
}

static inline __attribute__((always_inline)) void written_put(struct transfer *t, long reps, bool nbi)
{
    const size_t bytes = (size_t)t->bytes;

    for (long i = 0; i < reps; i++) {
        t->round++;
        if (bench_job.me != 0) {
            await(t);
            bench_fresh_read(t->remote, bytes, 0, t->round);
            tell(t);
            continue;
        }
        bench_fresh_write(t->local, bytes, 0, t->round);
        if (nbi) {
            shmem_putmem_nbi(t->remote, t->local, bytes, t->peer);
            shmem_quiet();
        } else {
            shmem_putmem(t->remote, t->local, bytes, t->peer);
        }
        tell(t);
        await(t);
    }
}

static inline __attribute__((always_inline)) void written_get(struct transfer *t, long reps, bool nbi)
{
    const size_t bytes = (size_t)t->bytes;

    for (long i = 0; i < reps; i++) {
        t->round++;
        if (bench_job.me != 0) {
            bench_fresh_write(t->remote, bytes, bench_job.me, t->round);
            tell(t);
            await(t);
            continue;
        }
        await(t);
        if (nbi) {
            shmem_getmem_nbi(t->local, t->remote, bytes, t->peer);
            shmem_quiet();
        } else {
            shmem_getmem(t->local, t->remote, bytes, t->peer);
        }
        bench_fresh_read(t->local, bytes, t->peer, t->round);
        tell(t);
    }
}

#define WRITTEN(name, direction, nbi)                \
    static void name##_written(void *arg, long reps) \
    {                                                \
        written_##direction(arg, reps, nbi);         \
    }
WRITTEN(put, put, false)
WRITTEN(get, get, false)
WRITTEN(put_nbi, put, true)
WRITTEN(get_nbi, get, true)

struct operation {
    const char *op, *call;
    bool gets, word; /* word: 8 bytes only */
    bench_body *stream, *each, *written;
};

static const struct operation operations[] = {
    {"p", "shmem_long_p", false, true, p_stream, p_each, NULL},
    {"g", "shmem_long_g", true, true, g_stream, g_each, NULL},
    {"put", "shmem_putmem", false, false, put_stream, put_each, put_written},
    {"get", "shmem_getmem", true, false, get_stream, get_each, get_written},
    {"put_nbi", "shmem_putmem_nbi", false, false, put_nbi_stream, put_nbi_each, put_nbi_written},
    {"get_nbi", "shmem_getmem_nbi", true, false, get_nbi_stream, get_nbi_each, get_nbi_written},
};
#define OPERATIONS (int)(sizeof operations / sizeof *operations)

static const struct operation strided[] = {
    {"iput", "shmem_iput64", false, false, iput, NULL, NULL},
    {"iget", "shmem_iget64", true, false, iget, NULL, NULL},
};

#ifdef SHMEM_MPT
static const struct operation indexed[] = {
    {"ixput", "shmem_ixput", false, false, ixput, NULL, NULL},
    {"ixget", "shmem_ixget", true, false, ixget, NULL, NULL},
};
#define INDEXED 2
#else
#define INDEXED 0
#endif

/* ---- verification: a transfer with data of its own, seen from the side that received them ---- */

/* What element i of the receiver must hold: element i of the sender's, at the other's place. */
static long place(const struct transfer *t, long i)
{
    return t->index ? t->index[i] : i * t->stride;
}

static bool same_elements(const struct transfer *t, const long *receiver, const long *sender, bool gets)
{
    for (long i = 0; i < ELEMENTS; i++) {
        const long remote = place(t, i), local = t->index ? i : i * t->stride;

        if (receiver[gets ? local : remote] != sender[gets ? remote : local])
            return false;
    }
    /* What lies between the elements was cleared before and isn't part of the transfer. */
    for (long i = 0; t->stride > 1 && i < ELEMENTS * t->stride; i++)
        if (i % t->stride != 0 && receiver[i] != 0)
            return false;
    return true;
}

/* `extent` bytes of both buffers take part, from where the next transfer is. Collective. */
static bool check(const struct operation *o, struct transfer t, size_t extent)
{
    const int sender = o->gets ? t.peer : 0, receiver = o->gets ? 0 : t.peer;
    const uint64_t seed = bench_pattern_seed(sender, extent, o->op[0]);
    char *const out = (o->gets ? t.remote : t.local) + t.turn.at, *const in =
                                                                      (o->gets ? t.local : t.remote) + t.turn.at;
    bool right = true;

    shmem_barrier_all();
    if (bench_job.me == receiver)
        memset(in, strcmp(o->op, "p") == 0 ? 0xff : 0, extent); /* p puts 0 first */
    shmem_barrier_all();
    if (bench_job.me == sender)
        bench_pattern_fill(out, extent, seed);
    shmem_barrier_all();
    if (bench_job.me == 0)
        o->stream(&t, t.bytes > 0 ? (long)extent / t.bytes : 1);
    shmem_barrier_all();
    if (bench_job.me != receiver)
        return bench_agree_right(true);
    if (t.stride || t.index) {
        long *expected = malloc(extent);

        if (!expected)
            bench_job_fatal("no memory");
        bench_pattern_fill(expected, extent, seed);
        right = same_elements(&t, (long *)in, expected, o->gets);
        free(expected);
    } else if (strcmp(o->op, "p") == 0) {
        for (long i = 0; i < (long)extent / 8; i++)
            right = right && ((long *)in)[i] == i;
    } else if (strcmp(o->op, "g") != 0) {
        right = bench_pattern_check(in, extent, seed);
    }
    return bench_agree_right(right);
}

/* A value got word by word can only be checked where it is got. Collective. */
static bool check_g(struct transfer t)
{
    bool right = true;

    if (bench_job.me == t.peer)
        bench_pattern_fill(t.remote, WINDOW, 7);
    shmem_barrier_all();
    if (bench_job.me == 0) {
        bench_pattern_fill(t.local, WINDOW, 7);
        for (long i = 0; i < WINDOW / 8; i++)
            right = right && shmem_long_g((long *)t.remote + i, t.peer) == ((long *)t.local)[i];
    }
    return bench_agree_right(right);
}

/* ---- measuring ---- */

static struct bench_params parameters(const struct operation *o, const struct bench_target *target,
                                      enum bench_cache cache)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "op", o->op);
    bench_param_text(&p, "call", o->call);
    bench_param_text(&p, "target", target->name);
    bench_param_cache(&p, cache, 2 * area.room);
    return p;
}

static enum bench_stop measure(bench_body *body, struct transfer *t, double budget)
{
    enum bench_stop stop = BENCH_STOP_BUDGET;

    if (bench_job.me == 0)
        stop = bench_measure(body, NULL, t, budget, &samples);
    bench_collect(&samples, &stop, 0);
    return stop;
}

/* Begins a case; false: its caches aren't to be had, as the target can't be flushed from here. Collective. */
static bool begin(struct transfer *t, enum bench_cache cache, size_t extent)
{
    bool flushed = true;

    bench_cold_clear();
    if (cache == BENCH_ROTATING) {
        bench_job_rotate(&area.turn, cache, (size_t)t->bytes, area.room);
        t->turn = area.turn;
        return true;
    }
    t->turn = (struct bench_buffers){.step = (size_t)t->bytes, .span = extent};
    if (cache == BENCH_FLUSHED && bench_job.me == 0) {
        bench_cold_add(t->local, extent);
        flushed = bench_job_cold_add(t->remote, extent, t->peer);
    }
    return bench_agree(flushed) != 0;
}

static void idle(void *arg, long reps)
{
    (void)arg;
    (void)reps;
}

static void contiguous(const struct operation *o, const struct bench_target *target, enum bench_cache cache, int peer,
                       long bytes)
{
    const double budget =
        bench_agree_budget(bench_plan_next("%s %s %s %ld bytes", o->op, target->name, bench_cache_name(cache), bytes));
    struct transfer t = {.remote = cache == BENCH_ROTATING ? area.heap : target->base,
                         .local = area.local,
                         .bytes = bytes,
                         .peer = peer};
    const size_t extent = (size_t)(bytes < WINDOW && cache != BENCH_ROTATING ? WINDOW : bytes);
    struct bench_params p = parameters(o, target, cache);
    enum bench_stop stop;
    bool right;

    if (!begin(&t, cache, extent))
        return;
    right = check(o, t, extent) && (strcmp(o->op, "g") != 0 || check_g(t));
    bench_param_integer(&p, "message_bytes", bytes);
    if (bytes <= RATE_MAX) {
        stop = measure(o->each, &t, budget / 2);
        bench_series_scale(&samples, &samples, 1e-3);
        bench_emit_pair("put_get", &p, "latency", "us", &samples, right, bench_stop_name(stop), 0, peer);
    }
    stop = measure(o->stream, &t, bytes <= RATE_MAX ? budget / 2 : budget);
    bench_series_invert(&rates, &samples, 1e3);
    if (bytes <= RATE_MAX)
        bench_emit_pair("put_get", &p, "rate", "Mop/s", &rates, right, bench_stop_name(stop), 0, peer);
    bench_series_invert(&rates, &samples, 1e3 * (double)bytes);
    bench_emit_pair("put_get", &p, "bandwidth", "MB/s", &rates, right, bench_stop_name(stop), 0, peer);
    bench_cold_clear();
    if (cache == BENCH_ROTATING)
        area.turn = t.turn;
}

static void written(const struct operation *o, const struct bench_target *target, int peer, long bytes)
{
    const double budget = bench_agree_budget(bench_plan_next("%s %s written %ld bytes", o->op, target->name, bytes));
    struct transfer t = {.remote = target->base, .local = area.local, .bytes = bytes, .peer = peer};
    struct bench_params p = parameters(o, target, BENCH_WRITTEN);
    enum bench_stop stop;
    bool right;

    begin(&t, BENCH_WRITTEN, (size_t)bytes);
    right = check(o, t, (size_t)bytes);
    *turns_of = 0;
    shmem_barrier_all();
    stop = bench_measure_together(bench_job.me == 0 || bench_job.me == peer ? o->written : idle, &t, budget, BENCH_PE0,
                                  &samples, NULL);
    right = bench_agree_right(bench_fresh_right()) && right;
    bench_series_scale(&samples, &samples, 1e-3);
    bench_series_invert(&rates, &samples, (double)bytes);
    bench_param_integer(&p, "message_bytes", bytes);
    bench_emit_pair("put_get", &p, "latency", "us", &samples, right, bench_stop_name(stop), 0, peer);
    bench_emit_pair("put_get", &p, "bandwidth", "MB/s", &rates, right, bench_stop_name(stop), 0, peer);
}

static void emit_elements(const struct operation *o, struct bench_params *p, const struct transfer *t, bool right,
                          double budget)
{
    struct transfer copy = *t;
    const enum bench_stop stop = measure(o->stream, &copy, budget);

    bench_param_integer(p, "elements", ELEMENTS);
    bench_series_invert(&rates, &samples, 8e3 * ELEMENTS);
    bench_emit_pair("put_get", p, "bandwidth", "MB/s", &rates, right, bench_stop_name(stop), 0, t->peer);
}

static void by_stride(const struct operation *o, const struct bench_target *target, int peer, long stride)
{
    const double budget = bench_agree_budget(bench_plan_next("%s %s stride %ld", o->op, target->name, stride));
    const struct transfer t = {.remote = target->base, .local = area.local, .stride = stride, .peer = peer};
    struct bench_params p = parameters(o, target, BENCH_HOT);

    bench_param_integer(&p, "stride", stride);
    emit_elements(o, &p, &t, check(o, t, (size_t)(8 * ELEMENTS * stride)), budget);
}

#ifdef SHMEM_MPT
/* A permutation: a multiplier prime to the number of elements, or the identity. */
static void fill_index(long *index, bool random)
{
    for (long i = 0; i < ELEMENTS; i++)
        index[i] = random ? i * 2741 % ELEMENTS : i;
}

static void by_index(const struct bench_target *target, int peer)
{
    long *const index = malloc(ELEMENTS * sizeof *index);

    if (!index)
        bench_job_fatal("no memory");
    for (int k = 0; k < 2 * INDEXED; k++) {
        const struct operation *o = &indexed[k / 2];
        const double budget = bench_agree_budget(bench_plan_next("%s %s", o->op, target->name));
        const struct transfer t = {.remote = target->base, .local = area.local, .index = index, .peer = peer};
        struct bench_params p = parameters(o, target, BENCH_HOT);

        fill_index(index, k % 2);
        bench_param_text(&p, "index", k % 2 ? "random" : "sequential");
        emit_elements(o, &p, &t, check(o, t, 8 * ELEMENTS), budget);
    }
    free(index);
}
#endif

static bool on_heap(const struct bench_target *target)
{
    return strcmp(target->name, "heap") == 0;
}

/* Other caches than hot ones need the heap, and what is read at the other end another PE. */
static bool wanted(const struct bench_target *target, int cache)
{
    if (cache == BENCH_WRITTEN && bench_job.npes < 2)
        return false;
    return area.caches & 1 << cache && (cache == BENCH_HOT || on_heap(target));
}

/* Once through all that rotates. */
static void lap(int peer)
{
    struct transfer t = {.remote = area.heap, .local = area.local, .bytes = REGION, .peer = peer};

    bench_buffers_begin(&t.turn, BENCH_ROTATING, REGION, area.room, 0);
    if (bench_job.me == 0)
        put_stream(&t, bench_buffers_lap(&t.turn));
    shmem_barrier_all();
}

static void all_written(const struct bench_target *target, int peer)
{
    for (int k = 0; k < OPERATIONS; k++)
        for (size_t b = BENCH_FRESH_SMALLEST; b && operations[k].written; b = bench_next_fresh(b))
            written(&operations[k], target, peer, (long)b);
}

static void all_of(const struct bench_target *target, int peer)
{
    for (int cache = 0; cache < BENCH_CACHES; cache++) {
        if (!wanted(target, cache))
            continue;
        if (cache == BENCH_ROTATING)
            lap(peer);
        if (cache == BENCH_WRITTEN) {
            all_written(target, peer);
            continue;
        }
        for (int k = 0; k < OPERATIONS; k++)
            for (size_t b = 8; b; b = bench_next_size(b, operations[k].word ? 8 : REGION))
                contiguous(&operations[k], target, (enum bench_cache)cache, peer, (long)b);
    }
    if (!wanted(target, BENCH_HOT))
        return;
    for (int k = 0; k < 2; k++)
        for (long s = 1; s <= MAX_STRIDE; s = bench_options.quick ? 2 * s : s + 1)
            by_stride(&strided[k], target, peer, s);
#ifdef SHMEM_MPT
    by_index(target, peer);
#endif
}

static int cases(const struct bench_target *target)
{
    int sizes = 0, strides = 0, n = 0, caches = 0, fresh = 0;

    for (size_t b = 8; b; b = bench_next_size(b, REGION))
        sizes++;
    for (long s = 1; s <= MAX_STRIDE; s = bench_options.quick ? 2 * s : s + 1)
        strides++;
    for (int k = 0; k < OPERATIONS; k++)
        n += operations[k].word ? 1 : sizes;
    for (int k = 0; k < OPERATIONS && wanted(target, BENCH_WRITTEN); k++)
        fresh += operations[k].written ? bench_fresh_sizes() : 0;
    for (int cache = 0; cache < BENCH_CACHES; cache++)
        caches += cache != BENCH_WRITTEN && wanted(target, cache);
    return caches * n + fresh + (wanted(target, BENCH_HOT) ? 2 * strides + 2 * INDEXED : 0);
}

static void allocate(void)
{
    const size_t largest = REGION;

    if (area.caches & 1 << BENCH_ROTATING)
        area.room = bench_job_buffers(1, &largest, area.caches, &area.heap);
    turns_of = shmem_calloc(1, sizeof *turns_of);
    area.local = aligned_alloc(4096, bench_buffers_bytes(area.room, REGION));
    if (!area.local || !turns_of)
        bench_job_fatal("no memory");
    if (bench_job.me == 0)
        memset(area.local, 1, bench_buffers_bytes(area.room, REGION));
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"put_get", "one-sided transfers by size and by stride", NULL, 1, 40,
                                                 10};
    struct bench_target targets[2];
    int n, all = 0, peer;

    bench_job_start(argc, argv, &program);
    n = bench_job_targets(global_region, sizeof global_region, targets);
    area.caches = bench_caches(1 << BENCH_HOT | 1 << BENCH_WRITTEN, BENCH_ALL_CACHES,
                               on_heap(&targets[0]) ? BENCH_ALL_CACHES : 1 << BENCH_HOT);
    allocate();
    peer = bench_job.npes > 1 ? 1 : 0;
    for (int t = 0; t < n; t++)
        all += cases(&targets[t]);
    bench_plan_begin(all, bench_options.max_seconds);
    for (int t = 0; t < n; t++)
        all_of(&targets[t], peer);
    free(area.local);
    return bench_job_finish();
}
