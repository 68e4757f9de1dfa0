/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast, gather, scatter, allgather and alltoall on one node: data goes
 * through the slots chunk by chunk, the writer some chunks ahead of the readers.
 * Where only two ranks know how much there is between them (v and w forms) each
 * pair has its share of as many slots as there may be; what does not fit goes by message.
 */
#include "mpi/coll_node.h"

static MPI_Count least(MPI_Count a, MPI_Count b)
{
    return a < b ? a : b;
}

/* A member has more than this rank takes. */
static int mismatch(const struct mpii_node *n, int member, uint64_t e, MPI_Count total)
{
    return mpii_node_total(n, member, e) > total ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

static int any_mismatch(const struct mpii_node *n, uint64_t e, MPI_Count total)
{
    for (int i = 0; i < n->size; i++)
        if (i != n->rank && MPT_UNLIKELY(mismatch(n, i, e, total) != MPI_SUCCESS))
            return MPI_ERR_TRUNCATE;
    return MPI_SUCCESS;
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
    MPI_Count room = mpii_part_size(p), total = room;
    int err = MPI_SUCCESS;

    for (MPI_Count at = 0; at < total; at += NODE_CHUNK) {
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
        err = mismatch(n, c->root, e, room);
        total = mpii_node_total(n, c->root, e);
        b = least(NODE_CHUNK, total - at);
        if (at < room)
            mpii_node_get(p, at, mpii_node_slot(n, c->root, e, b), least(b, room - at));
    }
    return err;
}

/* ---- gather, scatter: parts of one size ---- */

int mpii_node_gather(struct mpii_node *n, const struct mpii_coll_call *c)
{
    bool root = n->rank == c->root;
    struct mpii_part own = root && c->in_place ? mpii_coll_part(c, &c->recv, n->rank) : mpii_coll_whole(&c->send);
    MPI_Count total = mpii_part_size(root ? mpii_coll_part(c, &c->recv, 0) : own);
    int err = MPI_SUCCESS;

    for (MPI_Count at = 0; at < total; at += NODE_CHUNK) {
        MPI_Count b = least(NODE_CHUNK, total - at);
        uint64_t e = mpii_node_enter(n, root ? 0 : b, c->call);

        if (!root) {
            mpii_node_put(mpii_node_slot(n, n->rank, e, b), own, at, b);
            mpii_node_post(n, e, total, c->root);
            continue;
        }
        mpii_node_arrive(n, e);
        mpii_node_wait_all(n, e, c->call);
        err = any_mismatch(n, e, total);
        for (int i = 0; i < n->size; i++)
            if (i != n->rank)
                mpii_node_get(mpii_coll_part(c, &c->recv, i), at, mpii_node_slot(n, i, e, b), b);
    }
    if (root && !c->in_place)
        mpii_node_keep(mpii_coll_part(c, &c->recv, n->rank), own);
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

/* Post b bytes from `at` of the parts for the others. Returns the epoch. */
static uint64_t hand_out(struct mpii_node *n, const struct mpii_coll_call *c, const struct mpii_side *from, MPI_Count total, MPI_Count at,
                         MPI_Count b, int to)
{
    MPI_Count stride = stride_of(b);
    uint64_t e = mpii_node_enter(n, stride * n->size, c->call);
    char *slot = mpii_node_slot(n, n->rank, e, stride * n->size);

    for (int i = 0; i < n->size; i++)
        if (i != n->rank)
            mpii_node_put(slot + i * stride, mpii_coll_part(c, from, i), at, b);
    mpii_node_post(n, e, total, to);
    return e;
}

/* What member `from` has posted for this rank. */
static void take_in(struct mpii_node *n, struct mpii_part p, int from, uint64_t e, MPI_Count at, MPI_Count b)
{
    MPI_Count stride = stride_of(b);

    mpii_node_get(p, at, mpii_node_slot(n, from, e, stride * n->size) + n->rank * stride, b);
}

int mpii_node_scatter(struct mpii_node *n, const struct mpii_coll_call *c)
{
    bool root = n->rank == c->root;
    MPI_Count total = root ? mpii_part_size(mpii_coll_part(c, &c->send, 0)) : mpii_part_size(mpii_coll_whole(&c->recv));
    MPI_Count share = share_for(n, total);
    int err = MPI_SUCCESS;

    for (MPI_Count at = 0; at < total; at += share) {
        MPI_Count b = least(share, total - at);
        uint64_t e;

        if (root) {
            hand_out(n, c, &c->send, total, at, b, MPII_NODE_OTHERS);
            continue;
        }
        e = mpii_node_enter(n, 0, c->call);
        mpii_node_wait(n, c->root, e, c->call);
        err = mismatch(n, c->root, e, total);
        take_in(n, mpii_coll_whole(&c->recv), c->root, e, at, b);
    }
    if (root && !c->in_place)
        mpii_node_keep(mpii_coll_whole(&c->recv), mpii_coll_part(c, &c->send, n->rank));
    return err;
}

/* ---- allgather: everybody knows all sizes ---- */

static MPI_Count largest_part(const struct mpii_node *n, const struct mpii_coll_call *c)
{
    MPI_Count most = 0;

    for (int i = 0; i < (c->uneven ? n->size : 1); i++) {
        MPI_Count b = mpii_part_size(mpii_coll_part(c, &c->recv, i));

        most = b > most ? b : most;
    }
    return most;
}

int mpii_node_allgather(struct mpii_node *n, const struct mpii_coll_call *c)
{
    struct mpii_part mine = mpii_coll_part(c, &c->recv, n->rank), own = c->in_place ? mine : mpii_coll_whole(&c->send);
    MPI_Count total = largest_part(n, c);
    int err = MPI_SUCCESS;

    for (MPI_Count at = 0; at < total; at += NODE_WIDE) {
        MPI_Count b = least(NODE_WIDE, mpii_part_size(mine) - at);
        uint64_t e = mpii_node_enter(n, b, c->call);

        if (b > 0)
            mpii_node_put(mpii_node_slot(n, n->rank, e, b), own, at, b);
        mpii_node_post(n, e, total, MPII_NODE_ALL);
        mpii_node_wait_all(n, e, c->call);
        err = any_mismatch(n, e, total);
        for (int k = 1; k < n->size; k++) {
            int i = (n->rank + k) % n->size;
            struct mpii_part p = mpii_coll_part(c, &c->recv, i);

            b = least(NODE_WIDE, mpii_part_size(p) - at);
            if (b > 0)
                mpii_node_get(p, at, mpii_node_slot(n, i, e, b), b);
        }
    }
    if (!c->in_place)
        mpii_node_keep(mine, own);
    return err;
}

/* ---- alltoall ---- */

int mpii_node_alltoall(struct mpii_node *n, const struct mpii_coll_call *c)
{
    const struct mpii_side *from = c->in_place ? &c->recv : &c->send;
    struct mpii_part mine = mpii_coll_part(c, &c->recv, n->rank), own = mpii_coll_part(c, from, n->rank);
    MPI_Count total = mpii_part_size(mine);
    MPI_Count share = share_for(n, total);
    int err = MPI_SUCCESS;

    for (MPI_Count at = 0; at < total; at += share) {
        MPI_Count b = least(share, total - at);
        uint64_t e = hand_out(n, c, from, total, at, b, MPII_NODE_ALL);

        mpii_node_wait_all(n, e, c->call);
        err = any_mismatch(n, e, total);
        for (int k = 1; k < n->size; k++) {
            int i = (n->rank + k) % n->size;

            take_in(n, mpii_coll_part(c, &c->recv, i), i, e, at, b);
        }
    }
    if (!c->in_place)
        mpii_node_keep(mine, own);
    return err;
}

/* ---- v and w forms: what a pair has beyond its share goes by message ---- */

struct pairs {
    struct mpii_node *n;
    const struct mpii_coll_call *c;
    uint64_t e;
    MPI_Count share;
    struct mpii_sched *rest;
};

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

static void pair_out(struct pairs *x, struct mpii_part p, int to, MPI_Count at)
{
    MPI_Count b = mpii_part_size(p);

    if (b > x->share)
        mpii_sched_send(x->rest, p, to);
    else if (b > 0)
        mpii_node_put(pair_slot(x, x->n->rank) + at, p, 0, b);
}

static void pair_in(struct pairs *x, struct mpii_part p, int from, MPI_Count at)
{
    MPI_Count b = mpii_part_size(p);

    if (b > x->share)
        mpii_sched_recv(x->rest, p, from);
    else if (b > 0)
        mpii_node_get(p, 0, pair_slot(x, from) + at, b);
}

static int pairs_end(struct pairs *x)
{
    int err = mpii_sched_spoiled(x->rest) ? MPI_ERR_NO_MEM : mpii_sched_run(x->rest, x->c->call);

    mpii_sched_free(x->rest);
    return err;
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
        mpii_node_keep(mpii_coll_part(c, &c->recv, n->rank), mpii_coll_whole(&c->send));
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
        mpii_node_keep(mpii_coll_whole(&c->recv), mpii_coll_part(c, &c->send, n->rank));
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
    mpii_node_keep(in, out);
    return pairs_end(&x);
}
