/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The reductions' calls (6.9 to 6.11), each in its three forms.
 */
#include "mpi/collective/coll_args.h"
#include "mpi/collective/coll_forms.h"

/* The receive side says count and type of both. */
static int contribution(struct mpii_coll_call *c, const void *sendbuf, MPI_Op op)
{
    c->send = c->recv;
    c->send.buf = (void *)(uintptr_t)sendbuf;
    MPII_TRY(mpii_coll_check_op(c, op));
    return c->in_place ? MPI_SUCCESS : mpii_check_buffer(c->comm, sendbuf, c->recv.count, c->recv.type, "sendbuf", c->call);
}

/* Count and type, where there is no result here. */
static int only_type(struct mpii_coll_call *c, MPI_Count count, MPI_Datatype datatype)
{
    c->recv.count = count;
    MPII_TRY(mpii_check_count(c->comm, count, "count", c->call));
    return mpii_check_type(c->comm, datatype, &c->recv.type, "datatype", c->call);
}

static int reduce(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                  MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.kind = MPII_REDUCE, .call = call};

    MPII_TRY(mpii_coll_begin(&c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(&c, info));
    MPII_TRY(mpii_coll_check_root(&c, root));
    if (root == MPI_PROC_NULL)
        return mpii_coll_go(&c, form, request);
    if (mpii_coll_is_leaf(&c) || !c.comm->inter)
        MPII_TRY(mpii_coll_check_in_place(&c, sendbuf, mpii_coll_is_root(&c), "sendbuf"));
    if (mpii_coll_is_root(&c))
        MPII_TRY(mpii_coll_side(&c, &c.recv, recvbuf, count, datatype));
    else
        MPII_TRY(only_type(&c, count, datatype));
    if (mpii_coll_is_root(&c) && c.comm->inter)
        MPII_TRY(mpii_coll_check_op(&c, op));
    else
        MPII_TRY(contribution(&c, sendbuf, op));
    if (mpii_coll_is_root(&c))
        MPII_TRY(mpii_coll_check_alias(&c, mpii_coll_whole(&c.send), mpii_coll_whole(&c.recv)));
    return mpii_coll_go(&c, form, request);
}
MPII_COLL_FORMS(Reduce, reduce,
                (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm),
                (sendbuf, recvbuf, count, datatype, op, root, comm))

/* Allreduce, scans: everybody has both sides. */
static int both(enum mpii_coll_kind kind, const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.kind = kind, .call = call, .root = -1};

    MPII_TRY(mpii_coll_begin(&c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(&c, info));
    if (kind == MPII_SCAN || kind == MPII_EXSCAN)
        MPII_TRY(mpii_coll_check_intra(&c));
    MPII_TRY(mpii_coll_check_in_place(&c, sendbuf, true, "sendbuf"));
    MPII_TRY(mpii_coll_side(&c, &c.recv, recvbuf, count, datatype));
    MPII_TRY(contribution(&c, sendbuf, op));
    MPII_TRY(mpii_coll_check_alias(&c, mpii_coll_whole(&c.send), mpii_coll_whole(&c.recv)));
    return mpii_coll_go(&c, form, request);
}

#define BOTH(Name, name, kind)                                                                                                \
    static int name(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,     \
                    MPII_COLL_HOW)                                                                                            \
    {                                                                                                                         \
        return both(kind, sendbuf, recvbuf, count, datatype, op, comm, form, info, request, call);                            \
    }                                                                                                                         \
    MPII_COLL_FORMS(Name, name, (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm), \
                    (sendbuf, recvbuf, count, datatype, op, comm))
BOTH(Allreduce, allreduce, MPII_ALLREDUCE)
BOTH(Scan, scan, MPII_SCAN)
BOTH(Exscan, exscan, MPII_EXSCAN)

/* ---- reduce_scatter: the contribution is as long as all results together ---- */

static MPI_Count total(const struct mpii_coll_call *c)
{
    MPI_Count n = 0;

    if (!c->recv.counts)
        return c->recv.count * c->comm->size;
    for (int i = 0; i < c->comm->size; i++)
        n += mpii_int_at(c->recv.counts, i, c->wide);
    return n;
}

static int scatter_begin(struct mpii_coll_call *c, const void *sendbuf, MPI_Comm comm, MPII_COLL_HOW_BRIEF)
{
    MPII_TRY(mpii_coll_begin(c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(c, info));
    return mpii_coll_check_in_place(c, sendbuf, true, "sendbuf");
}

static int scatter_go(struct mpii_coll_call *c, const void *sendbuf, MPI_Op op, enum mpii_coll_form form, MPI_Request *request)
{
    MPI_Count n = total(c);

    MPII_TRY(mpii_coll_check_op(c, op));
    c->send.buf = (void *)(uintptr_t)sendbuf;
    if (c->in_place)
        MPII_TRY(mpii_check_buffer(c->comm, c->recv.buf, n, c->recv.type, "recvbuf", c->call));
    else
        MPII_TRY(mpii_check_buffer(c->comm, sendbuf, n, c->recv.type, "sendbuf", c->call));
    MPII_TRY(mpii_coll_check_alias(c, (struct mpii_part){c->send.buf, n, c->recv.type}, (struct mpii_part){c->recv.buf, n, c->recv.type}));
    return mpii_coll_go(c, form, request);
}

static int reduce_scatter(const void *sendbuf, void *recvbuf, const void *recvcounts, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                          int wide, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.kind = MPII_REDUCE_SCATTER, .call = call, .wide = wide, .root = -1, .uneven = true};

    MPII_TRY(scatter_begin(&c, sendbuf, comm, form, info, request));
    MPII_TRY(mpii_check_pointer(c.comm, recvcounts, "recvcounts", call));
    c.recv.counts = recvcounts;
    for (int i = 0; i < c.comm->size; i++)
        MPII_TRY(mpii_check_count(c.comm, mpii_int_at(recvcounts, i, wide), "an element of recvcounts", call));
    MPII_TRY(mpii_check_type(c.comm, datatype, &c.recv.type, "datatype", call));
    c.recv.buf = recvbuf;
    c.recv.count = mpii_int_at(recvcounts, c.comm->rank, wide);
    MPII_TRY(mpii_check_buffer(c.comm, recvbuf, c.recv.count, c.recv.type, "recvbuf", call));
    return scatter_go(&c, sendbuf, op, form, request);
}
MPII_COLL_FORMS_WIDE(Reduce_scatter, reduce_scatter,
                     (const void *sendbuf, void *recvbuf, const void *recvcounts, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
                     (sendbuf, recvbuf, recvcounts, datatype, op, comm))

static int reduce_scatter_block(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.kind = MPII_REDUCE_SCATTER, .call = call, .root = -1};

    MPII_TRY(scatter_begin(&c, sendbuf, comm, form, info, request));
    MPII_TRY(mpii_coll_side(&c, &c.recv, recvbuf, recvcount, datatype));
    return scatter_go(&c, sendbuf, op, form, request);
}
MPII_COLL_FORMS(Reduce_scatter_block, reduce_scatter_block,
                (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
                (sendbuf, recvbuf, recvcount, datatype, op, comm))
