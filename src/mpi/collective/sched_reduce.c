/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Schedules of reductions. All combine in rank order with a bracketing that is
 * the same for all ranks, but for the rings, which serve operations that
 * commute: reduce-scatter round the ring, then gathering.
 */
#include "mpi/collective/coll.h"

/* Pieces of a vector: piece i of `n`, as equal as can be. */
static struct mpii_part piece(struct mpii_part whole, int i, int n)
{
    MPI_Count each = whole.count / n, more = whole.count % n, first = each * i + (i < more ? i : more);

    return mpii_part_of(whole, first, each + (i < more));
}

/* An accumulator in two rooms that take turns: combining leaves the result where the later ranks' part came to. */
struct turns {
    struct mpii_part have, spare;
};

static void combine_later(struct mpii_sched *s, struct mpii_op *op, struct turns *t)
{
    struct mpii_part have = t->have;

    mpii_sched_reduce(s, op, have.at, t->spare);
    t->have = t->spare;
    t->spare = have;
}

/* The tree of ranks 0 ... size-1, rooted at 0; what it makes goes to root. */
void mpii_build_reduce_over(struct mpii_sched *s, const struct mpii_comm *comm, struct mpii_op *op,
                            struct mpii_part own, struct mpii_part result, int root)
{
    int size = comm->size, rank = comm->rank, first = 0;
    struct turns t = {.have = own};

    if (op->commutes) /* then the tree may begin anywhere */
        first = root;
    rank = (rank - first + size) % size;
    for (int apart = 1; apart < size && !(rank & apart); apart *= 2) {
        if (rank + apart >= size)
            continue;
        if (!t.spare.at || t.spare.at == own.at)
            t.spare = mpii_sched_room(s, own.count, own.type);
        mpii_sched_recv(s, t.spare, (rank + apart + first) % size);
        mpii_sched_wait_all(s);
        combine_later(s, op, &t);
    }
    if (rank != 0)
        mpii_sched_send(s, t.have, ((rank & (rank - 1)) + first) % size);
    else if (first == root)
        mpii_sched_copy(s, result, t.have);
    else
        mpii_sched_send(s, t.have, root);
    if (comm->rank == root && first != root) {
        mpii_sched_wait_all(s); /* result may be where own is */
        mpii_sched_recv(s, result, first);
    }
}

void mpii_build_reduce_tree(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    mpii_build_reduce_over(s, c->comm, c->op, mpii_coll_own(c), mpii_coll_whole(&c->data.recv), c->data.root);
}

/* Round the ring: in the end piece `rank` of acc is the sum of everybody's. */
static void ring_reduce(struct mpii_sched *s, const struct mpii_coll_call *c, struct mpii_part acc)
{
    int size = c->comm->size, rank = c->comm->rank;
    struct mpii_part room = mpii_sched_room(s, acc.count / size + 1, acc.type);

    for (int i = 0; i < size - 1; i++) {
        struct mpii_part out = piece(acc, (rank - i - 1 + size) % size, size),
                         in = piece(acc, (rank - i - 2 + 2 * size) % size, size);
        struct mpii_part came = mpii_part_of(room, 0, in.count);

        mpii_sched_recv(s, came, (rank - 1 + size) % size);
        mpii_sched_send(s, out, (rank + 1) % size);
        mpii_sched_wait_all(s);
        mpii_sched_reduce(s, c->op, came.at, in);
    }
}

void mpii_build_reduce_ring(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    int size = c->comm->size, rank = c->comm->rank;
    struct mpii_part own = mpii_coll_own(c), acc = rank == c->data.root ? mpii_coll_whole(&c->data.recv)
                                                                        : mpii_sched_room(s, own.count, own.type);

    mpii_sched_copy(s, acc, own);
    ring_reduce(s, c, acc);
    if (rank != c->data.root)
        mpii_sched_send(s, piece(acc, rank, size), c->data.root);
    else
        for (int i = 0; i < size; i++)
            if (i != rank)
                mpii_sched_recv(s, piece(acc, i, size), i);
}

void mpii_build_allreduce_ring(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    int size = c->comm->size, rank = c->comm->rank;
    struct mpii_part acc = mpii_coll_whole(&c->data.recv);

    mpii_sched_copy(s, acc, mpii_coll_own(c));
    ring_reduce(s, c, acc);
    for (int i = 0; i < size - 1; i++) {
        mpii_sched_recv(s, piece(acc, (rank - i - 1 + size) % size, size), (rank - 1 + size) % size);
        mpii_sched_send(s, piece(acc, (rank - i + size) % size, size), (rank + 1) % size);
        mpii_sched_wait_all(s);
    }
}

/* Rank of number i in a list; no list: all ranks. */
static int nth(const int *ranks, int i)
{
    return ranks ? ranks[i] : i;
}

/* Doubling, those beyond a power of two folded in pairs of neighbours first: one
 * that takes part stands for consecutive ones, so the order is kept. */
void mpii_build_doubling_among(struct mpii_sched *s, const int *ranks, int size, int me, struct mpii_op *op,
                               struct mpii_part result)
{
    int pow2 = 1, folded, relative;
    struct turns t = {result, mpii_sched_room(s, result.count, result.type)};

    while (pow2 * 2 <= size)
        pow2 *= 2;
    folded = 2 * (size - pow2);
    if (me < folded && me % 2 == 0) {
        mpii_sched_send(s, t.have, nth(ranks, me + 1));
        mpii_sched_wait_all(s);
        mpii_sched_recv(s, result, nth(ranks, me + 1));
        mpii_sched_wait_all(s);
        return;
    }
    if (me < folded) {
        mpii_sched_recv(s, t.spare, nth(ranks, me - 1));
        mpii_sched_wait_all(s);
        mpii_sched_reduce(s, op, t.spare.at, t.have);
    }
    relative = me < folded ? me / 2 : me - folded / 2;
    for (int apart = 1; apart < pow2; apart *= 2) {
        int other = relative ^ apart, peer = nth(ranks, other < folded / 2 ? 2 * other + 1 : other + folded / 2);

        mpii_sched_recv(s, t.spare, peer);
        mpii_sched_send(s, t.have, peer);
        mpii_sched_wait_all(s);
        if (other < relative)
            mpii_sched_reduce(s, op, t.spare.at, t.have);
        else
            combine_later(s, op, &t);
    }
    mpii_sched_copy(s, result, t.have);
    if (me < folded)
        mpii_sched_send(s, result, nth(ranks, me - 1));
}

void mpii_build_allreduce_doubling(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    struct mpii_part result = mpii_coll_whole(&c->data.recv);

    mpii_sched_copy(s, result, mpii_coll_own(c));
    mpii_build_doubling_among(s, NULL, c->comm->size, c->comm->rank, c->op, result);
}

/* The tree of a list, rooted at its first. */
void mpii_build_reduce_among(struct mpii_sched *s, const int *ranks, int size, int me, struct mpii_op *op,
                             struct mpii_part own, struct mpii_part result)
{
    struct turns t = {result, {0}};
    int apart = 1;

    mpii_sched_copy(s, result, own);
    for (; apart < size && !(me & apart); apart *= 2) {
        if (me + apart >= size)
            continue;
        if (!t.spare.at)
            t.spare = mpii_sched_room(s, own.count, own.type);
        mpii_sched_recv(s, t.spare, nth(ranks, me + apart));
        mpii_sched_wait_all(s);
        combine_later(s, op, &t);
    }
    if (me != 0)
        mpii_sched_send(s, t.have, nth(ranks, me - apart));
    else
        mpii_sched_copy(s, result, t.have);
}

/* ---- reduce_scatter: the receive side has counts (or the same count for all) ---- */

/* Where rank i's part of the contribution begins, in elements. */
static MPI_Count begins(const struct mpii_coll_call *c, int i)
{
    MPI_Count at = 0;

    if (!c->data.recv.counts)
        return i * c->data.recv.count;
    for (int k = 0; k < i; k++)
        at += mpii_int_at(c->data.recv.counts, k, c->wide);
    return at;
}

static struct mpii_part share(const struct mpii_coll_call *c, void *at, int i)
{
    MPI_Count n = c->data.recv.counts ? mpii_int_at(c->data.recv.counts, i, c->wide) : c->data.recv.count;

    return mpii_part_of((struct mpii_part){at, 0, mpii_side_type(&c->data.recv)}, begins(c, i), n);
}

/* Each rank collects its part from the others, one after the other. */
void mpii_build_reduce_scatter_pairs(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    int size = c->comm->size, rank = c->comm->rank;
    void *in = c->data.in_place ? c->data.recv.buf : c->data.send.buf;
    struct mpii_part mine = share(c, in, rank), result = {c->data.recv.buf, mine.count, mine.type};
    struct mpii_part acc = c->data.in_place ? mpii_sched_room(s, mine.count, mine.type) : result;
    struct mpii_part came = mpii_sched_room(s, mine.count, mine.type);

    mpii_sched_copy(s, acc, mine);
    for (int i = 1; i < size; i++) {
        struct mpii_part out = share(c, in, (rank + i) % size);

        if (mine.count > 0)
            mpii_sched_recv(s, came, (rank - i + size) % size);
        if (out.count > 0)
            mpii_sched_send(s, out, (rank + i) % size);
        mpii_sched_wait_all(s);
        mpii_sched_reduce(s, c->op, came.at, acc);
    }
    mpii_sched_copy(s, result, acc);
}

/* In rank order: everything to rank 0, which deals it out. */
void mpii_build_reduce_scatter_root(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    int size = c->comm->size, rank = c->comm->rank;
    struct mpii_part own = {c->data.in_place ? c->data.recv.buf : c->data.send.buf, begins(c, size),
                            mpii_side_type(&c->data.recv)};
    struct mpii_part all = rank == 0 ? mpii_sched_room(s, own.count, own.type) : (struct mpii_part){NULL, 0, own.type};
    struct mpii_part mine = share(c, all.at, rank), result = {c->data.recv.buf, mine.count, mine.type};

    mpii_build_reduce_over(s, c->comm, c->op, own, all, 0);
    mpii_sched_wait_all(s);
    if (rank != 0) {
        mpii_sched_recv(s, result, 0);
        return;
    }
    for (int i = 1; i < size; i++)
        mpii_sched_send(s, share(c, all.at, i), i);
    mpii_sched_copy(s, result, mine);
}
