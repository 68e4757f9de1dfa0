/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Running collective calls: what all ways share, blocking calls, and those the
 * library makes for itself.
 */
#include "mpi/collective/coll_node.h"
#include "mpi/ft/ft.h"

struct mpii_part mpii_coll_part(const struct mpii_coll_call *c, const struct coll_side *side, int i)
{
    struct mpii_part p = mpii_coll_whole(side);
    MPI_Count at = i;

    if (side->types)
        p.type = mpii_type_of(((const MPI_Datatype *)side->types)[i]);
    if (side->counts)
        p.count = mpii_int_at(side->counts, i, c->wide);
    if (side->displs)
        at = mpii_int_at(side->displs, i, c->wide || c->wide_displs);
    else
        at *= p.count;
    p.at = (char *)side->buf + (side->types ? at : at * p.type->extent);
    return p;
}

int mpii_coll_tag(struct mpii_comm *comm, bool persistent)
{
    int tag = (int)(comm->coll_count++ & (MPII_TAG_PERSISTENT - 1));

    return persistent ? tag | MPII_TAG_PERSISTENT : tag;
}

int mpii_coll_next_tag(const struct mpii_coll_call *c)
{
    uint32_t *count = c->tags ? c->tags : &c->comm->coll_count;

    if (c->block)
        return (int)*count; /* always the same: its messages match in their order */
    return (int)((*count)++ & (MPII_TAG_PERSISTENT - 1));
}

/* Of calls that end soon a few bits of the count do, and the others tell what it is. */
static int tag_for(const struct mpii_coll_call *c, int tag)
{
    return tag & MPII_TAG_PERSISTENT ? tag : (tag & (MPII_TAG_PARTS - 1)) | mpii_coll_what(c) << 22;
}

struct mpii_sched *mpii_coll_schedule(const struct mpii_coll_call *c, int tag, bool check)
{
    struct mpii_sched *s = mpii_sched_new(c->comm, MPT_UNLIKELY(check) ? mpii_coll_check_tag(tag) : tag_for(c, tag));

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

int mpii_coll_body(const struct mpii_coll_call *c)
{
    struct mpii_sched *s;
    int err;

    if (MPT_UNLIKELY(c->comm->trouble != 0))
        return mpii_ft_error(c->comm);
    if (mpii_node_run(c, &err))
        return err;
    s = mpii_coll_schedule(c, mpii_coll_next_tag(c), false);
    if (!s)
        return MPI_ERR_NO_MEM;
    err = mpii_sched_run(s, c->data.where);
    mpii_sched_free(s);
    return err;
}

int mpii_coll_run(const struct mpii_coll_call *c)
{
    int err;

    c->comm->coll_calls++;
    if (MPT_UNLIKELY(c->comm->later != NULL))
        mpii_coll_later_drain(c->comm, c->data.where);
    if (MPT_UNLIKELY(c->comm->meets) && c->comm->trouble == 0 && mpii_coll_meet(c, &err))
        return err;
    if (MPT_UNLIKELY(core_race_on())) {
        uint32_t number = mpii_coll_race_come(c->comm);

        err = mpii_coll_body(c);
        mpii_coll_race_learn(c, number);
        return err;
    }
    return mpii_coll_body(c);
}

/* ---- for the library's own use ---- */

void mpii_coll_within(struct mpii_comm *c, const char *name)
{
    uint32_t h = 2166136261u;

    for (const char *at = name; *at; at++)
        h = (h ^ (unsigned char)*at) * 16777619u;
    c->within_name = name;
    c->within = (uint8_t)(MPII_WHAT_CALL | (h ^ h >> 7 ^ h >> 14 ^ h >> 21));
}

static struct coll_side bytes(const void *at, size_t n)
{
    struct mpii_part p = mpii_part_bytes((void *)(uintptr_t)at, (MPI_Count)n);

    return (struct coll_side){.buf = p.at, .count = p.count, .layout = &p.type->layout};
}

static struct coll_side integers(int64_t *values, int n)
{
    return (struct coll_side){.buf = values, .count = n, .layout = &mpii_type_of(MPI_INT64_T)->layout};
}

static struct mpii_coll_call own_call(struct mpii_comm *c, enum coll_kind kind, const char *name)
{
    return (struct mpii_coll_call){.data = {.kind = kind,
                                            .what = c->within ? c->within : (uint8_t)(MPII_WHAT_OWN + kind),
                                            .where = c->within_name ? c->within_name : name},
                                   .comm = c};
}

int mpii_coll_barrier(struct mpii_comm *c)
{
    struct mpii_coll_call call = own_call(c, COLL_BARRIER, "MPI (a barrier)");

    return mpii_coll_run(&call);
}

int mpii_coll_bcast(struct mpii_comm *c, void *buf, size_t n, int root)
{
    struct mpii_coll_call call = own_call(c, COLL_BROADCAST, "MPI (a broadcast)");

    call.data.recv = bytes(buf, n);
    call.data.root = root;
    return mpii_coll_run(&call);
}

int mpii_coll_gather(struct mpii_comm *c, const void *in, size_t n, void *out, int root)
{
    struct mpii_coll_call call = own_call(c, COLL_GATHER, "MPI (a gather)");

    call.data.send = bytes(in, n);
    call.data.recv = bytes(out, n);
    call.data.root = root;
    return mpii_coll_run(&call);
}

int mpii_coll_allgather(struct mpii_comm *c, const void *in, size_t n, void *out)
{
    struct mpii_coll_call call = own_call(c, COLL_ALLGATHER, "MPI (an allgather)");

    call.data.send = bytes(in, n);
    call.data.recv = bytes(out, n);
    return mpii_coll_run(&call);
}

/* Of values that are there, in place. */
static struct mpii_coll_call own_reduction(struct mpii_comm *c, enum coll_kind kind, int64_t *values, int n, MPI_Op op,
                                           const char *name)
{
    struct mpii_coll_call call = own_call(c, kind, name);

    call.data.recv = integers(values, n);
    call.data.in_place = true;
    call.op = mpii_op_of(op);
    call.data.loop = mpii_op_loop(call.op, mpii_side_type(&call.data.recv));
    return call;
}

int mpii_coll_allreduce(struct mpii_comm *c, int64_t *values, int n, MPI_Op op)
{
    struct mpii_coll_call call = own_reduction(c, COLL_ALLREDUCE, values, n, op, "MPI (an allreduce)");

    return mpii_coll_run(&call);
}

int mpii_coll_exscan(struct mpii_comm *c, int64_t *values, int n, MPI_Op op)
{
    struct mpii_coll_call call = own_reduction(c, COLL_EXSCAN, values, n, op, "MPI (an exscan)");
    int err = mpii_coll_run(&call);

    if (c->rank == 0)
        for (int i = 0; i < n; i++)
            values[i] = 0;
    return err;
}
