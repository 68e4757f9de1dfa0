/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Schedules of gather and scatter: binomial trees of packed blocks for many
 * ranks with little data, and straight messages for all else (and the v forms).
 */
#include "mpi/collective/coll.h"

enum { WINDOW = 32 }; /* messages under way at the root */

static bool at_root(const struct mpii_coll_call *c)
{
    return c->comm->rank == c->data.root;
}

void mpii_build_gather_all(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    if (!at_root(c)) {
        if (c->data.send.count > 0 && c->data.send.layout->size > 0)
            mpii_sched_send(s, mpii_coll_whole(&c->data.send), c->data.root);
        return;
    }
    for (int i = 0, n = 0; i < c->comm->size; i++) {
        struct mpii_part p = mpii_coll_part(c, &c->data.recv, i);

        if (i == c->data.root && !c->data.in_place)
            mpii_sched_copy(s, p, mpii_coll_whole(&c->data.send));
        if (i == c->data.root || mpii_part_size(p) == 0)
            continue;
        mpii_sched_recv(s, p, i);
        if (++n % WINDOW == 0)
            mpii_sched_wait_all(s);
    }
}

void mpii_build_scatter_all(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    if (!at_root(c)) {
        if (c->data.recv.count > 0 && c->data.recv.layout->size > 0)
            mpii_sched_recv(s, mpii_coll_whole(&c->data.recv), c->data.root);
        return;
    }
    for (int i = 0, n = 0; i < c->comm->size; i++) {
        struct mpii_part p = mpii_coll_part(c, &c->data.send, i);

        if (i == c->data.root || mpii_part_size(p) == 0)
            continue;
        mpii_sched_send(s, p, i);
        if (++n % WINDOW == 0)
            mpii_sched_wait_all(s);
    }
    if (!c->data.in_place)
        mpii_sched_copy(s, mpii_coll_whole(&c->data.recv), mpii_coll_part(c, &c->data.send, c->data.root));
}

/* A rank's subtree in the binomial tree: itself and those after it, seen from root. */
struct subtree {
    int relative, apart, n; /* the rank relative to the root; the distance to its parent */
};

static struct subtree subtree_of(const struct mpii_coll_call *c)
{
    int size = c->comm->size;
    struct subtree t = {.relative = (c->comm->rank - c->data.root + size) % size, .apart = 1};

    for (; t.apart < size && !(t.relative & t.apart); t.apart *= 2)
        ;
    t.n = t.apart < size - t.relative ? t.apart : size - t.relative;
    return t;
}

static int rank_at(const struct mpii_coll_call *c, int relative)
{
    return (c->data.root + relative) % c->comm->size;
}

static int limited(int n, int most)
{
    return n < most ? n : most;
}

/* Blocks lie in `packed` from the rank itself on; b bytes each. */
void mpii_build_gather_tree(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    struct subtree t = subtree_of(c);
    bool root = t.relative == 0;
    struct mpii_part own = root ? mpii_coll_part(c, &c->data.recv, c->data.root) : mpii_coll_whole(&c->data.send);
    MPI_Count b = mpii_part_size(own);
    struct mpii_part packed;

    if (!root && t.n == 1) {
        mpii_sched_send(s, own, rank_at(c, t.relative - t.apart));
        return;
    }
    packed = mpii_part_bytes(mpii_sched_bytes(s, b * t.n), b * t.n);
    for (int apart = 1; apart < t.apart && apart < t.n; apart *= 2)
        mpii_sched_recv(s, mpii_part_of(packed, b * apart, b * limited(apart, t.n - apart)),
                        rank_at(c, t.relative + apart));
    if (!root)
        mpii_sched_copy(s, mpii_part_of(packed, 0, b), own);
    else if (!c->data.in_place)
        mpii_sched_copy(s, own, mpii_coll_whole(&c->data.send));
    mpii_sched_wait_all(s);
    if (!root) {
        mpii_sched_send(s, packed, rank_at(c, t.relative - t.apart));
        return;
    }
    for (int i = 1; i < t.n; i++)
        mpii_sched_copy(s, mpii_coll_part(c, &c->data.recv, rank_at(c, i)), mpii_part_of(packed, b * i, b));
}

void mpii_build_scatter_tree(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    struct subtree t = subtree_of(c);
    bool root = t.relative == 0;
    struct mpii_part own = root ? mpii_coll_part(c, &c->data.send, c->data.root) : mpii_coll_whole(&c->data.recv);
    MPI_Count b = mpii_part_size(own);
    struct mpii_part packed;

    if (!root && t.n == 1) {
        mpii_sched_recv(s, own, rank_at(c, t.relative - t.apart));
        return;
    }
    packed = mpii_part_bytes(mpii_sched_bytes(s, b * t.n), b * t.n);
    if (root) {
        for (int i = 1; i < t.n; i++)
            mpii_sched_copy(s, mpii_part_of(packed, b * i, b), mpii_coll_part(c, &c->data.send, rank_at(c, i)));
    } else {
        mpii_sched_recv(s, packed, rank_at(c, t.relative - t.apart));
        mpii_sched_wait_all(s);
    }
    for (int apart = t.apart / 2; apart > 0; apart /= 2)
        if (apart < t.n)
            mpii_sched_send(s, mpii_part_of(packed, b * apart, b * limited(apart, t.n - apart)),
                            rank_at(c, t.relative + apart));
    if (!root)
        mpii_sched_copy(s, own, mpii_part_of(packed, 0, b));
    else if (!c->data.in_place)
        mpii_sched_copy(s, mpii_coll_whole(&c->data.recv), own);
}
