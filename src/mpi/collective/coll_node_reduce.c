/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions on one node. Contributions are posted packed; who combines folds
 * them from the last rank to the first, which keeps rank order and is the same
 * bracketing wherever it is done. Long vectors are divided among the ranks,
 * which post their pieces of the result in a second hand-over.
 */
#include <stdlib.h>

#include "mpi/collective/coll_node.h"

enum {
    ALL_COMBINE = 4096, /* up to here everybody (or the root) combines alone */
    TWO_COMBINE = 65536, /* where there are only two */
    BLOCK = 8192,       /* bytes that are folded at a time: they stay in the first cache */
};

struct reduction {
    struct mpii_node *n;
    const struct mpii_coll_call *c;
    struct mpii_part own, result;
    MPI_Count chunk; /* elements of a hand-over */
    MPI_Count block; /* elements of a block */
    bool direct;           /* the own contribution is read where it is, not from the slot */
    int err;
    char *room, *unpacked; /* types with gaps: a block as it lies in memory */
    char *room2, *acc;     /* and a chunk */
};

static MPI_Count least(MPI_Count a, MPI_Count b)
{
    return a < b ? a : b;
}

static char *typed_room(const struct mpii_type *t, MPI_Count count, char **at)
{
    MPI_Count last = (count - 1) * t->extent, low = last < 0 ? last : 0, high = last > 0 ? last : 0;
    char *room = malloc((size_t)(high - low + t->true_extent) + 16);

    *at = room ? room - low - t->true_lb : NULL;
    return room;
}

/* Is there anything to do, and in which portions? */
static int begin(struct reduction *x, struct mpii_node *n, const struct mpii_coll_call *c, MPI_Count count, bool wide)
{
    struct mpii_type *t = c->recv.type;

    *x = (struct reduction){.n = n, .c = c, .own = mpii_coll_own(c), .result = mpii_coll_whole(&c->recv)};
    x->own.count = count;
    if (count == 0 || t->size == 0)
        return MPI_SUCCESS;
    x->chunk = (wide ? NODE_WIDE : NODE_CHUNK) / t->size;
    x->block = t->size < BLOCK ? BLOCK / t->size : 1;
    if (t->dense)
        return MPI_SUCCESS;
    x->room = typed_room(t, least(x->chunk, count), &x->unpacked);
    x->room2 = typed_room(t, least(x->chunk, count), &x->acc);
    if (!x->room || !x->room2)
        core_fatal("%s: out of memory", c->call); /* the other ranks would wait for ever */
    return MPI_SUCCESS;
}

static int end(struct reduction *x)
{
    free(x->room);
    free(x->room2);
    return x->err;
}

static char *slot_of(const struct reduction *x, int member, uint64_t e, MPI_Count elements)
{
    return mpii_node_slot(x->n, member, e, elements * x->own.type->size);
}

static void *element(struct mpii_part p, MPI_Count i)
{
    return (char *)p.at + i * p.type->extent;
}

/* Elements [at, at + m) of the own contribution to a slot, but for `skip` of them from `from`. */
static uint64_t hand_in_only(struct reduction *x, MPI_Count at, MPI_Count m, MPI_Count from, MPI_Count skip)
{
    MPI_Count size = x->own.type->size;
    uint64_t e = mpii_node_enter(x->n, m * size, x->c->call);
    char *slot = slot_of(x, x->n->rank, e, m);

    if (from > 0)
        mpii_node_put(slot, x->own, at * size, from * size);
    if (m > from + skip)
        mpii_node_put(slot + (from + skip) * size, x->own, (at + from + skip) * size, (m - from - skip) * size);
    return e;
}

/* And post it. */
static uint64_t hand_in(struct reduction *x, MPI_Count at, MPI_Count m, MPI_Count from, MPI_Count skip, int to)
{
    uint64_t e = hand_in_only(x, at, m, from, skip);

    mpii_node_post(x->n, e, x->own.count * x->own.type->size, to);
    return e;
}

/* A fold: elements [first, first + m) of those that begin at `at` and were posted in e, `of` by each rank. */
struct fold {
    uint64_t e;
    MPI_Count at, of, first, m;
};

/* Rank r's k elements from the s-th of the fold, as they lie in memory. */
static const void *operand(struct reduction *x, const struct fold *f, int r, MPI_Count s, MPI_Count k)
{
    struct mpii_type *t = x->own.type;
    char *in;

    if (x->direct && r == x->n->rank)
        return element(x->own, f->at + f->first + s);
    in = slot_of(x, r, f->e, f->of) + (f->first + s) * t->size;
    if (t->dense)
        return in;
    mpii_unpack(x->unpacked, k, t, 0, in, k * t->size);
    return x->unpacked;
}

/* Would the first combination overwrite the own contribution before it is used? A user's function finds the right operand
 * copied to where the result goes. */
static bool must_save(const struct reduction *x, int ranks, const void *own, const void *acc)
{
    int combined = x->c->op->function ? ranks - 1 : ranks - 2; /* first */

    return own == acc && x->n->rank < combined;
}

/* to = x[0] op (x[1] op ... x[ranks - 1]), block by block. */
static void fold(struct reduction *x, void *to, int ranks, const struct fold *f)
{
    struct mpii_type *t = x->own.type;
    _Alignas(16) char saved[BLOCK];

    if (MPT_UNLIKELY(x->n->broken))
        return; /* no operation sees what was not contributed */
    for (MPI_Count s = 0; s < f->m; s += x->block) {
        MPI_Count k = least(x->block, f->m - s);
        char *acc = (char *)to + s * t->extent;
        const void *own = x->direct ? operand(x, f, x->n->rank, s, k) : NULL, *right = acc;

        if (must_save(x, ranks, own, acc)) {
            core_copy(saved, own, (size_t)(k * t->size));
            own = saved;
        }
        if (x->direct && x->n->rank == ranks - 1)
            right = own;
        else if (t->dense)
            right = operand(x, f, ranks - 1, s, k);
        else
            mpii_unpack(acc, k, t, 0, slot_of(x, ranks - 1, f->e, f->of) + (f->first + s) * t->size, k * t->size);
        if (ranks == 1 && right != acc)
            core_copy(acc, right, (size_t)(k * t->size));
        for (int r = ranks - 2; r >= 0; r--) {
            mpii_op_join(x->c->op, x->direct && r == x->n->rank ? own : operand(x, f, r, s, k), right, acc, k, t);
            right = acc;
        }
    }
}

/* Do all give as much as this rank? Where they don't nothing is combined. */
static int check_posted(struct mpii_node *n, uint64_t e, MPI_Count bytes)
{
    MPI_Count different = 0, total;
    int other = -1;

    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            different |= mpii_node_total(n, i, e) ^ bytes;
    if (MPT_LIKELY(!different))
        return MPI_SUCCESS;
    for (int i = 0; i < n->size; i++)
        if (i != n->rank && mpii_node_total(n, i, e) != bytes && (other < 0 || mpii_node_total(n, i, e) > mpii_node_total(n, other, e)))
            other = i;
    total = mpii_node_total(n, other, e);
    n->unlike = (struct mpii_unlike){true, other, bytes, total & (NODE_SPOTS - 1), total > bytes};
    return total > bytes ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT;
}

/* The same in a step of a reduction. */
static bool all_posted(struct reduction *x, uint64_t e)
{
    int err = check_posted(x->n, e, x->own.count * x->own.type->size);

    if (MPT_UNLIKELY(err != MPI_SUCCESS))
        x->err = err;
    return err == MPI_SUCCESS;
}

/* Nothing to reduce here: the others may have something. */
static int reduce_nothing(struct mpii_node *n, const struct mpii_coll_call *c, int to)
{
    uint64_t e = mpii_node_enter(n, 0, c->call);

    if (n->rank == to)
        mpii_node_arrive(n, e);
    else
        mpii_node_post(n, e, 0, to);
    if (to >= 0 && n->rank != to)
        return MPI_SUCCESS;
    mpii_node_wait_all(n, e, c->call);
    return check_posted(n, e, 0);
}

/* Piece r of m elements */
static MPI_Count piece_begins(const struct reduction *x, MPI_Count m, int r)
{
    return m / x->n->size * r + least(m % x->n->size, r);
}

/* Second hand-over: each rank combines its piece of the m elements at `at` and posts it; takers put all together. */
static void in_pieces(struct reduction *x, uint64_t e, MPI_Count at, MPI_Count m, int to)
{
    struct mpii_node *n = x->n;
    struct mpii_type *t = x->own.type;
    MPI_Count first = piece_begins(x, m, n->rank), mine = piece_begins(x, m, n->rank + 1) - first;
    struct fold f = {e, at, m, first, mine};
    uint64_t e2 = mpii_node_reserve(n, mine * t->size, x->c->call);
    char *slot = slot_of(x, n->rank, e2, mine);

    if (MPT_UNLIKELY(x->err != MPI_SUCCESS)) {
        /* the others still wait for this rank */
    } else if (mine > 0 && t->dense) {
        fold(x, slot, n->size, &f);
    } else if (mine > 0) {
        fold(x, x->acc, n->size, &f);
        mpii_pack(slot, x->acc, mine, t, 0, mine * t->size);
    }
    mpii_node_begin(n, e2);
    mpii_node_post(n, e2, 0, to);
    if (to >= 0 && n->rank != to)
        return;
    mpii_node_wait_all(n, e2, x->c->call);
    for (int k = 0; x->err == MPI_SUCCESS && k < n->size; k++) {
        int r = (n->rank + k) % n->size;
        MPI_Count from = piece_begins(x, m, r), many = piece_begins(x, m, r + 1) - from;

        if (many > 0)
            mpii_node_get(mpii_part_of(x->result, at + from, many), 0, slot_of(x, r, e2, many), many * t->size);
    }
}

/* May the own contribution be read in place? It is saved by blocks where the result is to overwrite it. */
static bool reads_own(const struct mpii_type *t)
{
    return t->dense && t->size > 0 && t->size <= BLOCK;
}

static int reduce_divided(struct mpii_node *n, const struct mpii_coll_call *c, int to)
{
    MPI_Count count = c->recv.count;
    struct reduction x;

    begin(&x, n, c, count, true);
    x.direct = reads_own(c->recv.type);
    for (MPI_Count at = 0; at < count; at += x.chunk) {
        MPI_Count m = least(x.chunk, count - at), from = piece_begins(&x, m, n->rank);
        MPI_Count skip = x.direct ? piece_begins(&x, m, n->rank + 1) - from : 0;
        uint64_t e = hand_in(&x, at, m, from, skip, MPII_NODE_ALL);

        mpii_node_wait_all(n, e, c->call);
        all_posted(&x, e);
        in_pieces(&x, e, at, m, to);
    }
    return end(&x);
}

/* A root alone combines while the others hand in: with two ranks, or two cores for all, nobody is idle then. */
static bool worth_dividing(const struct mpii_node *n, MPI_Count bytes, int to)
{
    if (to >= 0)
        return n->size > 2 && !n->few_cores && bytes > ALL_COMBINE;
    return bytes > (n->size > 2 ? ALL_COMBINE : TWO_COMBINE);
}

/* Everybody's small contribution, combined to `to`; the own one may be still where it was. */
static void fold_small(struct mpii_node *n, const struct mpii_coll_call *c, uint64_t e, MPI_Count bytes, const void *own, void *to)
{
    const void *right = n->rank == n->size - 1 ? own : mpii_node_slot(n, n->size - 1, e, bytes);
    _Alignas(16) char acc[NODE_INLINE];

    if (MPT_UNLIKELY(n->broken))
        return;
    for (int r = n->size - 2; r >= 0; r--) {
        mpii_op_join(c->op, r == n->rank ? own : mpii_node_slot(n, r, e, bytes), right, acc, c->recv.count, c->recv.type);
        right = acc;
    }
    core_copy(to, right, (size_t)bytes);
}

/* What travels in the flags' lines, in a straight line. */
static int reduce_small(struct mpii_node *n, const struct mpii_coll_call *c, int to, MPI_Count bytes)
{
    const void *own = c->in_place ? c->recv.buf : c->send.buf;
    uint64_t e = mpii_node_enter(n, 0, c->call);
    char *made = n->shared->meet[e % NODE_POSTS].data;
    int err = MPI_SUCCESS;

    if (n->rank == to) {
        mpii_node_arrive(n, e);
    } else {
        core_copy(mpii_node_slot(n, n->rank, e, bytes), own, (size_t)bytes);
        if (to < 0 && n->crowded) {
            if (mpii_node_post_last(n, e, bytes)) {
                if ((err = check_posted(n, e, bytes)) == MPI_SUCCESS)
                    fold_small(n, c, e, bytes, own, made);
                mpii_node_release(n, e);
            }
            mpii_node_wait_all(n, e, c->call);
            core_copy(c->recv.buf, made, (size_t)bytes);
            return err;
        }
        mpii_node_post(n, e, bytes, to);
        if (to >= 0)
            return MPI_SUCCESS;
    }
    mpii_node_wait_all(n, e, c->call);
    if ((err = check_posted(n, e, bytes)) == MPI_SUCCESS)
        fold_small(n, c, e, bytes, own, c->recv.buf);
    return err;
}

/* Where cores are few, the last to arrive combines for all: a second hand-over would cost each another turn on a core. The
 * result lies where the last rank's contribution was. */
static int reduce_by_last(struct mpii_node *n, const struct mpii_coll_call *c)
{
    struct mpii_type *t = c->recv.type;
    MPI_Count count = c->recv.count, bytes = count * t->size;
    struct reduction x;
    uint64_t e;
    char *made;

    begin(&x, n, c, count, false);
    e = hand_in_only(&x, 0, count, 0, 0);
    if (mpii_node_post_last(n, e, bytes)) {
        made = slot_of(&x, n->size - 1, e, count);
        if (all_posted(&x, e))
            fold(&x, made, n->size, &(struct fold){.e = e, .of = count, .m = count});
        mpii_node_release(n, e);
    }
    mpii_node_wait_all(n, e, c->call);
    mpii_node_get(x.result, 0, slot_of(&x, n->size - 1, e, count), bytes);
    return end(&x);
}

/* to: the root, or MPII_NODE_ALL */
static int reduce(struct mpii_node *n, const struct mpii_coll_call *c, int to)
{
    MPI_Count count = c->recv.count;
    struct reduction x;

    if (count * c->recv.type->size <= NODE_INLINE && c->recv.type->dense)
        return reduce_small(n, c, to, count * c->recv.type->size);
    if (count * c->recv.type->size == 0)
        return reduce_nothing(n, c, to);
    if (to < 0 && n->few_cores && c->recv.type->dense && count * c->recv.type->size <= NODE_CHUNK)
        return reduce_by_last(n, c);
    if (worth_dividing(n, count * c->recv.type->size, to))
        return reduce_divided(n, c, to);
    begin(&x, n, c, count, false);
    x.direct = reads_own(c->recv.type);
    for (MPI_Count at = 0; x.chunk > 0 && at < count; at += x.chunk) {
        struct fold f = {.at = at, .of = least(x.chunk, count - at), .m = least(x.chunk, count - at)};

        if (x.direct && to == n->rank) { /* nobody else reads it */
            f.e = mpii_node_enter(n, 0, c->call);
            mpii_node_arrive(n, f.e);
        } else {
            f.e = hand_in(&x, at, f.m, 0, 0, to);
        }
        if (to >= 0 && n->rank != to)
            continue;
        mpii_node_wait_all(n, f.e, c->call);
        if (all_posted(&x, f.e))
            fold(&x, element(x.result, at), n->size, &f);
    }
    return end(&x);
}

int mpii_node_reduce(struct mpii_node *n, const struct mpii_coll_call *c)
{
    return reduce(n, c, c->root);
}

int mpii_node_allreduce(struct mpii_node *n, const struct mpii_coll_call *c)
{
    return reduce(n, c, MPII_NODE_ALL);
}

/* Both scans: what is folded ends with this rank or before it. */
int mpii_node_scan(struct mpii_node *n, const struct mpii_coll_call *c)
{
    MPI_Count count = c->recv.count;
    int ranks = c->kind == MPII_SCAN ? n->rank + 1 : n->rank;
    struct reduction x;

    begin(&x, n, c, count, false);
    if (x.chunk == 0)
        return reduce_nothing(n, c, MPII_NODE_ALL);
    for (MPI_Count at = 0; x.chunk > 0 && at < count; at += x.chunk) {
        struct fold f = {.at = at, .of = least(x.chunk, count - at), .m = least(x.chunk, count - at)};

        f.e = hand_in(&x, at, f.m, 0, 0, MPII_NODE_ALL);
        mpii_node_wait_all(n, f.e, c->call);
        if (all_posted(&x, f.e) && ranks > 0)
            fold(&x, element(x.result, at), ranks, &f);
    }
    return end(&x);
}

/* The ranks' parts one after the other are one vector; each folds what is its own. In place the results would overwrite what
 * is still to be posted: they go to memory of their own first. */
int mpii_node_reduce_scatter(struct mpii_node *n, const struct mpii_coll_call *c)
{
    MPI_Count total = 0, begins = 0, mine = 0;
    struct mpii_part result = {c->recv.buf, 0, c->recv.type};
    struct reduction x;
    char *room = NULL;

    for (int i = 0; i < n->size; i++) {
        MPI_Count k = c->recv.counts ? mpii_int_at(c->recv.counts, i, c->wide) : c->recv.count;

        begins += i < n->rank ? k : 0;
        mine = i == n->rank ? k : mine;
        total += k;
    }
    begin(&x, n, c, total, true);
    if (x.chunk == 0)
        return reduce_nothing(n, c, MPII_NODE_ALL);
    if (c->in_place && mine > 0 && !(room = typed_room(result.type, mine, (char **)&result.at)))
        core_fatal("%s: out of memory", c->call);
    for (MPI_Count at = 0; x.chunk > 0 && at < total; at += x.chunk) {
        MPI_Count m = least(x.chunk, total - at), from = begins > at ? begins : at, to = least(begins + mine, at + m);
        struct fold f = {.at = at, .of = m, .first = from - at, .m = to - from};

        f.e = hand_in(&x, at, m, 0, 0, MPII_NODE_ALL);
        mpii_node_wait_all(n, f.e, c->call);
        if (all_posted(&x, f.e) && from < to)
            fold(&x, element(result, from - begins), n->size, &f);
    }
    if (room)
        mpii_copy(c->recv.buf, mine, result.type, result.at, mine, result.type);
    free(room);
    return end(&x);
}
