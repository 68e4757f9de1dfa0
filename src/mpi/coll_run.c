/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running collective calls: what all ways share, blocking calls, and those the
 * library makes for itself.
 */
#include "mpi/coll_node.h"

struct mpii_part mpii_coll_part(const struct mpii_coll_call *c, const struct mpii_side *side, int i)
{
    struct mpii_part p = {side->buf, side->count, side->type};
    MPI_Count at = i;

    if (side->types)
        p.type = mpii_type_of(side->types[i]);
    if (side->counts)
        p.count = mpii_int_at(side->counts, i, c->wide);
    if (side->displs)
        at = mpii_int_at(side->displs, i, c->wide || side->wide_displs);
    else
        at *= p.count;
    p.at = (char *)side->buf + (side->types ? at : at * p.type->extent);
    return p;
}

enum { PERSISTENT_TAGS = 1 << 30 };

int mpii_coll_tag(struct mpii_comm *comm, bool persistent)
{
    int tag = (int)(comm->coll_count++ & (PERSISTENT_TAGS - 1));

    return persistent ? tag | PERSISTENT_TAGS : tag;
}

struct mpii_sched *mpii_coll_schedule(const struct mpii_coll_call *c, int tag, bool check)
{
    struct mpii_sched *s = mpii_sched_new(c->comm, tag);

    if (!s)
        return NULL;
    if (MPT_UNLIKELY(check))
        mpii_coll_check_steps(s, c);
    mpii_coll_choose(c)(s, c);
    if (!mpii_sched_spoiled(s))
        return s;
    mpii_sched_free(s);
    return NULL;
}

int mpii_coll_run(const struct mpii_coll_call *c)
{
    struct mpii_sched *s;
    int err;

    if (mpii_node_run(c, &err))
        return err;
    s = mpii_coll_schedule(c, mpii_coll_tag(c->comm, false), false);
    if (!s)
        return MPI_ERR_NO_MEM;
    err = mpii_sched_run(s, c->call);
    mpii_sched_free(s);
    return err;
}

/* ---- for the library's own use ---- */

static struct mpii_side bytes(const void *at, size_t n)
{
    struct mpii_part p = mpii_part_bytes((void *)(uintptr_t)at, (MPI_Count)n);

    return (struct mpii_side){.buf = p.at, .count = p.count, .type = p.type};
}

static struct mpii_side integers(int64_t *values, int n)
{
    return (struct mpii_side){.buf = values, .count = n, .type = mpii_type_of(MPI_INT64_T)};
}

int mpii_coll_barrier(struct mpii_comm *c)
{
    return mpii_coll_run(&(struct mpii_coll_call){.kind = MPII_BARRIER, .comm = c, .call = "MPI (a barrier)"});
}

int mpii_coll_bcast(struct mpii_comm *c, void *buf, size_t n, int root)
{
    return mpii_coll_run(&(struct mpii_coll_call){
        .kind = MPII_BCAST, .comm = c, .call = "MPI (a broadcast)", .recv = bytes(buf, n), .root = root});
}

int mpii_coll_gather(struct mpii_comm *c, const void *in, size_t n, void *out, int root)
{
    return mpii_coll_run(&(struct mpii_coll_call){
        .kind = MPII_GATHER, .comm = c, .call = "MPI (a gather)", .send = bytes(in, n), .recv = bytes(out, n), .root = root});
}

int mpii_coll_allgather(struct mpii_comm *c, const void *in, size_t n, void *out)
{
    return mpii_coll_run(&(struct mpii_coll_call){
        .kind = MPII_ALLGATHER, .comm = c, .call = "MPI (an allgather)", .send = bytes(in, n), .recv = bytes(out, n)});
}

int mpii_coll_allreduce(struct mpii_comm *c, int64_t *values, int n, MPI_Op op)
{
    return mpii_coll_run(&(struct mpii_coll_call){.kind = MPII_ALLREDUCE,
                                                  .comm = c,
                                                  .call = "MPI (an allreduce)",
                                                  .recv = integers(values, n),
                                                  .in_place = true,
                                                  .op = mpii_op_of(op)});
}

int mpii_coll_exscan(struct mpii_comm *c, int64_t *values, int n, MPI_Op op)
{
    int err = mpii_coll_run(&(struct mpii_coll_call){.kind = MPII_EXSCAN,
                                                     .comm = c,
                                                     .call = "MPI (an exscan)",
                                                     .recv = integers(values, n),
                                                     .in_place = true,
                                                     .op = mpii_op_of(op)});

    if (c->rank == 0)
        for (int i = 0; i < n; i++)
            values[i] = 0;
    return err;
}
