/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: which memory a collective reads and writes here (check/watch.h): one region for a side, or one for each rank
 * where counts and displacements say so.
 */
#include "mpi/check/watch.h"
#include "mpi/collective/coll_args.h"
#include "mpi/topo/topo.h"

struct watching {
    const void *owner;
    const struct mpii_coll_call *c;
};

static void add(const struct watching *w, const struct coll_side *side, struct mpii_part p)
{
    bool sends = side == &w->c->data.send;

    mpii_watch_add(w->owner, w->c->data.where, sends ? MPII_WATCH_READS : MPII_WATCH_WRITES,
                   sends ? "sendbuf" : "recvbuf", p.at, p.count, p.type);
}

static void add_whole(const struct watching *w, const struct coll_side *side)
{
    add(w, side, mpii_coll_whole(side));
}

/* ranks: NULL, or which of them are nobody. */
static void add_parts(const struct watching *w, const struct coll_side *side, int n, const int *ranks)
{
    if (!side->counts && !side->types && !side->displs && !ranks) {
        struct mpii_part p = mpii_coll_whole(side);

        p.count *= n;
        add(w, side, p);
        return;
    }
    for (int i = 0; i < n; i++)
        if (!ranks || ranks[i] != MPI_PROC_NULL)
            add(w, side, mpii_coll_part(w->c, side, i));
}

static void add_bcast(const struct watching *w)
{
    const struct mpii_coll_call *c = w->c;
    struct mpii_part p = mpii_coll_whole(&c->data.recv);

    mpii_watch_add(w->owner, c->data.where, mpii_coll_is_root(c) ? MPII_WATCH_READS : MPII_WATCH_WRITES, "buffer", p.at,
                   p.count, p.type);
}

/* Does this rank give data to the root, or take its part from it? */
static bool has_own_part(const struct mpii_coll_call *c)
{
    return mpii_coll_is_leaf(c) || (mpii_coll_is_root(c) && !c->comm->inter && !c->data.in_place);
}

static void add_reduce_scatter(const struct watching *w)
{
    const struct coll_side *recv = &w->c->data.recv;
    struct mpii_part all = mpii_coll_whole(recv);

    if (recv->counts) {
        all.count = 0;
        for (int i = 0; i < w->c->comm->size; i++)
            all.count += mpii_int_at(recv->counts, i, w->c->wide);
    } else {
        all.count *= w->c->comm->size;
    }
    if (w->c->data.in_place) {
        add(w, recv, all);
        return;
    }
    add_whole(w, recv);
    all.at = w->c->data.send.buf;
    add(w, &w->c->data.send, all);
}

static void add_neighbor(const struct watching *w)
{
    const struct mpii_coll_call *c = w->c;
    struct mpii_neighbours n;

    if (mpii_topo_neighbours(c->comm, &n) != MPI_SUCCESS)
        return;
    if (n.in > 0)
        add_parts(w, &c->data.recv, n.in, n.sources);
    if (n.out > 0 && c->data.kind == COLL_NEIGHBOR_ALLGATHER)
        add_whole(w, &c->data.send);
    else if (n.out > 0)
        add_parts(w, &c->data.send, n.out, n.destinations);
}

static void add_rooted(const struct watching *w)
{
    const struct mpii_coll_call *c = w->c;
    const bool gathers = c->data.kind != COLL_SCATTER;
    const struct coll_side *roots = gathers ? &c->data.recv : &c->data.send,
                           *own = gathers ? &c->data.send : &c->data.recv;

    if (mpii_coll_is_root(c) && c->data.kind == COLL_REDUCE)
        add_whole(w, roots);
    else if (mpii_coll_is_root(c))
        add_parts(w, roots, c->comm->nprocs, NULL);
    if (has_own_part(c))
        add_whole(w, own);
}

static void add_all(const struct watching *w)
{
    const struct mpii_coll_call *c = w->c;
    const bool parts = c->data.kind == COLL_ALLGATHER || c->data.kind == COLL_ALLTOALL;

    if (parts)
        add_parts(w, &c->data.recv, c->comm->nprocs, NULL);
    else
        add_whole(w, &c->data.recv);
    if (c->data.in_place)
        return;
    if (c->data.kind == COLL_ALLTOALL)
        add_parts(w, &c->data.send, c->comm->nprocs, NULL);
    else
        add_whole(w, &c->data.send);
}

static void add_sides(const void *owner, const struct mpii_coll_call *c)
{
    const struct watching w = {owner, c};

    if (c->data.root == MPI_PROC_NULL && c->comm->inter)
        return;
    switch (c->data.kind) {
    case COLL_BARRIER:
        return;
    case COLL_BROADCAST:
        add_bcast(&w);
        return;
    case COLL_GATHER:
    case COLL_SCATTER:
    case COLL_REDUCE:
        add_rooted(&w);
        return;
    case COLL_REDUCE_SCATTER:
        add_reduce_scatter(&w);
        return;
    case COLL_NEIGHBOR_ALLGATHER:
    case COLL_NEIGHBOR_ALLTOALL:
        add_neighbor(&w);
        return;
    default:
        add_all(&w);
    }
}

void mpii_coll_watch(struct mpii_request *r, const struct mpii_coll_call *c)
{
    add_sides(r, c);
    mpii_watch_request(r);
}

void mpii_coll_watch_now(const struct mpii_coll_call *c)
{
    add_sides(c, c);
    mpii_watch_pass(c);
}
