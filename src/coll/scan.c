/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefix reductions in rank order, inclusive or exclusive (rank 0 of an
 * exclusive scan gets zeros). Short vectors are folded from the slots; of long
 * ones PE i makes part i for all ranks in turn.
 */
#include <string.h>

#include "coll/internal.h"

void coll_scan_fold(struct coll_call *c, const void *vector(const struct coll_call *c, int rank))
{
    coll_op_fn *combine = coll_op_find(c->op, c->type);
    int terms = c->team->rank + (c->kind == COLL_INSCAN);
    if (terms == 0) {
        memset(c->dest, 0, c->n);
        return;
    }
    core_copy(c->dest, vector(c, 0), c->n);
    for (int r = 1; r < terms; r++)
        combine(c->dest, vector(c, r), c->dest, c->nelems);
}

static const void *published(const struct coll_call *c, int rank)
{
    return coll_published(c, rank);
}

bool coll_scan_slot(struct coll_call *c)
{
    if (c->phase++ == 0) {
        coll_publish(c, c->source, c->n);
        coll_sync_start(c, NULL);
    }
    if (!coll_sync_poll(c))
        return false;
    coll_scan_fold(c, published);
    return true;
}

enum { BLOCK = 4096 };

/* Ranks in order: read a rank's source before its dest is written (they may be
 * the same), carry the prefix in acc. */
static void scan_block(struct coll_call *c, size_t offset, size_t count, size_t element)
{
    _Alignas(64) char acc[BLOCK], own[BLOCK];
    size_t bytes = count * element;
    coll_op_fn *combine = coll_op_find(c->op, c->type);
    memset(acc, 0, bytes);
    for (int r = 0; r < c->team->size; r++) {
        char *dest = coll_at(c, r, (char *)c->dest + offset);
        core_copy(own, coll_at(c, r, (const char *)c->source + offset), bytes);
        if (c->kind == COLL_EXSCAN)
            core_copy(dest, acc, bytes);
        if (r == 0)
            core_copy(acc, own, bytes);
        else
            combine(acc, own, acc, count);
        if (c->kind == COLL_INSCAN)
            core_copy(dest, acc, bytes);
    }
}

bool coll_scan_chunks(struct coll_call *c)
{
    size_t size = (size_t)coll_workers(c->team), element = c->nelems ? c->n / c->nelems : 1, most = BLOCK / element;
    if (c->phase == 0) {
        coll_sync_start(c, NULL);
        c->phase = 1;
    }
    if (c->phase == 1) {
        if (!coll_sync_poll(c))
            return false;
        size_t part = (c->nelems + size - 1) / size, lo = (size_t)c->team->rank * part;
        size_t hi = lo + part < c->nelems ? lo + part : c->nelems;
        for (size_t at = lo; at < hi; at += most)
            scan_block(c, at * element, hi - at < most ? hi - at : most, element);
        coll_sync_start(c, NULL);
        c->phase = 2;
    }
    return coll_sync_poll(c);
}
