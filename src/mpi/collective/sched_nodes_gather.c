/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Schedules of allgathers and alltoalls of short blocks over several nodes: a node's
 * blocks meet at its leader, leaders exchange those of whole nodes, and each hands its
 * own members theirs.
 */
#include <stdlib.h>

#include "mpi/collective/sched_nodes.h"

/* Blocks lie node by node, in rank order within each. */
struct layout {
    int *start; /* the first block's number of each node, and behind the last */
    int *block; /* the number of each rank's block */
};

static struct layout lay_out(const struct mpii_nodes *n, int size)
{
    int nodes = n->leaders_n, *all = calloc((size_t)(nodes + 1 + size), sizeof *all);
    struct layout l = {all, all + nodes + 1};

    if (!all)
        core_fatal("out of memory for the blocks of %d ranks", size);
    for (int i = 0; i < size; i++)
        l.block[i] = l.start[n->number[i] + 1]++;
    for (int k = 0; k < nodes; k++)
        l.start[k + 1] += l.start[k];
    for (int i = 0; i < size; i++)
        l.block[i] += l.start[n->number[i]];
    return l;
}

static void collect_and_exchange(struct mpii_sched *s, const struct mpii_nodes *n, const struct layout *l,
                                 struct mpii_part packed, MPI_Count b)
{
    struct mpii_part ours = mpii_part_of(packed, b * l->start[n->mine], b * n->here_n);

    for (int k = 1; k < n->here_n; k++)
        mpii_sched_recv(s, mpii_part_of(packed, b * l->block[n->here[k]], b), n->here[k]);
    mpii_sched_wait_all(s);
    for (int i = 1; i < n->leaders_n; i++) {
        int to = (n->mine + i) % n->leaders_n, from = (n->mine - i + n->leaders_n) % n->leaders_n;

        mpii_sched_recv(s, mpii_part_of(packed, b * l->start[from], b * (l->start[from + 1] - l->start[from])),
                        n->leaders[from]);
        mpii_sched_send(s, ours, n->leaders[to]);
    }
    mpii_sched_wait_all(s);
}

void mpii_build_allgather_nodes(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    const struct mpii_nodes *n = mpii_nodes_of(c->comm);
    int size = c->comm->size, rank = c->comm->rank;
    struct layout l = lay_out(n, size);
    struct mpii_part own = c->data.in_place ? mpii_coll_part(c, &c->data.recv, rank) : mpii_coll_whole(&c->data.send);
    MPI_Count b = mpii_part_size(mpii_coll_part(c, &c->data.recv, rank));
    struct mpii_part packed = mpii_part_bytes(mpii_sched_bytes(s, b * size), b * size);

    if (n->mine >= 0) {
        mpii_sched_copy(s, mpii_part_of(packed, b * l.block[rank], b), own);
        collect_and_exchange(s, n, &l, packed, b);
    } else
        mpii_sched_send(s, own, n->here[0]);
    mpii_nodes_spread(s, mpii_nodes_here(n), packed, 0);
    for (int i = 0; i < size; i++)
        mpii_sched_copy(s, mpii_coll_part(c, &c->data.recv, i), mpii_part_of(packed, b * l.block[i], b));
    free(l.start);
}

/* ---- alltoall ---- */

/* What leads from one list of blocks to another, all of b bytes: n of them from number `from` to number `to`. */
static void move(struct mpii_sched *s, MPI_Count b, struct mpii_part to, MPI_Count at, struct mpii_part from,
                 MPI_Count first, MPI_Count n)
{
    mpii_sched_copy(s, mpii_part_of(to, b * at, b * n), mpii_part_of(from, b * first, b * n));
}

/* The leader's part. out: the blocks of each member here, one after the other; in: those for them, likewise. A bundle
 * from node to node has for each sender the blocks for all who get some. */
static void exchange_bundles(struct mpii_sched *s, const struct mpii_nodes *n, const struct layout *l,
                             struct mpii_part out, struct mpii_part in, MPI_Count b, int size)
{
    int here = n->here_n, ours = l->start[n->mine];
    struct mpii_part going = mpii_part_bytes(mpii_sched_bytes(s, b * size * here), b * size * here);
    struct mpii_part coming = mpii_part_bytes(mpii_sched_bytes(s, b * size * here), b * size * here);

    for (int i = 1; i < n->leaders_n; i++) {
        int to = (n->mine + i) % n->leaders_n, first = l->start[to], there = l->start[to + 1] - first;

        for (int k = 0; k < here; k++)
            move(s, b, going, (MPI_Count)first * here + k * there, out, (MPI_Count)k * size + first, there);
        mpii_sched_recv(s, mpii_part_of(coming, b * first * here, b * there * here), n->leaders[to]);
        mpii_sched_send(s, mpii_part_of(going, b * first * here, b * there * here), n->leaders[to]);
    }
    mpii_sched_wait_all(s);
    for (int k = 0; k < here; k++)
        for (int from = 0; from < size; from++)
            if (from >= ours && from < ours + here)
                move(s, b, in, (MPI_Count)k * size + from, out, (MPI_Count)(from - ours) * size + ours + k, 1);
            else
                move(s, b, in, (MPI_Count)k * size + from, coming, (MPI_Count)from * here + k, 1);
}

void mpii_build_alltoall_nodes(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    const struct mpii_nodes *n = mpii_nodes_of(c->comm);
    const struct coll_side *given = c->data.in_place ? &c->data.recv : &c->data.send;
    int size = c->comm->size, members = n->mine >= 0 ? n->here_n : 1;
    struct layout l = lay_out(n, size);
    MPI_Count b = mpii_part_size(mpii_coll_part(c, &c->data.recv, 0)), row = b * size;
    struct mpii_part out = mpii_part_bytes(mpii_sched_bytes(s, row * members), row * members);
    struct mpii_part in = mpii_part_bytes(mpii_sched_bytes(s, row * members), row * members);

    for (int i = 0; i < size; i++)
        mpii_sched_copy(s, mpii_part_of(out, b * l.block[i], b), mpii_coll_part(c, given, i));
    if (n->mine < 0) {
        mpii_sched_recv(s, in, n->here[0]);
        mpii_sched_send(s, out, n->here[0]);
        mpii_sched_wait_all(s);
    } else {
        for (int k = 1; k < members; k++)
            mpii_sched_recv(s, mpii_part_of(out, row * k, row), n->here[k]);
        mpii_sched_wait_all(s);
        exchange_bundles(s, n, &l, out, in, b, size);
        for (int k = 1; k < members; k++)
            mpii_sched_send(s, mpii_part_of(in, row * k, row), n->here[k]);
    }
    for (int i = 0; i < size; i++)
        mpii_sched_copy(s, mpii_coll_part(c, &c->data.recv, i), mpii_part_of(in, b * l.block[i], b));
    free(l.start);
}
