/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast, gather, scatter, allgather and alltoall on one node: data goes
 * through the slots chunk by chunk, the writer some chunks ahead of the readers.
 * Where only two ranks know how much there is between them (v and w forms) each
 * pair has its share of as many slots as there may be; what does not fit goes by message.
 */
#include "core/base/number.h"
#include "coll/block.h"

/* More arrived than there is room for: what fits is taken. */
static void note(int *err, bool too_much)
{
    if (MPT_UNLIKELY(too_much))
        *err = COLL_TRUNCATED;
}

int coll_block_barrier(struct coll_block *n, const struct coll_block_call *c)
{
    uint64_t e = coll_block_enter(n, 0, c->where);

    coll_block_post(n, e, 0, COLL_BLOCK_ALL);
    coll_block_wait_all(n, e, c->where);
    return 0;
}

/* The root says how much there is and how it comes: who has less room takes what fits. */
int coll_block_bcast(struct coll_block *n, const struct coll_block_call *c)
{
    struct coll_part p = coll_whole(&c->recv);
    int64_t room = coll_part_size(p), total = room, at = 0;
    int err = 0;

    do { /* at least once: the others may have another count */
        int64_t b = core_min_signed(COLL_BLOCK_CHUNK, total - at);
        uint64_t e = coll_block_enter(n, n->rank == c->root ? b : 0, c->where);

        if (n->rank == c->root) {
            coll_block_put(n, coll_block_slot(n, c->root, e, b), p, at, b);
            coll_block_post(n, e, total, COLL_BLOCK_OTHERS);
            continue;
        }
        coll_block_wait(n, c->root, e, c->where);
        if (coll_block_total(n, c->root, e) == COLL_BLOCK_DIRECT)
            return coll_direct_bcast(n, c, &err) ? err : coll_block_bcast(n, c);
        total = coll_block_total(n, c->root, e);
        note(&err, total > room);
        b = core_min_signed(COLL_BLOCK_CHUNK, total - at);
        if (at < room && b > 0) /* where the root has died meanwhile the total is 0 */
            coll_block_get(n, p, at, coll_block_slot(n, c->root, e, b), core_min_signed(b, room - at));
    } while ((at += COLL_BLOCK_CHUNK) < total);
    return err;
}

/* ---- gather, scatter: parts of one size ---- */

/* From byte `at` on what a member has posted, of which `total` bytes in all come in chunks of this size. */
static void take(const struct coll_block *n, struct coll_part p, int member, uint64_t e, int64_t at, int64_t chunk,
                 int *err)
{
    int64_t total = coll_block_total(n, member, e), b = core_min_signed(chunk, total - at),
            room = coll_part_size(p) - at;

    note(err, total > room + at);
    if (b > 0 && room > 0)
        coll_block_get(n, p, at, coll_block_slot(n, member, e, b), core_min_signed(b, room));
}

int coll_block_gather(struct coll_block *n, const struct coll_block_call *c)
{
    bool root = n->rank == c->root;
    struct coll_part own = root && c->in_place ? coll_block_part(n, c, &c->recv, n->rank) : coll_whole(&c->send);
    int64_t total = coll_part_size(root ? coll_block_part(n, c, &c->recv, 0) : own), at = 0;
    int err = 0;

    do {
        int64_t b = core_min_signed(COLL_BLOCK_CHUNK, total - at);
        uint64_t e = coll_block_enter(n, root ? 0 : b, c->where);

        if (!root) {
            coll_block_put(n, coll_block_slot(n, n->rank, e, b), own, at, b);
            coll_block_post(n, e, total, c->root);
            continue;
        }
        coll_block_arrive(n, e);
        coll_block_wait_all(n, e, c->where);
        total = 0; /* as long as the others have some */
        for (int i = 0; i < n->size; i++)
            if (i != n->rank) {
                take(n, coll_block_part(n, c, &c->recv, i), i, e, at, COLL_BLOCK_CHUNK, &err);
                total = coll_block_total(n, i, e) > total ? coll_block_total(n, i, e) : total;
            }
    } while ((at += COLL_BLOCK_CHUNK) < total);
    if (root && !c->in_place)
        note(&err, coll_block_keep(n, coll_block_part(n, c, &c->recv, n->rank), own));
    return err;
}

/* Each rank's bytes in a slot that all share, and how many that can be. */
static int64_t stride_of(int64_t b)
{
    return b < 64 ? (b + 7) & ~(int64_t)7 : (b + 63) & ~(int64_t)63;
}

/* What each rank has in one hand-over, if all have b bytes in all. */
static int64_t share_for(const struct coll_block *n, int64_t b)
{
    if (stride_of(b) * n->size <= COLL_BLOCK_CHUNK)
        return b;
    return COLL_BLOCK_WIDE / n->size & ~(int64_t)63;
}

/* What of `total` bytes for each goes in the k-th hand-over, and how far apart ranks' parts are there. */
struct share {
    int64_t total, at, bytes, stride;
};

static struct share share_of(const struct coll_block *n, int64_t total, int64_t k)
{
    int64_t share = share_for(n, total), at = k * share, b = core_min_signed(share, total - at);

    return (struct share){total, at, b > 0 ? b : 0, b > 0 ? stride_of(b) : 0};
}

/* Hand-overs that so many bytes for each take; at least one, for others may have more. */
static int64_t shares_of(const struct coll_block *n, int64_t total)
{
    int64_t share = share_for(n, total);

    return total <= share ? 1 : (total + share - 1) / share;
}

/* Post a share of the parts for the others. Returns the epoch. */
static uint64_t hand_out(struct coll_block *n, const struct coll_block_call *c, const struct coll_side *from,
                         const struct share *s, int to)
{
    uint64_t e = coll_block_enter(n, s->stride * n->size, c->where);
    char *slot = coll_block_slot(n, n->rank, e, s->stride * n->size);

    for (int i = 0; s->bytes > 0 && i < n->size; i++)
        if (i != n->rank)
            coll_block_put(n, slot + i * s->stride, coll_block_part(n, c, from, i), s->at, s->bytes);
    coll_block_post(n, e, s->total, to);
    return e;
}

/* What member `from` has posted for this rank. */
static void take_in(struct coll_block *n, struct coll_part p, int from, uint64_t e, const struct share *s, int *err)
{
    int64_t room = coll_part_size(p) - s->at, b = core_min_signed(s->bytes, room);

    note(err, s->total > room + s->at);
    if (b > 0)
        coll_block_get(n, p, s->at, coll_block_slot(n, from, e, s->stride * n->size) + n->rank * s->stride, b);
}

int coll_block_scatter(struct coll_block *n, const struct coll_block_call *c)
{
    bool root = n->rank == c->root;
    int64_t total = root ? coll_part_size(coll_block_part(n, c, &c->send, 0)) : 0, k = 0;
    int err = 0;

    do {
        struct share s;
        uint64_t e;

        if (root) {
            s = share_of(n, total, k);
            hand_out(n, c, &c->send, &s, COLL_BLOCK_OTHERS);
            continue;
        }
        e = coll_block_enter(n, 0, c->where);
        coll_block_wait(n, c->root, e, c->where);
        total = coll_block_total(n, c->root, e);
        s = share_of(n, total, k);
        take_in(n, coll_whole(&c->recv), c->root, e, &s, &err);
    } while (++k < shares_of(n, total));
    if (root && !c->in_place)
        note(&err, coll_block_keep(n, coll_whole(&c->recv), coll_block_part(n, c, &c->send, n->rank)));
    return err;
}

/* ---- allgather: everybody knows all sizes ---- */

/* The most that a member has posted: all find the same. COLL_BLOCK_SPOTS or more: somebody has posted where its data
 * lies, as this rank does not, and does now what this one has done. */
static int64_t most_posted(const struct coll_block *n, uint64_t e, int64_t own)
{
    int64_t different = 0, most = own;

    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            different |= coll_block_total(n, i, e) ^ own;
    for (int i = 0; MPT_UNLIKELY(different != 0) && i < n->size; i++)
        most = coll_block_total(n, i, e) > most ? coll_block_total(n, i, e) : most;
    return most;
}

int coll_block_allgather(struct coll_block *n, const struct coll_block_call *c)
{
    struct coll_part mine = coll_block_part(n, c, &c->recv, n->rank), own = c->in_place ? mine : coll_whole(&c->send);
    int64_t total = coll_part_size(own), at = 0, most = 0;
    int err = 0;

    do {
        int64_t b = core_min_signed(COLL_BLOCK_WIDE, total - at);
        uint64_t e = coll_block_enter(n, b, c->where);

        if (b > 0)
            coll_block_put(n, coll_block_slot(n, n->rank, e, b), own, at, b);
        coll_block_post(n, e, total, COLL_BLOCK_ALL);
        if (at == 0 && !c->in_place) /* while the others come */
            note(&err, coll_block_keep(n, mine, own));
        coll_block_wait_all(n, e, c->where);
        most = at == 0 ? most_posted(n, e, total) : most;
        if (MPT_UNLIKELY(most >= COLL_BLOCK_SPOTS))
            return coll_block_allgather(n, c);
        for (int k = 1; k < n->size; k++) {
            int i = (n->rank + k) % n->size;

            take(n, coll_block_part(n, c, &c->recv, i), i, e, at, COLL_BLOCK_WIDE, &err);
        }
    } while ((at += COLL_BLOCK_WIDE) < most);
    return err;
}

/* ---- alltoall ---- */

int coll_block_alltoall(struct coll_block *n, const struct coll_block_call *c)
{
    const struct coll_side *from = c->in_place ? &c->recv : &c->send;
    struct coll_part mine = coll_block_part(n, c, &c->recv, n->rank), own = coll_block_part(n, c, from, n->rank);
    int64_t total = coll_part_size(own), most = total, k = 0;
    int err = 0;

    do {
        struct share s = share_of(n, total, k), other;
        uint64_t e = hand_out(n, c, from, &s, COLL_BLOCK_ALL);

        coll_block_wait_all(n, e, c->where);
        most = k == 0 ? most_posted(n, e, total) : most;
        if (MPT_UNLIKELY(most >= COLL_BLOCK_SPOTS))
            return coll_block_alltoall(n, c);
        for (int j = 1; j < n->size; j++) {
            int i = n->rank + j < n->size ? n->rank + j : n->rank + j - n->size;
            bool alike = MPT_LIKELY(coll_block_total(n, i, e) == total);

            if (!alike)
                other = share_of(n, coll_block_total(n, i, e), k);
            take_in(n, coll_block_part(n, c, &c->recv, i), i, e, alike ? &s : &other, &err);
        }
    } while (++k < shares_of(n, most));
    if (!c->in_place)
        note(&err, coll_block_keep(n, mine, own));
    return err;
}

/* ---- v and w forms: what a pair has beyond its share goes by message ---- */

struct pairs {
    struct coll_block *n;
    const struct coll_block_call *c;
    uint64_t e;
    int64_t share;
    int tag;
    void *rest; /* or NULL: all fits */
    int err;
};
enum {
    PAIR_SIZE = 8,
    PAIR_HEAD = 64
}; /* in front of a pair's data is how much it is: little follows at once, more in a line of its own */

static void pairs_begin(struct pairs *x, struct coll_block *n, const struct coll_block_call *c, int64_t share,
                        int64_t room)
{
    *x = (struct pairs){.n = n, .c = c, .share = share, .tag = n->face->rest_tag(c)};
    x->e = coll_block_enter(n, room, c->where);
}

/* Never in the line: how much there is in all is not known to the reader. */
static char *pair_slot(const struct pairs *x, int member)
{
    return coll_block_slot(x->n, member, x->e, COLL_BLOCK_WIDE);
}

static int64_t pair_share(const struct coll_block *n)
{
    return COLL_BLOCK_WIDE / n->size & ~(int64_t)63;
}

static char *pair_data(char *pair, int64_t b)
{
    return pair + (b <= PAIR_HEAD - PAIR_SIZE ? PAIR_SIZE : PAIR_HEAD);
}

static void pair_out(struct pairs *x, struct coll_part p, int to, int64_t at)
{
    char *pair = pair_slot(x, x->n->rank) + at;
    int64_t b = coll_part_size(p);

    *(int64_t *)(void *)pair = b;
    if (b > x->share - PAIR_HEAD)
        x->n->face->rest_send(&x->rest, x->c, x->tag, p, to);
    else if (b > 0)
        coll_block_put(x->n, pair_data(pair, b), p, 0, b);
}

/* Where nothing is to come nothing is looked at. */
static void pair_in(struct pairs *x, struct coll_part p, int from, int64_t at)
{
    char *pair = pair_slot(x, from) + at;
    int64_t room = coll_part_size(p), b = room > 0 ? *(int64_t *)(void *)pair : 0;

    note(&x->err, b > room);
    if (b > x->share - PAIR_HEAD)
        x->n->face->rest_recv(&x->rest, x->c, x->tag, p, from);
    else if (b > 0)
        coll_block_get(x->n, p, 0, pair_data(pair, b), core_min_signed(b, room));
}

static int pairs_end(struct pairs *x)
{
    int err = MPT_UNLIKELY(x->rest != NULL) ? x->n->face->rest_end(x->rest, x->c) : 0;

    return err != 0 ? err : x->err;
}

int coll_block_gatherv(struct coll_block *n, const struct coll_block_call *c)
{
    struct pairs x;

    pairs_begin(&x, n, c, COLL_BLOCK_WIDE, n->rank == c->root ? 0 : COLL_BLOCK_WIDE);
    if (n->rank != c->root) {
        pair_out(&x, coll_whole(&c->send), c->root, 0);
        coll_block_post(n, x.e, 0, c->root);
    } else {
        coll_block_arrive(n, x.e);
        coll_block_wait_all(n, x.e, c->where);
        for (int i = 0; i < n->size; i++)
            if (i != n->rank)
                pair_in(&x, coll_block_part(n, c, &c->recv, i), i, 0);
    }
    if (n->rank == c->root && !c->in_place)
        note(&x.err, coll_block_keep(n, coll_block_part(n, c, &c->recv, n->rank), coll_whole(&c->send)));
    return pairs_end(&x);
}

int coll_block_scatterv(struct coll_block *n, const struct coll_block_call *c)
{
    int64_t share = pair_share(n);
    struct pairs x;

    pairs_begin(&x, n, c, share, n->rank == c->root ? COLL_BLOCK_WIDE : 0);
    if (n->rank != c->root) {
        coll_block_wait(n, c->root, x.e, c->where);
        pair_in(&x, coll_whole(&c->recv), c->root, n->rank * share);
        return pairs_end(&x);
    }
    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            pair_out(&x, coll_block_part(n, c, &c->send, i), i, i * share);
    coll_block_post(n, x.e, 0, COLL_BLOCK_OTHERS);
    if (!c->in_place)
        note(&x.err, coll_block_keep(n, coll_whole(&c->recv), coll_block_part(n, c, &c->send, n->rank)));
    return pairs_end(&x);
}

int coll_block_alltoallv(struct coll_block *n, const struct coll_block_call *c)
{
    struct coll_part in = coll_block_part(n, c, &c->recv, n->rank), out = coll_block_part(n, c, &c->send, n->rank);
    int64_t share = pair_share(n);
    struct pairs x;

    pairs_begin(&x, n, c, share, COLL_BLOCK_WIDE);
    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            pair_out(&x, coll_block_part(n, c, &c->send, i), i, i * share);
    coll_block_post(n, x.e, 0, COLL_BLOCK_ALL);
    coll_block_wait_all(n, x.e, c->where);
    for (int k = 1; k < n->size; k++) {
        int i = (n->rank + k) % n->size;

        pair_in(&x, coll_block_part(n, c, &c->recv, i), i, n->rank * share);
    }
    note(&x.err, coll_block_keep(n, in, out));
    return pairs_end(&x);
}
