/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions on one node. Contributions are posted packed; who combines folds
 * them from the last rank to the first, which keeps rank order and is the same
 * bracketing wherever it is done. Long vectors are divided among the ranks,
 * which post their pieces of the result in a second hand-over.
 */
#include <stdlib.h>

#include "core/base/number.h"
#include "coll/block_half.h"

enum {
    ALL_COMBINE = 4096, /* up to here everybody (or the root) combines alone */
    TWO_COMBINE = 65536, /* where there are only two */
    BLOCK = 8192,       /* bytes that are folded at a time: they stay in the first cache */
};

struct reduction {
    struct coll_block *n;
    const struct coll_block_call *c;
    struct coll_part own, result;
    int64_t chunk; /* elements of a hand-over */
    int64_t block; /* elements of a block */
    bool direct;           /* the own contribution is read where it is, not from the slot */
    int err;
    char *room, *unpacked; /* types with gaps: a block as it lies in memory */
    char *room2, *acc;     /* and a chunk */
};

static char *typed_room(const struct coll_layout *t, int64_t count, char **at)
{
    int64_t last = (count - 1) * t->extent, low = last < 0 ? last : 0, high = last > 0 ? last : 0;
    char *room = malloc((size_t)(high - low + t->true_extent) + 16);

    *at = room ? room - low - t->true_lb : NULL;
    return room;
}

/* Is there anything to do, and in which portions? */
static int begin(struct reduction *x, struct coll_block *n, const struct coll_block_call *c, int64_t count, bool wide)
{
    const struct coll_layout *t = c->recv.layout;

    *x = (struct reduction){.n = n, .c = c, .own = coll_own(c), .result = coll_whole(&c->recv)};
    x->own.count = count;
    if (count == 0 || t->size == 0)
        return 0;
    x->chunk = (wide ? COLL_BLOCK_WIDE : COLL_BLOCK_CHUNK) / t->size;
    x->block = t->size < BLOCK ? BLOCK / t->size : 1;
    if (t->dense)
        return 0;
    x->room = typed_room(t, core_min_signed(x->chunk, count), &x->unpacked);
    x->room2 = typed_room(t, core_min_signed(x->chunk, count), &x->acc);
    if (!x->room || !x->room2)
        core_fatal("%s: out of memory", c->where); /* the other ranks would wait for ever */
    return 0;
}

static int end(struct reduction *x)
{
    free(x->room);
    free(x->room2);
    return x->err;
}

static char *slot_of(const struct reduction *x, int member, uint64_t e, int64_t elements)
{
    return coll_block_slot(x->n, member, e, elements * x->own.layout->size);
}

static void *element(struct coll_part p, int64_t i)
{
    return (char *)p.at + i * p.layout->extent;
}

/* Elements [at, at + m) of the own contribution to a slot, but for `skip` of them from `from`. */
static uint64_t hand_in_only(struct reduction *x, int64_t at, int64_t m, int64_t from, int64_t skip)
{
    int64_t size = x->own.layout->size;
    uint64_t e = coll_block_enter(x->n, m * size, x->c->where);
    char *slot = slot_of(x, x->n->rank, e, m);

    if (from > 0)
        coll_block_put(x->n, slot, x->own, at * size, from * size);
    if (m > from + skip)
        coll_block_put(x->n, slot + (from + skip) * size, x->own, (at + from + skip) * size, (m - from - skip) * size);
    return e;
}

/* And post it. */
static uint64_t hand_in(struct reduction *x, int64_t at, int64_t m, int64_t from, int64_t skip, int to)
{
    uint64_t e = hand_in_only(x, at, m, from, skip);

    coll_block_post(x->n, e, x->own.count * x->own.layout->size, to);
    return e;
}

/* A fold: elements [first, first + m) of those that begin at `at` and were posted in e, `of` by each rank. */
struct fold {
    uint64_t e;
    int64_t at, of, first, m;
};

/* Rank r's k elements from the s-th of the fold, as they lie in memory. */
static const void *operand(struct reduction *x, const struct fold *f, int r, int64_t s, int64_t k)
{
    const struct coll_layout *t = x->own.layout;
    char *in;

    if (x->direct && r == x->n->rank)
        return element(x->own, f->at + f->first + s);
    in = slot_of(x, r, f->e, f->of) + (f->first + s) * t->size;
    if (t->dense)
        return in;
    x->n->face->unpack((struct coll_part){x->unpacked, k, t}, 0, in, k * t->size);
    return x->unpacked;
}

/* Would the first combination overwrite the own contribution before it is used? The face's function may find the right
 * operand copied to where the result goes. */
static bool must_save(const struct reduction *x, int ranks, const void *own, const void *acc)
{
    int combined = x->c->loop ? ranks - 2 : ranks - 1; /* first */

    return own == acc && x->n->rank < combined;
}

/* to = x[0] op (x[1] op ... x[ranks - 1]), block by block. */
static void fold(struct reduction *x, void *to, int ranks, const struct fold *f)
{
    const struct coll_layout *t = x->own.layout;
    _Alignas(16) char saved[BLOCK];

    if (MPT_UNLIKELY(x->n->broken))
        return; /* no operation sees what was not contributed */
    for (int64_t s = 0; s < f->m; s += x->block) {
        int64_t k = core_min_signed(x->block, f->m - s);
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
            x->n->face->unpack((struct coll_part){acc, k, t}, 0,
                               slot_of(x, ranks - 1, f->e, f->of) + (f->first + s) * t->size, k * t->size);
        if (ranks == 1 && right != acc)
            core_copy(acc, right, (size_t)(k * t->size));
        for (int r = ranks - 2; r >= 0; r--) {
            coll_block_join(x->n, x->c, x->direct && r == x->n->rank ? own : operand(x, f, r, s, k), right, acc, k);
            right = acc;
        }
    }
}

/* Do all give as much as this rank? Where they don't nothing is combined. */
static int check_posted(struct coll_block *n, uint64_t e, int64_t bytes)
{
    int64_t different = 0, total;
    int other = -1;

    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            different |= coll_block_total(n, i, e) ^ bytes;
    if (MPT_LIKELY(!different))
        return 0;
    for (int i = 0; i < n->size; i++)
        if (i != n->rank && coll_block_total(n, i, e) != bytes &&
            (other < 0 || coll_block_total(n, i, e) > coll_block_total(n, other, e)))
            other = i;
    total = coll_block_total(n, other, e);
    n->unlike = (struct coll_unlike){true, other, bytes, total & (COLL_BLOCK_SPOTS - 1), total > bytes};
    return total > bytes ? COLL_TRUNCATED : COLL_UNEQUAL;
}

/* The same in a step of a reduction. */
static bool all_posted(struct reduction *x, uint64_t e)
{
    int err = check_posted(x->n, e, x->own.count * x->own.layout->size);

    if (MPT_UNLIKELY(err != 0))
        x->err = err;
    return err == 0;
}

/* Nothing to reduce here: the others may have something. */
static int reduce_nothing(struct coll_block *n, const struct coll_block_call *c, int to)
{
    uint64_t e = coll_block_enter(n, 0, c->where);

    if (n->rank == to)
        coll_block_arrive(n, e);
    else
        coll_block_post(n, e, 0, to);
    if (to >= 0 && n->rank != to)
        return 0;
    coll_block_wait_all(n, e, c->where);
    return check_posted(n, e, 0);
}

/* Piece r of m elements */
static int64_t piece_begins(const struct reduction *x, int64_t m, int r)
{
    return m / x->n->size * r + core_min_signed(m % x->n->size, r);
}

/* Second hand-over: each rank combines its piece of the m elements at `at` and posts it; takers put all together. */
static void in_pieces(struct reduction *x, uint64_t e, int64_t at, int64_t m, int to)
{
    struct coll_block *n = x->n;
    const struct coll_layout *t = x->own.layout;
    int64_t first = piece_begins(x, m, n->rank), mine = piece_begins(x, m, n->rank + 1) - first;
    struct fold f = {e, at, m, first, mine};
    uint64_t e2 = coll_block_reserve(n, mine * t->size, x->c->where);
    char *slot = slot_of(x, n->rank, e2, mine);

    if (MPT_UNLIKELY(x->err != 0)) {
        /* the others still wait for this rank */
    } else if (mine > 0 && t->dense) {
        fold(x, slot, n->size, &f);
    } else if (mine > 0) {
        fold(x, x->acc, n->size, &f);
        n->face->pack(slot, (struct coll_part){x->acc, mine, t}, 0, mine * t->size);
    }
    coll_block_begin(n, e2);
    coll_block_post(n, e2, 0, to);
    if (to >= 0 && n->rank != to)
        return;
    coll_block_wait_all(n, e2, x->c->where);
    for (int k = 0; x->err == 0 && k < n->size; k++) {
        int r = (n->rank + k) % n->size;
        int64_t from = piece_begins(x, m, r), many = piece_begins(x, m, r + 1) - from;

        if (many > 0)
            coll_block_get(n, coll_part_of(x->result, at + from, many), 0, slot_of(x, r, e2, many), many * t->size);
    }
}

/* May the own contribution be read in place? It is saved by blocks where the result is to overwrite it. */
static bool reads_own(const struct coll_layout *t)
{
    return t->dense && t->size > 0 && t->size <= BLOCK;
}

static int reduce_divided(struct coll_block *n, const struct coll_block_call *c, int to)
{
    int64_t count = c->recv.count;
    struct reduction x;

    begin(&x, n, c, count, true);
    x.direct = reads_own(c->recv.layout);
    for (int64_t at = 0; at < count; at += x.chunk) {
        int64_t m = core_min_signed(x.chunk, count - at), from = piece_begins(&x, m, n->rank);
        int64_t skip = x.direct ? piece_begins(&x, m, n->rank + 1) - from : 0;
        uint64_t e = hand_in(&x, at, m, from, skip, COLL_BLOCK_ALL);

        coll_block_wait_all(n, e, c->where);
        all_posted(&x, e);
        in_pieces(&x, e, at, m, to);
    }
    return end(&x);
}

/* A root alone combines while the others hand in: with two ranks, or two cores for all, nobody is idle then. */
static bool worth_dividing(const struct coll_block *n, int64_t bytes, int to)
{
    if (to >= 0)
        return n->size > 2 && !n->oversubscribed && bytes > ALL_COMBINE;
    return bytes > (n->size > 2 ? ALL_COMBINE : TWO_COMBINE);
}

/* Everybody's small contribution, combined to `to`; the own one may be still where it was. */
static void fold_small(struct coll_block *n, const struct coll_block_call *c, uint64_t e, int64_t bytes,
                       const void *own, void *to)
{
    const void *right = n->rank == n->size - 1 ? own : coll_block_slot(n, n->size - 1, e, bytes);
    _Alignas(16) char acc[COLL_BLOCK_INLINE];

    if (MPT_UNLIKELY(n->broken))
        return;
    for (int r = n->size - 2; r >= 0; r--) {
        coll_block_join(n, c, r == n->rank ? own : coll_block_slot(n, r, e, bytes), right, acc, c->recv.count);
        right = acc;
    }
    core_copy(to, right, (size_t)bytes);
}

/* What travels in the flags' lines, in a straight line and in two halves (block_half.h). */
static inline void begin_small(struct coll_block *n, const struct coll_block_call *c, int to, int64_t bytes,
                               struct coll_block_half *h)
{
    const void *own = c->in_place ? c->recv.buf : c->send.buf;
    uint64_t e = coll_block_enter(n, 0, c->where);

    *h = (struct coll_block_half){.e = e, .from = to < 0 || n->rank == to ? COLL_BLOCK_ALL : COLL_BLOCK_NONE};
    if (n->rank == to) {
        coll_block_arrive(n, e);
        return;
    }
    core_copy(coll_block_slot(n, n->rank, e, bytes), own, (size_t)bytes);
    if (to >= 0 || !n->crowded) {
        coll_block_post(n, e, bytes, to);
    } else if (coll_block_post_last(n, e, bytes)) {
        if ((h->err = check_posted(n, e, bytes)) == 0)
            fold_small(n, c, e, bytes, own, n->shared->meet[e % COLL_BLOCK_POSTS].data);
        coll_block_release(n, e);
    }
}

static inline int end_small(struct coll_block *n, const struct coll_block_call *c, int to, int64_t bytes,
                            const struct coll_block_half *h)
{
    const void *own = c->in_place ? c->recv.buf : c->send.buf;
    int err = h->err;

    if (h->from == COLL_BLOCK_NONE)
        return err;
    if (to < 0 && n->crowded)
        core_copy(c->recv.buf, n->shared->meet[h->e % COLL_BLOCK_POSTS].data, (size_t)bytes);
    else if ((err = check_posted(n, h->e, bytes)) == 0)
        fold_small(n, c, h->e, bytes, own, c->recv.buf);
    return err;
}

static int reduce_small(struct coll_block *n, const struct coll_block_call *c, int to, int64_t bytes)
{
    struct coll_block_half h;

    begin_small(n, c, to, bytes, &h);
    if (h.from != COLL_BLOCK_NONE)
        coll_block_wait_all(n, h.e, c->where);
    return end_small(n, c, to, bytes, &h);
}

void coll_block_reduce_begin(struct coll_block *n, const struct coll_block_call *c, int to, struct coll_block_half *h)
{
    begin_small(n, c, to, c->recv.count * c->recv.layout->size, h);
}

int coll_block_reduce_end(struct coll_block *n, const struct coll_block_call *c, int to,
                          const struct coll_block_half *h)
{
    return end_small(n, c, to, c->recv.count * c->recv.layout->size, h);
}

/* Where cores are few, the last to arrive combines for all: a second hand-over would cost each another turn on a core.
 * The result lies where the last rank's contribution was. */
static int reduce_by_last(struct coll_block *n, const struct coll_block_call *c)
{
    const struct coll_layout *t = c->recv.layout;
    int64_t count = c->recv.count, bytes = count * t->size;
    struct reduction x;
    uint64_t e;
    char *made;

    begin(&x, n, c, count, false);
    e = hand_in_only(&x, 0, count, 0, 0);
    if (coll_block_post_last(n, e, bytes)) {
        made = slot_of(&x, n->size - 1, e, count);
        if (all_posted(&x, e))
            fold(&x, made, n->size, &(struct fold){.e = e, .of = count, .m = count});
        coll_block_release(n, e);
    }
    coll_block_wait_all(n, e, c->where);
    coll_block_get(n, x.result, 0, slot_of(&x, n->size - 1, e, count), bytes);
    return end(&x);
}

/* to: the root, or COLL_BLOCK_ALL */
static int reduce(struct coll_block *n, const struct coll_block_call *c, int to)
{
    int64_t count = c->recv.count;
    struct reduction x;

    if (count * c->recv.layout->size <= COLL_BLOCK_INLINE && c->recv.layout->dense)
        return reduce_small(n, c, to, count * c->recv.layout->size);
    if (count * c->recv.layout->size == 0)
        return reduce_nothing(n, c, to);
    if (to < 0 && n->oversubscribed && c->recv.layout->dense && count * c->recv.layout->size <= COLL_BLOCK_CHUNK)
        return reduce_by_last(n, c);
    if (worth_dividing(n, count * c->recv.layout->size, to))
        return reduce_divided(n, c, to);
    begin(&x, n, c, count, false);
    x.direct = reads_own(c->recv.layout);
    for (int64_t at = 0; x.chunk > 0 && at < count; at += x.chunk) {
        struct fold f = {
            .at = at, .of = core_min_signed(x.chunk, count - at), .m = core_min_signed(x.chunk, count - at)};

        if (x.direct && to == n->rank) { /* nobody else reads it */
            f.e = coll_block_enter(n, 0, c->where);
            coll_block_arrive(n, f.e);
        } else {
            f.e = hand_in(&x, at, f.m, 0, 0, to);
        }
        if (to >= 0 && n->rank != to)
            continue;
        coll_block_wait_all(n, f.e, c->where);
        if (all_posted(&x, f.e))
            fold(&x, element(x.result, at), n->size, &f);
    }
    return end(&x);
}

int coll_block_reduce(struct coll_block *n, const struct coll_block_call *c)
{
    return reduce(n, c, c->root);
}

int coll_block_allreduce(struct coll_block *n, const struct coll_block_call *c)
{
    return reduce(n, c, COLL_BLOCK_ALL);
}

/* Both scans: what is folded ends with this rank or before it. */
int coll_block_scan(struct coll_block *n, const struct coll_block_call *c)
{
    int64_t count = c->recv.count;
    int ranks = c->kind == COLL_INSCAN ? n->rank + 1 : n->rank;
    struct reduction x;

    begin(&x, n, c, count, false);
    if (x.chunk == 0)
        return reduce_nothing(n, c, COLL_BLOCK_ALL);
    for (int64_t at = 0; x.chunk > 0 && at < count; at += x.chunk) {
        struct fold f = {
            .at = at, .of = core_min_signed(x.chunk, count - at), .m = core_min_signed(x.chunk, count - at)};

        f.e = hand_in(&x, at, f.m, 0, 0, COLL_BLOCK_ALL);
        coll_block_wait_all(n, f.e, c->where);
        if (all_posted(&x, f.e) && ranks > 0)
            fold(&x, element(x.result, at), ranks, &f);
    }
    return end(&x);
}

/* The ranks' parts one after the other are one vector; each folds what is its own. In place the results would overwrite
 * what is still to be posted: they go to memory of their own first. */
int coll_block_reduce_scatter(struct coll_block *n, const struct coll_block_call *c)
{
    int64_t total = 0, begins = 0, mine = 0;
    struct coll_part result = {c->recv.buf, 0, c->recv.layout};
    struct reduction x;
    char *room = NULL;

    for (int i = 0; i < n->size; i++) {
        int64_t k = coll_block_part(n, c, &c->recv, i).count;

        begins += i < n->rank ? k : 0;
        mine = i == n->rank ? k : mine;
        total += k;
    }
    begin(&x, n, c, total, true);
    if (x.chunk == 0)
        return reduce_nothing(n, c, COLL_BLOCK_ALL);
    if (c->in_place && mine > 0 && !(room = typed_room(result.layout, mine, (char **)&result.at)))
        core_fatal("%s: out of memory", c->where);
    for (int64_t at = 0; x.chunk > 0 && at < total; at += x.chunk) {
        int64_t m = core_min_signed(x.chunk, total - at), from = begins > at ? begins : at,
                to = core_min_signed(begins + mine, at + m);
        struct fold f = {.at = at, .of = m, .first = from - at, .m = to - from};

        f.e = hand_in(&x, at, m, 0, 0, COLL_BLOCK_ALL);
        coll_block_wait_all(n, f.e, c->where);
        if (all_posted(&x, f.e) && from < to)
            fold(&x, element(result, from - begins), n->size, &f);
    }
    if (room)
        n->face->copy((struct coll_part){c->recv.buf, mine, result.layout},
                      (struct coll_part){result.at, mine, result.layout});
    free(room);
    return end(&x);
}
