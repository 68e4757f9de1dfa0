/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Schedules of barriers and broadcasts: dissemination; a binomial tree for what
 * is short; scattering and a ring for what is long, where each link carries the
 * data about twice instead of log2(P) times.
 */
#include "mpi/collective/coll.h"

void mpii_build_barrier_over(struct mpii_sched *s, const struct mpii_comm *comm)
{
    struct mpii_part nothing = mpii_part_bytes(NULL, 0);

    for (int apart = 1; apart < comm->size; apart *= 2) {
        mpii_sched_recv(s, nothing, (comm->rank - apart + comm->size) % comm->size);
        mpii_sched_send(s, nothing, (comm->rank + apart) % comm->size);
        mpii_sched_wait_all(s);
    }
}

void mpii_build_barrier(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    mpii_build_barrier_over(s, c->comm);
}

void mpii_build_bcast_over(struct mpii_sched *s, const struct mpii_comm *comm, struct mpii_part p, int root)
{
    int size = comm->size, relative = (comm->rank - root + size) % size, apart = 1;

    for (; apart < size && !(relative & apart); apart *= 2)
        ;
    if (relative != 0) {
        mpii_sched_recv(s, p, (comm->rank - apart + size) % size);
        mpii_sched_wait_all(s);
    }
    for (apart /= 2; apart > 0; apart /= 2)
        if (relative + apart < size)
            mpii_sched_send(s, p, (comm->rank + apart) % size);
}

enum { RING_RANKS = 4 }; /* as in the table; of fewer, all take the tree */

void mpii_build_bcast_tree(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    if (c->comm->size >= RING_RANKS)
        mpii_sched_in_parts(s, false, c->data.where);
    mpii_build_bcast_over(s, c->comm, mpii_coll_whole(&c->data.recv), c->data.root);
}

/* Bytes [first, first + n) blocks of b in all, cut at the end of the whole. */
static struct mpii_part cut(struct mpii_part whole, MPI_Count b, MPI_Count first, MPI_Count n)
{
    MPI_Count from = first * b, to = (first + n) * b;

    from = from < whole.count ? from : whole.count;
    to = to < whole.count ? to : whole.count;
    return mpii_part_of(whole, from, to - from);
}

/* Block i belongs to relative rank i: the root is 0. */
static void scatter_blocks(struct mpii_sched *s, const struct mpii_coll_call *c, struct mpii_part whole, MPI_Count b)
{
    int size = c->comm->size, rank = c->comm->rank, relative = (rank - c->data.root + size) % size, apart = 1;

    for (; apart < size && !(relative & apart); apart *= 2)
        ;
    if (relative != 0) {
        mpii_sched_recv(s, cut(whole, b, relative, apart), (rank - apart + size) % size);
        mpii_sched_wait_all(s);
    }
    for (apart /= 2; apart > 0; apart /= 2)
        if (relative + apart < size)
            mpii_sched_send(s, cut(whole, b, relative + apart, apart), (rank + apart) % size);
}

void mpii_build_bcast_ring(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    int size = c->comm->size, rank = c->comm->rank, relative = (rank - c->data.root + size) % size;
    struct mpii_part data = mpii_coll_whole(&c->data.recv);
    MPI_Count n = mpii_part_size(data), b = (n + size - 1) / size;
    bool dense = data.type->dense;
    struct mpii_part whole = mpii_part_bytes(dense ? (char *)data.at + data.type->true_lb : mpii_sched_bytes(s, n), n);

    mpii_sched_in_parts(s, true, c->data.where);
    if (!dense && relative == 0)
        mpii_sched_copy(s, whole, data);
    scatter_blocks(s, c, whole, b);
    for (int i = 0; i < size - 1; i++) {
        mpii_sched_recv(s, cut(whole, b, (relative - i - 1 + size) % size, 1), (rank - 1 + size) % size);
        mpii_sched_send(s, cut(whole, b, (relative - i + size) % size, 1), (rank + 1) % size);
        mpii_sched_wait_all(s);
    }
    if (!dense && relative != 0)
        mpii_sched_copy(s, data, whole);
}
