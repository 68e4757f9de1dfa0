/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The two halves of short collectives (block_half.h). Broadcasts are also bodies of
 * their own: as long as the root's data is no longer than this member expects, what
 * they do is the same (block_move.c).
 */
#include "coll/block_half.h"

static void barrier(struct coll_block *n, const struct coll_block_call *c, struct coll_block_half *h)
{
    *h = (struct coll_block_half){.e = coll_block_enter(n, 0, c->where), .from = COLL_BLOCK_ALL};
    coll_block_post(n, h->e, 0, COLL_BLOCK_ALL);
}

static void broadcast(struct coll_block *n, const struct coll_block_call *c, struct coll_block_half *h)
{
    struct coll_part p = coll_whole(&c->recv);
    int64_t bytes = coll_part_size(p);

    *h = (struct coll_block_half){.e = coll_block_enter(n, 0, c->where), .from = c->root};
    if (n->rank != c->root)
        return;
    coll_block_put(n, coll_block_slot(n, c->root, h->e, bytes), p, 0, bytes);
    coll_block_post(n, h->e, bytes, COLL_BLOCK_OTHERS);
    h->from = COLL_BLOCK_NONE;
}

static bool is_short(const struct coll_block_call *c)
{
    return c->recv.layout->dense && c->recv.count * c->recv.layout->size <= COLL_BLOCK_INLINE;
}

/* Not of the program's operations: they may do what they like. */
static bool is_short_reduction(const struct coll_block_call *c)
{
    return c->loop && c->recv.count > 0 && is_short(c);
}

static int root_of(const struct coll_block_call *c)
{
    return c->kind == COLL_REDUCE ? c->root : COLL_BLOCK_ALL;
}

bool coll_block_half_begin(struct coll_block *n, const struct coll_block_call *c, struct coll_block_half *h)
{
    if (!coll_block_may_enter(n))
        return false;
    switch (c->kind) {
    case COLL_BARRIER:
        barrier(n, c, h);
        return true;
    case COLL_BROADCAST:
        if (!is_short(c))
            return false;
        broadcast(n, c, h);
        return true;
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
        if (!is_short_reduction(c))
            return false;
        coll_block_reduce_begin(n, c, root_of(c), h);
        return true;
    default:
        return false;
    }
}

static inline bool has_posted(const struct coll_block *n, int member, uint64_t e, int looks)
{
    const uint64_t *word = &n->shared->member[member].post[e % COLL_BLOCK_POSTS].epoch;

    do {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == e)
            return true;
    } while (--looks > 0);
    return false;
}

static bool all_have_posted(const struct coll_block *n, const struct coll_block_call *c, uint64_t e, int looks)
{
    for (int i = 0; i < n->size; i++)
        if (i != n->rank && !has_posted(n, i, e, looks))
            return false;
    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            coll_block_check_call(n, i, e, c->where);
    return true;
}

bool coll_block_half_ready(const struct coll_block *n, const struct coll_block_call *c, const struct coll_block_half *h,
                           int looks)
{
    if (h->from >= 0) {
        if (!has_posted(n, h->from, h->e, looks))
            return false;
        coll_block_check_call(n, h->from, h->e, c->where);
        return true;
    }
    if (h->from == COLL_BLOCK_NONE)
        return true;
    if (n->crowded)
        /* model: block.released */
        return __atomic_load_n(&n->shared->meet[h->e % COLL_BLOCK_POSTS].released, __ATOMIC_ACQUIRE) == h->e;
    return all_have_posted(n, c, h->e, looks);
}

bool coll_block_half_alike(const struct coll_block *n, const struct coll_block_call *c, const struct coll_block_half *h)
{
    const int64_t bytes = c->kind == COLL_BARRIER ? 0 : c->recv.count * c->recv.layout->size;

    if (h->from >= 0)
        return coll_block_total(n, h->from, h->e) == bytes;
    for (int i = 0; h->from == COLL_BLOCK_ALL && c->kind != COLL_BARRIER && i < n->size; i++)
        if (i != n->rank && coll_block_total(n, i, h->e) != bytes)
            return false;
    return h->err == 0;
}

bool coll_block_half_end(struct coll_block *n, const struct coll_block_call *c, const struct coll_block_half *h,
                         int *err)
{
    int64_t bytes;

    *err = h->err;
    if (c->kind == COLL_REDUCE || c->kind == COLL_ALLREDUCE) {
        *err = coll_block_reduce_end(n, c, root_of(c), h);
    } else if (c->kind == COLL_BROADCAST && h->from >= 0) {
        bytes = c->recv.count * c->recv.layout->size;
        if (MPT_UNLIKELY(coll_block_total(n, c->root, h->e) != bytes)) {
            n->epoch--; /* this member has posted nothing: it can begin again */
            return false;
        }
        coll_block_get(n, coll_whole(&c->recv), 0, coll_block_slot(n, c->root, h->e, bytes), bytes);
    }
    return true;
}
