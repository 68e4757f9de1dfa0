/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Schedules of collectives between the two groups of an intercommunicator: what
 * one group has goes to the other. Trees run within a group, over its local
 * communicator; between the groups the ranks 0 speak for theirs.
 */
#include "mpi/collective/coll.h"

void mpii_build_inter_barrier(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    struct mpii_comm *local = c->comm->local;
    struct mpii_part nothing = mpii_part_bytes(NULL, 0);

    mpii_sched_over(s, local);
    mpii_build_barrier_over(s, local);
    if (c->comm->rank == 0) {
        mpii_sched_over(s, c->comm);
        mpii_sched_recv(s, nothing, 0);
        mpii_sched_send(s, nothing, 0);
        mpii_sched_wait_all(s);
        mpii_sched_over(s, local);
    }
    mpii_build_bcast_over(s, local, nothing, 0);
}

void mpii_build_inter_bcast(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    struct mpii_part p = mpii_coll_whole(&c->data.recv);

    if (c->data.root == MPI_PROC_NULL)
        return;
    if (c->data.root == MPI_ROOT) {
        mpii_sched_send(s, p, 0);
        return;
    }
    if (c->comm->rank == 0) {
        mpii_sched_recv(s, p, c->data.root);
        mpii_sched_wait_all(s);
    }
    mpii_sched_over(s, c->comm->local);
    mpii_build_bcast_over(s, c->comm->local, p, 0);
}

/* With everybody of the other group, as far as there is data. */
static void exchange(struct mpii_sched *s, const struct mpii_coll_call *c, const struct coll_side *out,
                     const struct coll_side *in)
{
    int n = c->comm->nprocs, first = c->comm->rank % n;

    for (int k = 0; k < n; k++) {
        int to = (first + k) % n, from = (first - k + n) % n;

        if (in) {
            struct mpii_part p = mpii_coll_part(c, in, from);

            if (mpii_part_size(p) > 0)
                mpii_sched_recv(s, p, from);
        }
        if (out) {
            struct mpii_part p = c->data.kind == COLL_ALLGATHER ? mpii_coll_whole(out) : mpii_coll_part(c, out, to);

            if (mpii_part_size(p) > 0)
                mpii_sched_send(s, p, to);
        }
    }
}

void mpii_build_inter_gather(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    if (c->data.root == MPI_ROOT)
        exchange(s, c, NULL, &c->data.recv);
    else if (c->data.root != MPI_PROC_NULL && c->data.send.count > 0 && c->data.send.layout->size > 0)
        mpii_sched_send(s, mpii_coll_whole(&c->data.send), c->data.root);
}

void mpii_build_inter_scatter(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    if (c->data.root == MPI_ROOT)
        exchange(s, c, &c->data.send, NULL);
    else if (c->data.root != MPI_PROC_NULL && c->data.recv.count > 0 && c->data.recv.layout->size > 0)
        mpii_sched_recv(s, mpii_coll_whole(&c->data.recv), c->data.root);
}

/* allgather, alltoall */
void mpii_build_inter_all(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    exchange(s, c, &c->data.send, &c->data.recv);
}

/* This group's contributions combined, at its rank 0 (elsewhere: nothing). */
static struct mpii_part combine_group(struct mpii_sched *s, const struct mpii_coll_call *c, struct mpii_part own)
{
    struct mpii_comm *local = c->comm->local;
    struct mpii_part result = {NULL, own.count, own.type};

    if (local->rank == 0)
        result = mpii_sched_room(s, own.count, own.type);
    mpii_sched_over(s, local);
    mpii_build_reduce_over(s, local, c->op, own, result, 0);
    mpii_sched_wait_all(s);
    mpii_sched_over(s, c->comm);
    return result;
}

void mpii_build_inter_reduce(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    struct mpii_part result;

    if (c->data.root == MPI_PROC_NULL)
        return;
    if (c->data.root == MPI_ROOT) {
        mpii_sched_recv(s, mpii_coll_whole(&c->data.recv), 0);
        return;
    }
    result =
        combine_group(s, c, (struct mpii_part){c->data.send.buf, c->data.recv.count, mpii_side_type(&c->data.recv)});
    if (c->comm->rank == 0)
        mpii_sched_send(s, result, c->data.root);
}

void mpii_build_inter_allreduce(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    struct mpii_part result = mpii_coll_whole(&c->data.recv);
    struct mpii_part ours = combine_group(s, c, (struct mpii_part){c->data.send.buf, result.count, result.type});

    if (c->comm->rank == 0) {
        mpii_sched_recv(s, result, 0);
        mpii_sched_send(s, ours, 0);
        mpii_sched_wait_all(s);
    }
    mpii_sched_over(s, c->comm->local);
    mpii_build_bcast_over(s, c->comm->local, result, 0);
}

/* Counts are of the local group's ranks; both groups' add up to the same. */
void mpii_build_inter_reduce_scatter(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    struct mpii_comm *comm = c->comm;
    MPI_Count total = 0, at = 0;
    struct mpii_part ours, theirs;

    for (int i = 0; i < comm->size; i++)
        total += c->data.recv.counts ? mpii_int_at(c->data.recv.counts, i, c->wide) : c->data.recv.count;
    ours = combine_group(s, c, (struct mpii_part){c->data.send.buf, total, mpii_side_type(&c->data.recv)});
    theirs = ours;
    if (comm->rank == 0) {
        theirs = mpii_sched_room(s, total, mpii_side_type(&c->data.recv));
        mpii_sched_recv(s, theirs, 0);
        mpii_sched_send(s, ours, 0);
        mpii_sched_wait_all(s);
    }
    mpii_sched_over(s, comm->local);
    for (int i = 0; i < comm->size; i++) {
        MPI_Count n = c->data.recv.counts ? mpii_int_at(c->data.recv.counts, i, c->wide) : c->data.recv.count;
        struct mpii_part mine = {c->data.recv.buf, n, mpii_side_type(&c->data.recv)};

        if (comm->rank == 0 && i == 0)
            mpii_sched_copy(s, mine, mpii_part_of(theirs, at, n));
        else if (comm->rank == 0)
            mpii_sched_send(s, mpii_part_of(theirs, at, n), i);
        else if (comm->rank == i)
            mpii_sched_recv(s, mine, 0);
        at += n;
    }
}
