/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions whose result everybody gets, always combined in rank order, so
 * that floating-point results are the same on all PEs and operations need not
 * commute:
 *   doubling  a few words, a core for each PE: partners swap partial results,
 *             the value in the same cache line as its flag
 *   last      more PEs than cores: the last to arrive combines all
 *   slot      any number of PEs: everybody combines all that was published
 *   chunks    long vectors: PE i combines part i of all sources and stores it
 *             into all dests
 */
#include "coll/internal.h"

/* Combine what the others have published, for ranks [0, size), into acc. */
static void combine_slots(const struct coll_call *c, void *acc)
{
    coll_op_fn *combine = coll_op_find(c->op, c->type);
    core_copy(acc, coll_published(c, 0), c->n);
    for (int r = 1; r < c->team->size; r++)
        combine(acc, coll_published(c, r), acc, c->nelems);
}

/* own = own op other, or other op own when the other ranks are the lower ones. */
static void fold(const struct coll_call *c, void *own, const void *other, bool other_first)
{
    coll_op_find(c->op, c->type)(other_first ? other : own, other_first ? own : other, own, c->nelems);
}

/* The partial result travels in c->scratch, aligned; round r's partner is rank ^ 2^r. */
bool coll_reduce_doubling(struct coll_call *c)
{
    struct coll_team *t = c->team;
    if (c->phase == 0) {
        c->epoch = ++t->epoch;
        c->round = 0;
        __atomic_store_n(&t->sync->arrived, c->epoch, __ATOMIC_RELEASE);
        core_copy(c->scratch, c->source, c->n);
        c->phase = 1;
    }
    for (; 1 << c->round < t->size; c->round++, c->phase = 1) {
        int partner = t->rank ^ (1 << c->round);
        if (c->phase == 1) {
            struct coll_line *line = &coll_sync_of(t, partner)->line[c->epoch & 1][c->round];
            core_copy(line->payload, c->scratch, c->n);
            /* model: doubling.send */
            __atomic_store_n(&line->flag, c->epoch, __ATOMIC_RELEASE);
            coll_wake(t, partner);
            c->phase = 2;
        }
        struct coll_line *line = &t->sync->line[c->epoch & 1][c->round];
        /* model: doubling.poll */
        if (__atomic_load_n(&line->flag, __ATOMIC_ACQUIRE) != c->epoch)
            return false;
        _Alignas(16) char theirs[COLL_LINE_PAYLOAD];
        core_copy(theirs, line->payload, c->n);
        fold(c, c->scratch, theirs, partner < t->rank);
    }
    core_copy(c->dest, c->scratch, c->n);
    return true;
}

static void combine_into_result(struct coll_call *c)
{
    combine_slots(c, coll_sync_of(c->team, 0)->result[c->epoch & 1]);
}

bool coll_reduce_last(struct coll_call *c)
{
    if (c->phase++ == 0) {
        coll_publish(c, c->source, c->n);
        coll_sync_start(c, combine_into_result);
    }
    if (!coll_sync_poll(c))
        return false;
    core_copy(c->dest, coll_sync_of(c->team, 0)->result[c->epoch & 1], c->n);
    return true;
}

bool coll_reduce_slot(struct coll_call *c)
{
    if (c->phase++ == 0) {
        coll_publish(c, c->source, c->n);
        coll_sync_start(c, NULL);
    }
    if (!coll_sync_poll(c))
        return false;
    combine_slots(c, c->dest);
    return true;
}

/* Elements [lo, hi) of the vector are this PE's to combine. */
static void combine_chunk(struct coll_call *c, size_t lo, size_t hi)
{
    enum { BLOCK = 8192 };
    _Alignas(64) char acc[BLOCK];
    size_t element = c->n / c->nelems, most = BLOCK / element;
    coll_op_fn *combine = coll_op_find(c->op, c->type);
    for (size_t at = lo; at < hi; at += most) {
        size_t count = hi - at < most ? hi - at : most;
        const char *source = (const char *)c->source + at * element;
        char *dest = (char *)c->dest + at * element;
        core_copy(acc, coll_at(c, 0, source), count * element);
        for (int r = 1; r < c->team->size; r++)
            combine(acc, coll_at(c, r, source), acc, count);
        for (int r = 0; r < c->team->size; r++)
            core_copy(coll_at(c, r, dest), acc, count * element);
    }
}

/* Part i of all sources is read only by PE i, before it writes part i of all
 * dests: source and dest may be the same array. */
bool coll_reduce_chunks(struct coll_call *c)
{
    size_t size = (size_t)coll_workers(c->team), rank = (size_t)c->team->rank;
    if (c->phase == 0) {
        coll_sync_start(c, NULL);
        c->phase = 1;
    }
    if (c->phase == 1) {
        if (!coll_sync_poll(c))
            return false;
        size_t part = (c->nelems + size - 1) / size, lo = rank * part, hi = lo + part;
        if (lo < c->nelems)
            combine_chunk(c, lo, hi < c->nelems ? hi : c->nelems);
        coll_sync_start(c, NULL);
        c->phase = 2;
    }
    return coll_sync_poll(c);
}
