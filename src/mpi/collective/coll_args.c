/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks of collectives' arguments (coll_args.h).
 */
#include "mpi/collective/coll_args.h"

static const char *side_name(const struct mpii_coll_call *c, const struct coll_side *side)
{
    return side == &c->data.send ? "send" : "recv";
}

int mpii_coll_begin(struct mpii_coll_call *c, MPI_Comm comm, enum mpii_coll_form form, MPI_Request *request)
{
    MPII_TRY(mpii_check_comm(comm, &c->comm, c->data.where));
    if (form != MPII_COLL_NOW && !request)
        return mpii_error(c->comm, MPI_ERR_ARG, c->data.where, "request is NULL");
    return MPI_SUCCESS;
}

int mpii_coll_check_info(struct mpii_coll_call *c, MPI_Info info)
{
    if (info == MPI_INFO_NULL || mpii_info_of(info))
        return MPI_SUCCESS;
    return mpii_error(c->comm, MPI_ERR_INFO, c->data.where, "info is %p, which is not an info object (freed?)",
                      mpii_bad_handle(MPII_INFO, info));
}

int mpii_coll_check_intra(struct mpii_coll_call *c)
{
    return MPT_LIKELY(!c->comm->inter) ? MPI_SUCCESS
                                       : mpii_error(c->comm, MPI_ERR_COMM, c->data.where,
                                                    "comm is an intercommunicator, which has no order of ranks");
}

int mpii_coll_check_root(struct mpii_coll_call *c, int root)
{
    c->data.root = root;
    return mpii_check_root(c->comm, root, c->data.where);
}

int mpii_coll_check_op(struct mpii_coll_call *c, MPI_Op op)
{
    const struct mpii_type *t;

    c->op = mpii_op_of(op);
    if (op == MPI_OP_NULL)
        return mpii_error(c->comm, MPI_ERR_OP, c->data.where, "op is MPI_OP_NULL");
    if (!c->op)
        return mpii_error(c->comm, MPI_ERR_OP, c->data.where, "op is %p, which is not an operation (freed?)",
                          mpii_bad_handle(MPII_OP, op));
    if (op == MPI_REPLACE || op == MPI_NO_OP)
        return mpii_error(c->comm, MPI_ERR_OP, c->data.where, "op is %s, which is for one-sided calls only",
                          mpii_op_name(op));
    t = mpii_side_type(&c->data.recv);
    c->data.loop = mpii_op_loop(c->op, t);
    if (MPT_LIKELY(c->data.loop != NULL) || mpii_op_check(c->op, t) == MPI_SUCCESS)
        return MPI_SUCCESS;
    return mpii_error(c->comm, MPI_ERR_OP, c->data.where, "op is %s, which is not defined for datatype %s",
                      mpii_op_name(op), t->name[0] ? t->name : "(a derived one)");
}

int mpii_coll_side(struct mpii_coll_call *c, struct coll_side *side, const void *buf, MPI_Count count,
                   MPI_Datatype type)
{
    bool send = side == &c->data.send;
    struct mpii_type *t;

    side->buf = (void *)(uintptr_t)buf;
    side->count = count;
    MPII_TRY(mpii_check_count(c->comm, count, send ? "sendcount" : "count of what is received", c->data.where));
    MPII_TRY(mpii_check_type(c->comm, type, &t, send ? "sendtype" : "datatype", c->data.where));
    side->layout = &t->layout;
    return mpii_check_buffer(c->comm, buf, count, t, send ? "sendbuf" : "recvbuf", c->data.where);
}

static int check_arrays(struct mpii_coll_call *c, struct coll_side *side, int n, const void *counts, const void *displs)
{
    const char *name = side_name(c, side);

    side->counts = counts;
    side->displs = displs;
    c->data.uneven = true;
    if (n > 0 && !counts)
        return mpii_error(c->comm, MPI_ERR_ARG, c->data.where, "%scounts is NULL", name);
    if (n > 0 && !displs)
        return mpii_error(c->comm, MPI_ERR_ARG, c->data.where, "%s displacements are NULL", name);
    for (int i = 0; i < n; i++)
        if (MPT_UNLIKELY(mpii_int_at(counts, i, c->wide) < 0))
            return mpii_error(c->comm, MPI_ERR_COUNT, c->data.where, "%scounts[%d] is %lld, less than 0", name, i,
                              (long long)mpii_int_at(counts, i, c->wide));
    return MPI_SUCCESS;
}

int mpii_coll_side_v(struct mpii_coll_call *c, struct coll_side *side, int n, const void *buf, const void *counts,
                     const void *displs, MPI_Datatype type)
{
    MPI_Count any = 0;
    struct mpii_type *t;

    side->buf = (void *)(uintptr_t)buf;
    MPII_TRY(check_arrays(c, side, n, counts, displs));
    MPII_TRY(mpii_check_type(c->comm, type, &t, side == &c->data.send ? "sendtype" : "recvtype", c->data.where));
    side->layout = &t->layout;
    for (int i = 0; i < n; i++)
        any |= mpii_int_at(counts, i, c->wide);
    return mpii_check_buffer(c->comm, buf, any, t, side == &c->data.send ? "sendbuf" : "recvbuf", c->data.where);
}

int mpii_coll_side_w(struct mpii_coll_call *c, struct coll_side *side, int n, const void *buf, const void *counts,
                     const void *displs, const MPI_Datatype types[])
{
    side->buf = (void *)(uintptr_t)buf;
    side->types = types;
    MPII_TRY(check_arrays(c, side, n, counts, displs));
    if (n > 0 && !types)
        return mpii_error(c->comm, MPI_ERR_ARG, c->data.where, "%stypes is NULL", side_name(c, side));
    for (int i = 0; i < n; i++) {
        struct mpii_type *t;
        struct mpii_part p;

        MPII_TRY(
            mpii_check_type(c->comm, types[i], &t, side == &c->data.send ? "sendtypes" : "recvtypes", c->data.where));
        p = mpii_coll_part(c, side, i); /* MPI_BOTTOM and a displacement that is an address: fine */
        MPII_TRY(mpii_check_buffer(c->comm, buf == MPI_IN_PLACE ? buf : p.at, p.count, t,
                                   side == &c->data.send ? "sendbuf" : "recvbuf", c->data.where));
    }
    return MPI_SUCCESS;
}

int mpii_coll_check_in_place(struct mpii_coll_call *c, const void *buf, bool allowed, const char *arg)
{
    c->data.in_place = buf == MPI_IN_PLACE;
    if (!c->data.in_place || (allowed && !c->comm->inter))
        return MPI_SUCCESS;
    return mpii_error(c->comm, MPI_ERR_BUFFER, c->data.where, "%s is MPI_IN_PLACE, which is not allowed here", arg);
}

int mpii_coll_check_alias(struct mpii_coll_call *c, struct mpii_part from, struct mpii_part to)
{
    if (MPT_LIKELY(from.at != to.at) || from.at == MPI_BOTTOM || c->data.in_place || c->comm->inter ||
        mpii_part_size(from) == 0 || mpii_part_size(to) == 0)
        return MPI_SUCCESS;
    return mpii_error(c->comm, MPI_ERR_BUFFER, c->data.where,
                      "what is sent and what is received lie at the same address %p (MPI_IN_PLACE is for that)",
                      from.at);
}
