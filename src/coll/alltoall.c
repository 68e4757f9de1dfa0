/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All-to-all exchange, contiguous or strided: every PE copies its block out of
 * everybody's source, beginning with its right neighbour's.
 */
#include "coll/internal.h"

static const void *at_rank(const struct coll_call *c, int rank, const void *p)
{
    return rank == c->team->rank ? p : coll_at(c, rank, p);
}

static void move_block(struct coll_call *c, int from, int to)
{
    ptrdiff_t element = (ptrdiff_t)c->n, count = (ptrdiff_t)c->nelems;
    char *dest = (char *)(uintptr_t)at_rank(c, to, c->dest) + from * count * c->dest_step * element;
    const char *source = (const char *)at_rank(c, from, c->source) + to * count * c->source_step * element;
    if (c->dest_step == 1 && c->source_step == 1)
        core_copy(dest, source, (size_t)(count * element));
    else
        core_copy_strided(dest, c->dest_step * element, source, c->source_step * element, c->n, c->nelems);
}

/* coll_many: a few workers move all blocks, each those to its share of the ranks. */
static void move_share(struct coll_call *c)
{
    int64_t size = c->team->size, rank = c->team->rank, workers = coll_workers(c->team);
    for (int64_t to = size * rank / workers; rank < workers && to < size * (rank + 1) / workers; to++)
        for (int from = 0; from < size; from++)
            move_block(c, from, (int)to);
}

bool coll_alltoall_pull(struct coll_call *c)
{
    int size = c->team->size;
    if (c->phase == 0) {
        coll_sync_start(c, NULL);
        c->phase = 1;
    }
    if (c->phase == 1) {
        if (!coll_sync_poll(c))
            return false;
        if (coll_many(c->team))
            move_share(c);
        for (int i = 1; i <= size && !coll_many(c->team); i++) {
            int r = c->team->rank + i;
            move_block(c, r < size ? r : r - size, c->team->rank);
        }
        coll_sync_start(c, NULL);
        c->phase = 2;
    }
    return coll_sync_poll(c);
}
