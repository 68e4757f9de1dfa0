/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random remote operations of every kind, size and alignment against a model.
 * Each PE owns a slab of every PE's heap (and of its globals), which nobody else
 * writes, and keeps a private picture of what must be in it. Ordered runs let
 * operations overlap with a fence between them; the others keep them apart until
 * a quiet. Run with any number of PEs, over shared memory and the network.
 */
#include <string.h>

#include "core/core.h"
#include "harness.h"

enum { SLAB = 400 << 10, SMALL = 64 << 10, MAX_PES = 8, ROUNDS = 1500, SOURCES = 1 << 20 };

static unsigned char globals[MAX_PES][SMALL]; /* shared with the job's other PEs */
static unsigned char *heap;                   /* [npes][SLAB] */
static uint64_t rng;

struct target {
    int pe;
    unsigned char *at;    /* own address of the slab that is ours over there */
    unsigned char *model; /* what must be in it */
    size_t size;
};
static struct target targets[2 * MAX_PES];
static unsigned ntargets;

/* Sources and results must not change until the quiet: handed out in turn. */
static unsigned char sources[SOURCES], results[SOURCES];
static size_t used;

static bool ordered;
static struct core_flow flow;
static size_t next_free[2 * MAX_PES]; /* unordered: below it is taken until the quiet */

static unsigned char expected[SOURCES]; /* of gets, in the places of results */

static void settle(void)
{
    core_quiet(&flow);
    EXPECT(memcmp(results, expected, used) == 0, "what gets and atomics brought, %zu bytes", used);
    used = 0;
    memset(next_free, 0, sizeof next_free);
}

static size_t random_size(size_t most)
{
    static const size_t around[] = {1, 8, 40, 64, 256, 2048, 8168, 8192, 40000, 70000};
    size_t n = around[check_random_below(&rng, sizeof around / sizeof *around)];
    n = check_random_below(&rng, 3) ? 1 + check_random_below(&rng, n) : n;
    return n < most ? n : most;
}

/* Room for n bytes at the slab and for `sources_n` among the sources. */
static size_t place(unsigned t, size_t n, size_t align, size_t sources_n)
{
    struct target *g = &targets[t];
    size_t at;
    if (used + sources_n > SOURCES)
        settle();
    if (ordered) {
        at = check_random_below(&rng, g->size - n + 1);
        return at / align * align;
    }
    at = (next_free[t] + check_random_below(&rng, 70) + align - 1) / align * align;
    if (at + n > g->size) {
        settle();
        at = check_random_below(&rng, 16) * align;
    }
    next_free[t] = at + n;
    return at;
}

static unsigned char *take(size_t n)
{
    unsigned char *p = sources + used;
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)check_random(&rng);
    memset(results + used, 0, n);
    memset(expected + used, 0, n);
    used += n;
    return p;
}

/* ---------------------------------------------------------- operations -- */

static void do_put(unsigned t)
{
    struct target *g = &targets[t];
    size_t n = random_size(g->size / 2), at = place(t, n, 1, n);
    unsigned char *from = take(n);
    memcpy(g->model + at, from, n);
    if (check_random_below(&rng, 2)) {
        core_put(&flow, g->pe, g->at + at, from, n);
        memset(from, 0xee, n); /* the source is free */
    } else
        core_put_nbi(&flow, g->pe, g->at + at, from, n);
}

static void do_get(unsigned t)
{
    struct target *g = &targets[t];
    size_t n = random_size(g->size / 2), at = place(t, n, 1, n), where = used;
    take(n);
    if (ordered) /* a get may pass earlier puts */
        core_quiet(&flow);
    memcpy(expected + where, g->model + at, n);
    if (check_random_below(&rng, 2)) {
        core_get(&flow, g->pe, results + where, g->at + at, n);
        EXPECT(memcmp(results + where, expected + where, n) == 0, "get of %zu bytes from PE %d", n, g->pe);
    } else
        core_get_nbi(&flow, g->pe, results + where, g->at + at, n);
    if (ordered) /* ... and later puts a get */
        core_quiet(&flow);
}

static struct core_strides random_strides(void)
{
    static const size_t bytes[] = {1, 2, 4, 8, 16, 24, 333, 1024, 3000};
    struct core_strides s = {.bytes = bytes[check_random_below(&rng, 9)]};
    s.nblocks = 1 + check_random_below(&rng, s.bytes < 100 ? 2500 : 12);
    s.remote = (ptrdiff_t)(s.bytes + check_random_below(&rng, s.bytes < 100 ? 10 : 200));
    s.local = (ptrdiff_t)(s.bytes + check_random_below(&rng, 20));
    if (check_random_below(&rng, 3) == 0)
        s.remote = -s.remote;
    return s;
}

static void do_strided(unsigned t)
{
    struct core_strides s = random_strides();
    struct target *g = &targets[t];
    size_t step = (size_t)(s.remote < 0 ? -s.remote : s.remote);
    while (step * s.nblocks > g->size / 2)
        s.nblocks /= 2;
    size_t span = step * s.nblocks, local_n = (size_t)s.local * s.nblocks;
    size_t low = place(t, span, 1, local_n), first = s.remote < 0 ? low + span - step : low, where = used;
    bool put = check_random_below(&rng, 2);
    unsigned char *from = take(local_n);
    if (!put && ordered)
        core_quiet(&flow);
    for (size_t i = 0; i < s.nblocks; i++) {
        unsigned char *model = g->model + first + (size_t)((ptrdiff_t)i * s.remote);
        if (put)
            memcpy(model, from + i * (size_t)s.local, s.bytes);
        else
            memcpy(expected + where + i * (size_t)s.local, model, s.bytes);
    }
    if (put)
        core_put_strided(&flow, g->pe, g->at + first, from, s);
    else
        core_get_strided(&flow, g->pe, results + where, g->at + first, s);
}

static uint64_t model_amo(unsigned char *object, struct core_amo a)
{
    uint64_t old = 0, all = a.width == 8 ? UINT64_MAX : UINT32_MAX, new;
    memcpy(&old, object, a.width);
    switch (a.op) {
    case CORE_AMO_SET:
    case CORE_AMO_SWAP:
        new = a.value;
        break;
    case CORE_AMO_CSWAP:
        new = old == (a.cond & all) ? a.value : old;
        break;
    case CORE_AMO_ADD:
        new = old + a.value;
        break;
    case CORE_AMO_AND:
        new = old &a.value;
        break;
    case CORE_AMO_OR:
        new = old | a.value;
        break;
    case CORE_AMO_XOR:
        new = old ^ a.value;
        break;
    default:
        new = old;
    }
    memcpy(object, &new, a.width);
    return old;
}

static void do_amo(unsigned t)
{
    struct core_amo a = {.op = (enum core_amo_op)check_random_below(&rng, CORE_AMO_OPS),
                         .width = check_random_below(&rng, 2) ? 8 : 4,
                         .value = check_random(&rng),
                         .cond = check_random(&rng)};
    struct target *g = &targets[t];
    size_t at = place(t, 8, 8, 8), where = used;
    bool wanted = a.op != CORE_AMO_SET && check_random_below(&rng, 2);
    take(8);
    memcpy(expected + where, results + where, 8);
    if (a.op == CORE_AMO_CSWAP && check_random_below(&rng, 2)) {
        a.cond = 0;
        memcpy(&a.cond, g->model + at, a.width);
    }
    uint64_t old = model_amo(g->model + at, a);
    bool program = check_random_below(&rng, 2); /* as a program's atomics are done */
    if (wanted && check_random_below(&rng, 2)) {
        uint64_t got = program ? core_atomic(&flow, g->pe, g->at + at, a) : core_amo(&flow, g->pe, g->at + at, a);
        EXPECT(got == old, "atomic %d of width %u: %llx, expected %llx", (int)a.op, a.width, (unsigned long long)got,
               (unsigned long long)old);
        return;
    }
    if (program)
        core_atomic_nbi(&flow, g->pe, g->at + at, a, wanted ? results + where : NULL);
    else
        core_amo_nbi(&flow, g->pe, g->at + at, a, wanted ? results + where : NULL);
    if (wanted)
        memcpy(expected + where, &old, a.width);
}

static void do_signal(unsigned t)
{
    struct target *g = &targets[t];
    size_t n = check_random_below(&rng, 8) ? random_size(g->size / 2) : 0, at = place(t, n + 16, 8, n);
    struct core_amo a = {
        .op = check_random_below(&rng, 2) ? CORE_AMO_SET : CORE_AMO_ADD, .width = 8, .value = check_random(&rng)};
    unsigned char *from = take(n);
    size_t signal = (at + n + 7) / 8 * 8;
    memcpy(g->model + at, from, n);
    model_amo(g->model + signal, a);
    core_put_signal(&flow, g->pe, g->at + at, from, n, (uint64_t *)(void *)(g->at + signal), a.op, a.value);
    memset(from, 0xee, n);
}

static void (*const operations[])(unsigned) = {do_put, do_get, do_strided, do_amo, do_signal, do_put, do_amo};

/* ------------------------------------------------------------- the runs -- */

static void verify(void)
{
    static unsigned char copy[SLAB];
    settle();
    for (unsigned t = 0; t < ntargets; t++) {
        struct target *g = &targets[t];
        core_get(&flow, g->pe, copy, g->at, g->size);
        for (size_t i = 0; i < g->size; i++)
            EXPECT(copy[i] == g->model[i], "byte %zu of slab %u at PE %d is %02x, expected %02x", i, t, g->pe, copy[i],
                   g->model[i]);
    }
}

static void run(bool in_order)
{
    ordered = in_order;
    for (int i = 0; i < ROUNDS; i++) {
        operations[check_random_below(&rng, sizeof operations / sizeof *operations)](
            (unsigned)check_random_below(&rng, ntargets));
        if (ordered)
            core_fence(&flow);
        if (check_random_below(&rng, 40) == 0)
            settle();
        if (check_random_below(&rng, 300) == 0)
            verify();
    }
    verify();
}

static void add_target(int pe, unsigned char *at, size_t size)
{
    targets[ntargets++] = (struct target){.pe = pe, .at = at, .model = calloc(1, size), .size = size};
}

int main(void)
{
    EXPECT(core_job_start(0) == 0, "start");
    EXPECT(core_size() <= MAX_PES, "%d PEs", core_size());
    rng = 77 + (uint64_t)core_me();
    heap = core_heap_alloc((size_t)core_size() * SLAB, 64);
    memset(heap, 0, (size_t)core_size() * SLAB);
    for (int pe = 0; pe < core_size(); pe++) {
        add_target(pe, heap + (size_t)core_me() * SLAB, SLAB);
        add_target(pe, globals[core_me()], SMALL);
    }
    core_job_barrier(__func__);
    run(false);
    core_job_barrier(__func__);
    run(true);
    core_flow_finish(&flow);
    core_job_barrier(__func__);
    core_job_finish();
    return 0;
}
