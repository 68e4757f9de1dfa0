/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The reductions' calls (6.9 to 6.11), each in its three forms.
 */
#include "mpi/collective/coll_args.h"
#include "mpi/collective/coll_forms.h"

/* The receive side says count and type of both. */
static int contribution(struct mpii_coll_call *c, const void *sendbuf, MPI_Op op)
{
    c->data.send = c->data.recv;
    c->data.send.buf = (void *)(uintptr_t)sendbuf;
    MPII_TRY(mpii_coll_check_op(c, op));
    return c->data.in_place ? MPI_SUCCESS
                            : mpii_check_buffer(c->comm, sendbuf, c->data.recv.count, mpii_side_type(&c->data.recv),
                                                "sendbuf", c->data.where);
}

/* Count and type, where there is no result here. */
static int only_type(struct mpii_coll_call *c, MPI_Count count, MPI_Datatype datatype)
{
    struct mpii_type *t;

    c->data.recv.count = count;
    MPII_TRY(mpii_check_count(c->comm, count, "count", c->data.where));
    MPII_TRY(mpii_check_type(c->comm, datatype, &t, "datatype", c->data.where));
    c->data.recv.layout = &t->layout;
    return MPI_SUCCESS;
}

static int reduce(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                  MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_REDUCE, .where = call}};

    MPII_TRY(mpii_coll_begin(&c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(&c, info));
    MPII_TRY(mpii_coll_check_root(&c, root));
    if (root == MPI_PROC_NULL)
        return mpii_coll_go(&c, form, request);
    if (mpii_coll_is_leaf(&c) || !c.comm->inter)
        MPII_TRY(mpii_coll_check_in_place(&c, sendbuf, mpii_coll_is_root(&c), "sendbuf"));
    if (mpii_coll_is_root(&c))
        MPII_TRY(mpii_coll_side(&c, &c.data.recv, recvbuf, count, datatype));
    else
        MPII_TRY(only_type(&c, count, datatype));
    if (mpii_coll_is_root(&c) && c.comm->inter)
        MPII_TRY(mpii_coll_check_op(&c, op));
    else
        MPII_TRY(contribution(&c, sendbuf, op));
    if (mpii_coll_is_root(&c))
        MPII_TRY(mpii_coll_check_alias(&c, mpii_coll_whole(&c.data.send), mpii_coll_whole(&c.data.recv)));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Reduce, MPI_Ireduce, MPI_Reduce_init */
MPII_COLL_FORMS(Reduce, reduce,
                (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                 MPI_Comm comm),
                (sendbuf, recvbuf, count, datatype, op, root, comm))

/* Allreduce, scans: everybody has both sides. */
static int both(enum coll_kind kind, const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                MPI_Op op, MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = kind, .where = call, .root = -1}};

    MPII_TRY(mpii_coll_begin(&c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(&c, info));
    if (kind == COLL_INSCAN || kind == COLL_EXSCAN)
        MPII_TRY(mpii_coll_check_intra(&c));
    MPII_TRY(mpii_coll_check_in_place(&c, sendbuf, true, "sendbuf"));
    MPII_TRY(mpii_coll_side(&c, &c.data.recv, recvbuf, count, datatype));
    MPII_TRY(contribution(&c, sendbuf, op));
    MPII_TRY(mpii_coll_check_alias(&c, mpii_coll_whole(&c.data.send), mpii_coll_whole(&c.data.recv)));
    return mpii_coll_go(&c, form, request);
}

#define BOTH(Name, name, kind)                                                                                  \
    static int name(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,      \
                    MPI_Comm comm, MPII_COLL_HOW)                                                               \
    {                                                                                                           \
        return both(kind, sendbuf, recvbuf, count, datatype, op, comm, form, info, request, call);              \
    }                                                                                                           \
    MPII_COLL_FORMS(                                                                                            \
        Name, name,                                                                                             \
        (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm), \
        (sendbuf, recvbuf, count, datatype, op, comm))
/* MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init */
BOTH(Allreduce, allreduce, COLL_ALLREDUCE)
/* MPI_Scan, MPI_Iscan, MPI_Scan_init */
BOTH(Scan, scan, COLL_INSCAN)
/* MPI_Exscan, MPI_Iexscan, MPI_Exscan_init */
BOTH(Exscan, exscan, COLL_EXSCAN)

/* ---- reduce_scatter: the contribution is as long as all results together ---- */

static MPI_Count total(const struct mpii_coll_call *c)
{
    MPI_Count n = 0;

    if (!c->data.recv.counts)
        return c->data.recv.count * c->comm->size;
    for (int i = 0; i < c->comm->size; i++)
        n += mpii_int_at(c->data.recv.counts, i, c->wide);
    return n;
}

static int scatter_begin(struct mpii_coll_call *c, const void *sendbuf, MPI_Comm comm, MPII_COLL_HOW_BRIEF)
{
    MPII_TRY(mpii_coll_begin(c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(c, info));
    return mpii_coll_check_in_place(c, sendbuf, true, "sendbuf");
}

static int scatter_go(struct mpii_coll_call *c, const void *sendbuf, MPI_Op op, enum mpii_coll_form form,
                      MPI_Request *request)
{
    MPI_Count n = total(c);

    MPII_TRY(mpii_coll_check_op(c, op));
    c->data.send.buf = (void *)(uintptr_t)sendbuf;
    if (c->data.in_place)
        MPII_TRY(
            mpii_check_buffer(c->comm, c->data.recv.buf, n, mpii_side_type(&c->data.recv), "recvbuf", c->data.where));
    else
        MPII_TRY(mpii_check_buffer(c->comm, sendbuf, n, mpii_side_type(&c->data.recv), "sendbuf", c->data.where));
    MPII_TRY(mpii_coll_check_alias(c, (struct mpii_part){c->data.send.buf, n, mpii_side_type(&c->data.recv)},
                                   (struct mpii_part){c->data.recv.buf, n, mpii_side_type(&c->data.recv)}));
    return mpii_coll_go(c, form, request);
}

static int reduce_scatter(const void *sendbuf, void *recvbuf, const void *recvcounts, MPI_Datatype datatype, MPI_Op op,
                          MPI_Comm comm, int wide, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_REDUCE_SCATTER, .where = call, .root = -1, .uneven = true},
                               .wide = wide};
    struct mpii_type *t;

    MPII_TRY(scatter_begin(&c, sendbuf, comm, form, info, request));
    MPII_TRY(mpii_check_pointer(c.comm, recvcounts, "recvcounts", call));
    c.data.recv.counts = recvcounts;
    for (int i = 0; i < c.comm->size; i++)
        MPII_TRY(mpii_check_count(c.comm, mpii_int_at(recvcounts, i, wide), "an element of recvcounts", call));
    MPII_TRY(mpii_check_type(c.comm, datatype, &t, "datatype", call));
    c.data.recv.layout = &t->layout;
    c.data.recv.buf = recvbuf;
    c.data.recv.count = mpii_int_at(recvcounts, c.comm->rank, wide);
    MPII_TRY(mpii_check_buffer(c.comm, recvbuf, c.data.recv.count, t, "recvbuf", call));
    return scatter_go(&c, sendbuf, op, form, request);
}
/* MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init */
MPII_COLL_FORMS_WIDE(Reduce_scatter, reduce_scatter,
                     (const void *sendbuf, void *recvbuf, const void *recvcounts, MPI_Datatype datatype, MPI_Op op,
                      MPI_Comm comm),
                     (sendbuf, recvbuf, recvcounts, datatype, op, comm))

static int reduce_scatter_block(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                                MPI_Op op, MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_REDUCE_SCATTER, .where = call, .root = -1}};

    MPII_TRY(scatter_begin(&c, sendbuf, comm, form, info, request));
    MPII_TRY(mpii_coll_side(&c, &c.data.recv, recvbuf, recvcount, datatype));
    return scatter_go(&c, sendbuf, op, form, request);
}
/* MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init */
MPII_COLL_FORMS(Reduce_scatter_block, reduce_scatter_block,
                (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm),
                (sendbuf, recvbuf, recvcount, datatype, op, comm))
