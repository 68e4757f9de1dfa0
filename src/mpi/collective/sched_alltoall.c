/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Schedules of allgather and alltoall: Bruck's for little data (log2(P)
 * messages), a ring and straight pairs for more (and the v and w forms).
 * J. Bruck et al., Efficient algorithms for all-to-all communications in
 * multiport message-passing systems, IEEE TPDS 8 (1997).
 */
#include "mpi/collective/coll.h"

enum { WINDOW = 16 }; /* pairs of messages under way */

/* ---- allgather ---- */

static void put_own_in_place(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    if (!c->data.in_place)
        mpii_sched_copy(s, mpii_coll_part(c, &c->data.recv, c->comm->rank), mpii_coll_whole(&c->data.send));
}

void mpii_build_allgather_ring(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    int size = c->comm->size, rank = c->comm->rank;

    put_own_in_place(s, c);
    for (int i = 0; i < size - 1; i++) {
        mpii_sched_recv(s, mpii_coll_part(c, &c->data.recv, (rank - i - 1 + size) % size), (rank - 1 + size) % size);
        mpii_sched_send(s, mpii_coll_part(c, &c->data.recv, (rank - i + size) % size), (rank + 1) % size);
        mpii_sched_wait_all(s);
    }
}

/* Block i of `packed` is of the rank i after this one. */
void mpii_build_allgather_bruck(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    int size = c->comm->size, rank = c->comm->rank;
    struct mpii_part own = mpii_coll_part(c, &c->data.recv, rank);
    MPI_Count b = mpii_part_size(own);
    struct mpii_part packed = mpii_part_bytes(mpii_sched_bytes(s, b * size), b * size);

    put_own_in_place(s, c);
    mpii_sched_copy(s, mpii_part_of(packed, 0, b), own);
    for (int have = 1; have < size; have *= 2) {
        int more = have < size - have ? have : size - have;

        mpii_sched_recv(s, mpii_part_of(packed, b * have, b * more), (rank + have) % size);
        mpii_sched_send(s, mpii_part_of(packed, 0, b * more), (rank - have + size) % size);
        mpii_sched_wait_all(s);
    }
    for (int i = 1; i < size; i++)
        mpii_sched_copy(s, mpii_coll_part(c, &c->data.recv, (rank + i) % size), mpii_part_of(packed, b * i, b));
}

/* ---- alltoall ---- */

/* What goes to rank i. In place: a packed copy made now, as the answer will be written over it. */
static struct mpii_part outgoing(struct mpii_sched *s, const struct mpii_coll_call *c, int i)
{
    struct mpii_part p, copy;

    if (!c->data.in_place)
        return mpii_coll_part(c, &c->data.send, i);
    p = mpii_coll_part(c, &c->data.recv, i);
    copy = mpii_part_bytes(mpii_sched_bytes(s, mpii_part_size(p)), mpii_part_size(p));
    mpii_sched_copy(s, copy, p);
    return copy;
}

void mpii_build_alltoall_pairs(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    int size = c->comm->size, rank = c->comm->rank;

    for (int i = 0; i < size; i++) {
        int to = (rank + i) % size, from = (rank - i + size) % size;
        struct mpii_part in = mpii_coll_part(c, &c->data.recv, from), out;

        if (c->data.in_place) { /* with the rank that gets what lies where its own comes: pairs of equals */
            to = from = (i - rank + size) % size;
            in = mpii_coll_part(c, &c->data.recv, from);
        }
        if (to == rank)
            continue;
        out = outgoing(s, c, to);
        if (mpii_part_size(in) > 0)
            mpii_sched_recv(s, in, from);
        if (mpii_part_size(out) > 0)
            mpii_sched_send(s, out, to);
        if ((i + 1) % WINDOW == 0)
            mpii_sched_wait_all(s);
    }
    if (!c->data.in_place)
        mpii_sched_copy(s, mpii_coll_part(c, &c->data.recv, rank), mpii_coll_part(c, &c->data.send, rank));
}

/* Blocks whose number has the bit `hop` go to the rank `hop` further. Copies between `blocks` and `bundle`. */
static MPI_Count bundle_up(struct mpii_sched *s, struct mpii_part blocks, struct mpii_part bundle, MPI_Count b,
                           int size, int hop, bool back)
{
    MPI_Count n = 0;

    for (int i = hop; i < size; i++) {
        struct mpii_part block = mpii_part_of(blocks, b * i, b), slot;

        if (!(i & hop))
            continue;
        slot = mpii_part_of(bundle, n, b);
        mpii_sched_copy(s, back ? block : slot, back ? slot : block);
        n += b;
    }
    return n;
}

void mpii_build_alltoall_bruck(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    int size = c->comm->size, rank = c->comm->rank;
    const struct coll_side *from = c->data.in_place ? &c->data.recv : &c->data.send;
    MPI_Count b = mpii_part_size(mpii_coll_part(c, &c->data.recv, 0)), half = b * ((size + 1) / 2);
    struct mpii_part blocks = mpii_part_bytes(mpii_sched_bytes(s, b * size), b * size);
    struct mpii_part out = mpii_part_bytes(mpii_sched_bytes(s, half), half);
    struct mpii_part in = mpii_part_bytes(mpii_sched_bytes(s, half), half);

    for (int i = 0; i < size; i++) /* block i: for the rank i after this one */
        mpii_sched_copy(s, mpii_part_of(blocks, b * i, b), mpii_coll_part(c, from, (rank + i) % size));
    for (int hop = 1; hop < size; hop *= 2) {
        MPI_Count n = bundle_up(s, blocks, out, b, size, hop, false);

        mpii_sched_recv(s, mpii_part_of(in, 0, n), (rank - hop + size) % size);
        mpii_sched_send(s, mpii_part_of(out, 0, n), (rank + hop) % size);
        mpii_sched_wait_all(s);
        bundle_up(s, blocks, in, b, size, hop, true);
    }
    for (int i = 0; i < size; i++) /* block i has come from the rank i before this one */
        mpii_sched_copy(s, mpii_coll_part(c, &c->data.recv, (rank - i + size) % size), mpii_part_of(blocks, b * i, b));
}
