/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of spread arrays. Collective allocations are the symmetric heap's. For spread_malloc, which one PE calls
 * alone, a pool of symmetric memory is divided among the PEs: what a PE takes from its share is free on all others.
 */
#include "splitc/splitci.h"
#include "splitc/trace.h"

enum { POOL_SHARE = 8, GRAIN = 64 }; /* the pool is an eighth of the heap */

struct splitci_piece {
    size_t at, n;
    bool in_use;
    struct splitci_piece *next;
};

void *splitci_heap(size_t n, const char *call, const char *what)
{
    void *p = core_heap_alloc(n ? n : 1, 0);
    size_t in_use, largest, total;

    if (!p) {
        core_heap_stat(&in_use, &largest, &total);
        core_fatal("%s: no room for %zu bytes (%s) in the symmetric heap of PE %d: %zu of %zu bytes are in use, "
                   "SHMEM_SYMMETRIC_SIZE "
                   "sets its size",
                   call, n, what, core_me(), in_use, total);
    }
    return p;
}

void splitci_memory_start(void)
{
    size_t in_use, largest, total;

    core_heap_stat(&in_use, &largest, &total);
    splitci.pool.share = total / POOL_SHARE / (size_t)core_size() / GRAIN * GRAIN;
    splitci.pool.base = splitci.pool.share ? core_heap_alloc(splitci.pool.share * (size_t)core_size(), 0) : NULL;
    if (!splitci.pool.base)
        splitci.pool.share = 0;
}

/* Bytes on each processor. */
static size_t part(const char *call, size_t n, size_t bytes)
{
    size_t all;

    splitci_need_start(call);
    if (__builtin_mul_overflow(sc_rows(n), bytes, &all))
        core_finding_fatal(CORE_FINDING_ARGUMENT, SPLITCI_RULE, "%s: PE %d asks for %zu blocks of %zu bytes", call,
                           core_me(), n, bytes);
    return all;
}

static void meet(const char *call)
{
    sync();
    coll_barrier(COLL_WORLD, call);
    splitci_turn_compare();
}

/* Everybody has left what the memory was before: a peer's late access must not meet its next use. */
static void *collective(size_t n, const char *call, const char *name, const char *what)
{
    void *p = splitci_heap(n, name ? name : call, what);
    SPLITCI_TRACE(t, call, NULL);

    splitci_trace_together(&t, n);
    splitci_turn(call, name, n);
    meet(call);
    return p;
}

static void collective_free(void *p, const char *call)
{
    SPLITCI_TRACE(t, call, NULL);

    if (!p)
        return;
    splitci_trace_together(&t, 0);
    splitci_turn(call, NULL, 0);
    meet(call);
    if (core_heap_free(p) != 0)
        core_finding_fatal(CORE_FINDING_FREED, SPLITCI_RULE, "%s: PE %d: %p is no block in use (freed twice?)", call,
                           core_me(), p);
}

struct sc_spread all_spread_malloc(size_t n, size_t bytes)
{
    size_t all = part("all_spread_malloc", n, bytes);

    return sc_spread_of(0, collective(all, "all_spread_malloc", NULL, "a spread array"));
}

void all_spread_free(struct sc_spread array)
{
    splitci_need_start("all_spread_free");
    collective_free(array.addr, "all_spread_free");
}

void *all_malloc(size_t bytes)
{
    splitci_need_start("all_malloc");
    return collective(bytes, "all_malloc", NULL, "a block on each processor");
}

void all_free(void *p)
{
    splitci_need_start("all_free");
    collective_free(p, "all_free");
}

/* ------------------------------------------------------------ by one alone -- */

static struct splitci_piece *piece_new(size_t at, size_t n, struct splitci_piece *next)
{
    struct splitci_piece *p = malloc(sizeof *p);

    if (!p)
        core_fatal("spread_malloc: PE %d: out of memory", core_me());
    *p = (struct splitci_piece){.at = at, .n = n, .next = next};
    return p;
}

struct sc_spread spread_malloc(size_t n, size_t bytes)
{
    size_t all = (part("spread_malloc", n, bytes) + GRAIN) / GRAIN * GRAIN;
    struct splitci_piece *p;

    if (!splitci.pieces)
        splitci.pieces = piece_new(0, splitci.pool.share, NULL);
    for (p = splitci.pieces; p && (p->in_use || p->n < all); p = p->next)
        ;
    if (!p)
        core_fatal("spread_malloc: PE %d: no room for %zu bytes on each processor; all PEs together have an eighth of "
                   "the symmetric heap "
                   "(SHMEM_SYMMETRIC_SIZE), %zu bytes each",
                   core_me(), all, splitci.pool.share);
    if (p->n > all)
        p->next = piece_new(p->at + all, p->n - all, p->next);
    p->n = all;
    p->in_use = true;
    return sc_spread_of(0, splitci.pool.base + (size_t)core_me() * splitci.pool.share + p->at);
}

static void join(struct splitci_piece *p)
{
    struct splitci_piece *next = p->next;

    if (p->in_use || !next || next->in_use)
        return;
    p->n += next->n;
    p->next = next->next;
    free(next);
}

static void give_back(size_t at)
{
    struct splitci_piece *before = NULL, *p = splitci.pieces;

    for (; p && p->at != at; before = p, p = p->next)
        ;
    if (!p || !p->in_use)
        core_finding_fatal(CORE_FINDING_FREED, SPLITCI_RULE,
                           "spread_free: PE %d: no block in use starts there (freed twice?)", core_me());
    p->in_use = false;
    join(p);
    if (before)
        join(before);
}

static void freed_elsewhere(vnn_t src, am_word at)
{
    (void)src;
    give_back((size_t)at);
}

void spread_free(struct sc_spread array)
{
    size_t at = (size_t)(array.addr - splitci.pool.base);
    int owner;

    splitci_need_start("spread_free");
    if (!array.addr)
        return;
    if (!splitci.pool.share || at >= splitci.pool.share * (size_t)core_size())
        core_finding_fatal(CORE_FINDING_ARGUMENT, SPLITCI_RULE, "spread_free: PE %d: %p is not spread_malloc's",
                           core_me(), (void *)array.addr);
    owner = (int)(at / splitci.pool.share);
    if (owner == core_me())
        give_back(at % splitci.pool.share);
    else
        am_request_1(owner, freed_elsewhere, at % splitci.pool.share);
}

/* ------------------------------------------- arrays of the translated program -- */

void *sc_auto(size_t bytes, const char *name)
{
    splitci_need_start(name);
    return collective(bytes, "the automatic spread array", name, "an automatic spread array");
}

/* Others that are still in the array's scope may touch it. The next allocation's barrier keeps their accesses from the
 * memory's next use. */
void sc_auto_end(void *variable)
{
    void *p = *(void **)variable;

    if (core_heap_leave(p) != 0)
        core_finding_fatal(CORE_FINDING_FREED, SPLITCI_RULE, "PE %d: the automatic spread array at %p is gone already",
                           core_me(), p);
}

void *is_local(struct sc_global p)
{
    return p.addr ? splitci_near(p, "is_local", "is_local", 0) : NULL;
}
