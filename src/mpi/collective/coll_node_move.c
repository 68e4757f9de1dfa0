/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast, gather, scatter, allgather and alltoall on one node: data goes
 * through the slots chunk by chunk, the writer some chunks ahead of the readers.
 * Where only two ranks know how much there is between them (v and w forms) each
 * pair has its share of as many slots as there may be; what does not fit goes by message.
 */
#include "mpi/collective/coll_node.h"

static MPI_Count least(MPI_Count a, MPI_Count b)
{
    return a < b ? a : b;
}

/* More arrived than there is room for: what fits is taken. */
static void note(int *err, bool too_much)
{
    if (MPT_UNLIKELY(too_much))
        *err = MPI_ERR_TRUNCATE;
}

int mpii_node_barrier(struct mpii_node *n, const struct mpii_coll_call *c)
{
    uint64_t e = mpii_node_enter(n, 0, c->call);

    mpii_node_post(n, e, 0, MPII_NODE_ALL);
    mpii_node_wait_all(n, e, c->call);
    return MPI_SUCCESS;
}

/* The root says how much there is and how it comes: who has less room takes what fits. */
int mpii_node_bcast(struct mpii_node *n, const struct mpii_coll_call *c)
{
    struct mpii_part p = mpii_coll_whole(&c->recv);
    MPI_Count room = mpii_part_size(p), total = room, at = 0;
    int err = MPI_SUCCESS;

    do { /* at least once: the others may have another count */
        MPI_Count b = least(NODE_CHUNK, total - at);
        uint64_t e = mpii_node_enter(n, n->rank == c->root ? b : 0, c->call);

        if (n->rank == c->root) {
            mpii_node_put(mpii_node_slot(n, c->root, e, b), p, at, b);
            mpii_node_post(n, e, total, MPII_NODE_OTHERS);
            continue;
        }
        mpii_node_wait(n, c->root, e, c->call);
        if (mpii_node_total(n, c->root, e) == NODE_DIRECT)
            return mpii_direct_bcast(n, c, &err) ? err : mpii_node_bcast(n, c);
        total = mpii_node_total(n, c->root, e);
        note(&err, total > room);
        b = least(NODE_CHUNK, total - at);
        if (at < room)
            mpii_node_get(p, at, mpii_node_slot(n, c->root, e, b), least(b, room - at));
    } while ((at += NODE_CHUNK) < total);
    return err;
}

/* ---- gather, scatter: parts of one size ---- */

/* From byte `at` on what a member has posted, of which `total` bytes in all come in chunks of this size. */
static void take(const struct mpii_node *n, struct mpii_part p, int member, uint64_t e, MPI_Count at, MPI_Count chunk, int *err)
{
    MPI_Count total = mpii_node_total(n, member, e), b = least(chunk, total - at), room = mpii_part_size(p) - at;

    note(err, total > room + at);
    if (b > 0 && room > 0)
        mpii_node_get(p, at, mpii_node_slot(n, member, e, b), least(b, room));
}

int mpii_node_gather(struct mpii_node *n, const struct mpii_coll_call *c)
{
    bool root = n->rank == c->root;
    struct mpii_part own = root && c->in_place ? mpii_coll_part(c, &c->recv, n->rank) : mpii_coll_whole(&c->send);
    MPI_Count total = mpii_part_size(root ? mpii_coll_part(c, &c->recv, 0) : own), at = 0;
    int err = MPI_SUCCESS;

    do {
        MPI_Count b = least(NODE_CHUNK, total - at);
        uint64_t e = mpii_node_enter(n, root ? 0 : b, c->call);

        if (!root) {
            mpii_node_put(mpii_node_slot(n, n->rank, e, b), own, at, b);
            mpii_node_post(n, e, total, c->root);
            continue;
        }
        mpii_node_arrive(n, e);
        mpii_node_wait_all(n, e, c->call);
        total = 0; /* as long as the others have some */
        for (int i = 0; i < n->size; i++)
            if (i != n->rank) {
                take(n, mpii_coll_part(c, &c->recv, i), i, e, at, NODE_CHUNK, &err);
                total = mpii_node_total(n, i, e) > total ? mpii_node_total(n, i, e) : total;
            }
    } while ((at += NODE_CHUNK) < total);
    if (root && !c->in_place)
        note(&err, mpii_node_keep(mpii_coll_part(c, &c->recv, n->rank), own));
    return err;
}

/* Each rank's bytes in a slot that all share, and how many that can be. */
static MPI_Count stride_of(MPI_Count b)
{
    return b < 64 ? (b + 7) & ~(MPI_Count)7 : (b + 63) & ~(MPI_Count)63;
}

/* What each rank has in one hand-over, if all have b bytes in all. */
static MPI_Count share_for(const struct mpii_node *n, MPI_Count b)
{
    if (stride_of(b) * n->size <= NODE_CHUNK)
        return b;
    return NODE_WIDE / n->size & ~(MPI_Count)63;
}

/* What of `total` bytes for each goes in the k-th hand-over, and how far apart ranks' parts are there. */
struct share {
    MPI_Count total, at, bytes, stride;
};

static struct share share_of(const struct mpii_node *n, MPI_Count total, MPI_Count k)
{
    MPI_Count share = share_for(n, total), at = k * share, b = least(share, total - at);

    return (struct share){total, at, b > 0 ? b : 0, b > 0 ? stride_of(b) : 0};
}

/* Hand-overs that so many bytes for each take; at least one, for others may have more. */
static MPI_Count shares_of(const struct mpii_node *n, MPI_Count total)
{
    MPI_Count share = share_for(n, total);

    return total <= share ? 1 : (total + share - 1) / share;
}

/* Post a share of the parts for the others. Returns the epoch. */
static uint64_t hand_out(struct mpii_node *n, const struct mpii_coll_call *c, const struct mpii_side *from, const struct share *s, int to)
{
    uint64_t e = mpii_node_enter(n, s->stride * n->size, c->call);
    char *slot = mpii_node_slot(n, n->rank, e, s->stride * n->size);

    for (int i = 0; s->bytes > 0 && i < n->size; i++)
        if (i != n->rank)
            mpii_node_put(slot + i * s->stride, mpii_coll_part(c, from, i), s->at, s->bytes);
    mpii_node_post(n, e, s->total, to);
    return e;
}

/* What member `from` has posted for this rank. */
static void take_in(struct mpii_node *n, struct mpii_part p, int from, uint64_t e, const struct share *s, int *err)
{
    MPI_Count room = mpii_part_size(p) - s->at, b = least(s->bytes, room);

    note(err, s->total > room + s->at);
    if (b > 0)
        mpii_node_get(p, s->at, mpii_node_slot(n, from, e, s->stride * n->size) + n->rank * s->stride, b);
}

int mpii_node_scatter(struct mpii_node *n, const struct mpii_coll_call *c)
{
    bool root = n->rank == c->root;
    MPI_Count total = root ? mpii_part_size(mpii_coll_part(c, &c->send, 0)) : 0, k = 0;
    int err = MPI_SUCCESS;

    do {
        struct share s;
        uint64_t e;

        if (root) {
            s = share_of(n, total, k);
            hand_out(n, c, &c->send, &s, MPII_NODE_OTHERS);
            continue;
        }
        e = mpii_node_enter(n, 0, c->call);
        mpii_node_wait(n, c->root, e, c->call);
        total = mpii_node_total(n, c->root, e);
        s = share_of(n, total, k);
        take_in(n, mpii_coll_whole(&c->recv), c->root, e, &s, &err);
    } while (++k < shares_of(n, total));
    if (root && !c->in_place)
        note(&err, mpii_node_keep(mpii_coll_whole(&c->recv), mpii_coll_part(c, &c->send, n->rank)));
    return err;
}

/* ---- allgather: everybody knows all sizes ---- */

/* The most that a member has posted: all find the same. NODE_SPOTS or more: somebody has posted where its data lies, as this
 * rank does not, and does now what this one has done. */
static MPI_Count most_posted(const struct mpii_node *n, uint64_t e, MPI_Count own)
{
    MPI_Count different = 0, most = own;

    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            different |= mpii_node_total(n, i, e) ^ own;
    for (int i = 0; MPT_UNLIKELY(different != 0) && i < n->size; i++)
        most = mpii_node_total(n, i, e) > most ? mpii_node_total(n, i, e) : most;
    return most;
}

int mpii_node_allgather(struct mpii_node *n, const struct mpii_coll_call *c)
{
    struct mpii_part mine = mpii_coll_part(c, &c->recv, n->rank), own = c->in_place ? mine : mpii_coll_whole(&c->send);
    MPI_Count total = mpii_part_size(own), at = 0, most = 0;
    int err = MPI_SUCCESS;

    do {
        MPI_Count b = least(NODE_WIDE, total - at);
        uint64_t e = mpii_node_enter(n, b, c->call);

        if (b > 0)
            mpii_node_put(mpii_node_slot(n, n->rank, e, b), own, at, b);
        mpii_node_post(n, e, total, MPII_NODE_ALL);
        mpii_node_wait_all(n, e, c->call);
        most = at == 0 ? most_posted(n, e, total) : most;
        if (MPT_UNLIKELY(most >= NODE_SPOTS))
            return mpii_node_allgather(n, c);
        for (int k = 1; k < n->size; k++) {
            int i = (n->rank + k) % n->size;

            take(n, mpii_coll_part(c, &c->recv, i), i, e, at, NODE_WIDE, &err);
        }
    } while ((at += NODE_WIDE) < most);
    if (!c->in_place)
        note(&err, mpii_node_keep(mine, own));
    return err;
}

/* ---- alltoall ---- */

int mpii_node_alltoall(struct mpii_node *n, const struct mpii_coll_call *c)
{
    const struct mpii_side *from = c->in_place ? &c->recv : &c->send;
    struct mpii_part mine = mpii_coll_part(c, &c->recv, n->rank), own = mpii_coll_part(c, from, n->rank);
    MPI_Count total = mpii_part_size(own), most = total, k = 0;
    int err = MPI_SUCCESS;

    do {
        struct share s = share_of(n, total, k), other;
        uint64_t e = hand_out(n, c, from, &s, MPII_NODE_ALL);

        mpii_node_wait_all(n, e, c->call);
        most = k == 0 ? most_posted(n, e, total) : most;
        if (MPT_UNLIKELY(most >= NODE_SPOTS))
            return mpii_node_alltoall(n, c);
        for (int j = 1; j < n->size; j++) {
            int i = n->rank + j < n->size ? n->rank + j : n->rank + j - n->size;
            bool alike = MPT_LIKELY(mpii_node_total(n, i, e) == total);

            if (!alike)
                other = share_of(n, mpii_node_total(n, i, e), k);
            take_in(n, mpii_coll_part(c, &c->recv, i), i, e, alike ? &s : &other, &err);
        }
    } while (++k < shares_of(n, most));
    if (!c->in_place)
        note(&err, mpii_node_keep(mine, own));
    return err;
}

/* ---- v and w forms: what a pair has beyond its share goes by message ---- */

struct pairs {
    struct mpii_node *n;
    const struct mpii_coll_call *c;
    uint64_t e;
    MPI_Count share;
    struct mpii_sched *rest;
    int err;
};
enum { PAIR_SIZE = 8, PAIR_HEAD = 64 }; /* in front of a pair's data is how much it is: little follows at once, more in a line of its own */

static void pairs_begin(struct pairs *x, struct mpii_node *n, const struct mpii_coll_call *c, MPI_Count share, MPI_Count room)
{
    *x = (struct pairs){.n = n, .c = c, .share = share, .rest = mpii_sched_new(c->comm, mpii_coll_tag(c->comm, false))};
    if (!x->rest)
        core_fatal("%s: out of memory", c->call);
    x->e = mpii_node_enter(n, room, c->call);
}

/* Never in the line: how much there is in all is not known to the reader. */
static char *pair_slot(const struct pairs *x, int member)
{
    return mpii_node_slot(x->n, member, x->e, NODE_WIDE);
}

static MPI_Count pair_share(const struct mpii_node *n)
{
    return NODE_WIDE / n->size & ~(MPI_Count)63;
}

static char *pair_data(char *pair, MPI_Count b)
{
    return pair + (b <= PAIR_HEAD - PAIR_SIZE ? PAIR_SIZE : PAIR_HEAD);
}

static void pair_out(struct pairs *x, struct mpii_part p, int to, MPI_Count at)
{
    char *pair = pair_slot(x, x->n->rank) + at;
    MPI_Count b = mpii_part_size(p);

    *(MPI_Count *)(void *)pair = b;
    if (b > x->share - PAIR_HEAD)
        mpii_sched_send(x->rest, p, to);
    else if (b > 0)
        mpii_node_put(pair_data(pair, b), p, 0, b);
}

/* Where nothing is to come nothing is looked at. */
static void pair_in(struct pairs *x, struct mpii_part p, int from, MPI_Count at)
{
    char *pair = pair_slot(x, from) + at;
    MPI_Count room = mpii_part_size(p), b = room > 0 ? *(MPI_Count *)(void *)pair : 0;

    note(&x->err, b > room);
    if (b > x->share - PAIR_HEAD)
        mpii_sched_recv(x->rest, p, from);
    else if (b > 0)
        mpii_node_get(p, 0, pair_data(pair, b), least(b, room));
}

static int pairs_end(struct pairs *x)
{
    int err = mpii_sched_spoiled(x->rest) ? MPI_ERR_NO_MEM : mpii_sched_run(x->rest, x->c->call);

    mpii_sched_free(x->rest);
    return err != MPI_SUCCESS ? err : x->err;
}

int mpii_node_gatherv(struct mpii_node *n, const struct mpii_coll_call *c)
{
    struct pairs x;

    pairs_begin(&x, n, c, NODE_WIDE, n->rank == c->root ? 0 : NODE_WIDE);
    if (n->rank != c->root) {
        pair_out(&x, mpii_coll_whole(&c->send), c->root, 0);
        mpii_node_post(n, x.e, 0, c->root);
    } else {
        mpii_node_arrive(n, x.e);
        mpii_node_wait_all(n, x.e, c->call);
        for (int i = 0; i < n->size; i++)
            if (i != n->rank)
                pair_in(&x, mpii_coll_part(c, &c->recv, i), i, 0);
    }
    if (n->rank == c->root && !c->in_place)
        note(&x.err, mpii_node_keep(mpii_coll_part(c, &c->recv, n->rank), mpii_coll_whole(&c->send)));
    return pairs_end(&x);
}

int mpii_node_scatterv(struct mpii_node *n, const struct mpii_coll_call *c)
{
    MPI_Count share = pair_share(n);
    struct pairs x;

    pairs_begin(&x, n, c, share, n->rank == c->root ? NODE_WIDE : 0);
    if (n->rank != c->root) {
        mpii_node_wait(n, c->root, x.e, c->call);
        pair_in(&x, mpii_coll_whole(&c->recv), c->root, n->rank * share);
        return pairs_end(&x);
    }
    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            pair_out(&x, mpii_coll_part(c, &c->send, i), i, i * share);
    mpii_node_post(n, x.e, 0, MPII_NODE_OTHERS);
    if (!c->in_place)
        note(&x.err, mpii_node_keep(mpii_coll_whole(&c->recv), mpii_coll_part(c, &c->send, n->rank)));
    return pairs_end(&x);
}

int mpii_node_alltoallv(struct mpii_node *n, const struct mpii_coll_call *c)
{
    struct mpii_part in = mpii_coll_part(c, &c->recv, n->rank), out = mpii_coll_part(c, &c->send, n->rank);
    MPI_Count share = pair_share(n);
    struct pairs x;

    pairs_begin(&x, n, c, share, NODE_WIDE);
    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            pair_out(&x, mpii_coll_part(c, &c->send, i), i, i * share);
    mpii_node_post(n, x.e, 0, MPII_NODE_ALL);
    mpii_node_wait_all(n, x.e, c->call);
    for (int k = 1; k < n->size; k++) {
        int i = (n->rank + k) % n->size;

        pair_in(&x, mpii_coll_part(c, &c->recv, i), i, n->rank * share);
    }
    note(&x.err, mpii_node_keep(in, out));
    return pairs_end(&x);
}
