/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions of long vectors on one node, from where they lie to where the result
 * goes. Each rank combines its piece of the vector, block by block, from the last
 * rank's contribution to the first's, and puts it to whoever wants it. Nobody
 * else reads a piece, so a result may overwrite a contribution.
 */
#include <stdlib.h>

#include "coll/block.h"

enum {
    BLOCK = 131072,      /* of what is read by a system call */
    LOADED_BLOCK = 16384 /* of what is read by loads: stays in the first cache */
};

struct direct {
    struct coll_block *n;
    const struct coll_block_call *c;
    uint64_t e;
    int to; /* the root, or COLL_BLOCK_ALL */
    char *own, *result; /* result: NULL where none is wanted */
    char *left, *acc;   /* room for a block each */
    int err;
};

static void note(struct direct *x, int err)
{
    if (MPT_UNLIKELY(err != 0))
        x->err = err;
}

/* Bytes [at, at + b) of a contribution: where they are, or copied to `room`. */
static const char *operand(struct direct *x, int r, int64_t at, int64_t b, char *room)
{
    struct coll_spot spot = coll_direct_spots(x->n, r, x->e)->in;

    if (r == x->n->rank)
        return x->own + at;
    if (spot.kind == COLL_SPOT_SHARED)
        return (char *)core_slice_at(x->n->pes[r], spot.at) + at;
    note(x, coll_direct_pull(x->n, r, spot, at, room, b, b));
    return room;
}

/* Where the result of a block is to be made. */
static char *place_of_result(const struct direct *x, int64_t at)
{
    struct coll_spot spot = {0};

    if (x->result)
        return x->result + at;
    spot = coll_direct_spots(x->n, x->to, x->e)->out;
    return spot.kind == COLL_SPOT_SHARED ? (char *)core_slice_at(x->n->pes[x->to], spot.at) + at : x->acc;
}

static void put(struct direct *x, int r, int64_t at, const char *block, int64_t b)
{
    note(x, coll_direct_push(x->n, r, coll_direct_spots(x->n, r, x->e)->out, at, block, b));
}

static void one_block(struct direct *x, int64_t at, int64_t b)
{
    const struct coll_layout *t = x->c->recv.layout;
    int last = x->n->size - 1;
    char *final = place_of_result(x, at);
    const char *right = operand(x, last, at, b, x->acc);

    /* Until the first rank's contribution comes, what is combined must not overwrite this rank's. */
    for (int r = last - 1; r >= 0; r--) {
        char *acc = r > 0 || !x->c->loop ? x->acc : final;

        coll_block_join(x->n, x->c, operand(x, r, at, b, x->left), right, acc, b / t->size);
        right = acc;
    }
    if (right != final)
        core_copy(final, right, (size_t)b);
    if (final == x->acc)
        put(x, x->to, at, right, b);
    for (int k = 1; x->to < 0 && k < x->n->size; k++)
        put(x, (x->n->rank + k) % x->n->size, at, final, b);
}

static int64_t block_of(const struct direct *x)
{
    bool loaded = true;
    int64_t size = x->c->recv.layout->size;

    for (int i = 0; i < x->n->size; i++)
        loaded = loaded && coll_direct_spots(x->n, i, x->e)->in.kind == COLL_SPOT_SHARED;
    return (loaded && size <= LOADED_BLOCK ? LOADED_BLOCK : BLOCK) / size * size;
}

/* Shares of the work: a root need not put its piece anywhere. */
static int64_t begins(const struct direct *x, int64_t count, int r)
{
    int64_t size = x->n->size, weight = x->to >= 0 ? size - 1 : 1, extra = x->to >= 0 ? 1 : 0;
    int64_t before = r * weight + (x->to >= 0 && r > x->to ? extra : 0), all = size * weight + extra;
    int64_t line = 4096 / x->c->recv.layout->size > 0 ? 4096 / x->c->recv.layout->size : 1;

    return r == size ? count : count / all * before / line * line;
}

static bool combine(struct coll_block *n, const struct coll_block_call *c, int to, int *err)
{
    struct coll_part own = coll_own(c), result = coll_whole(&c->recv);
    bool wants = to < 0 || to == n->rank;
    const struct coll_layout *t = c->recv.layout;
    int64_t from, end, block;
    struct direct x = {.n = n, .c = c, .to = to, .own = own.at, .result = wants ? result.at : NULL, .err = 0};

    if (!coll_direct_begin(n, c, &own, wants ? &result : NULL, coll_part_size(own), &x.e))
        return false;
    x.left = malloc(2 * BLOCK);
    if (!x.left)
        core_fatal("%s: out of memory", c->where); /* the other ranks would wait for ever */
    x.acc = x.left + BLOCK;
    block = block_of(&x);
    from = begins(&x, own.count, n->rank) * t->size;
    end = begins(&x, own.count, n->rank + 1) * t->size;
    for (; from < end; from += block)
        one_block(&x, from, end - from < block ? end - from : block);
    coll_direct_end(n, c, &x.err);
    free(x.left);
    *err = x.err;
    return true;
}

bool coll_direct_reduce(struct coll_block *n, const struct coll_block_call *c, int *err)
{
    return combine(n, c, c->root, err);
}

bool coll_direct_allreduce(struct coll_block *n, const struct coll_block_call *c, int *err)
{
    return combine(n, c, COLL_BLOCK_ALL, err);
}
