/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of chapter 6 without reductions: each procedure once, from which its
 * blocking, nonblocking and persistent forms are made.
 */
#include "mpi/collective/coll_args.h"
#include "mpi/collective/coll_forms.h"

static int barrier(MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_BARRIER, .where = call}};

    MPII_TRY(mpii_coll_begin(&c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(&c, info));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init */
MPII_COLL_FORMS(Barrier, barrier, (MPI_Comm comm), (comm))

static int bcast(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_BROADCAST, .where = call}};

    MPII_TRY(mpii_coll_begin(&c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(&c, info));
    MPII_TRY(mpii_coll_check_root(&c, root));
    if (root != MPI_PROC_NULL)
        MPII_TRY(mpii_coll_side(&c, &c.data.recv, buffer, count, datatype));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Bcast, MPI_Ibcast, MPI_Bcast_init */
MPII_COLL_FORMS(Bcast, bcast, (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm),
                (buffer, count, datatype, root, comm))

/* ---- gather, scatter ---- */

#define SEND_ARGS const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype
#define RECV_ARGS void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype
#define SEND_V_ARGS const void *sendbuf, const void *sendcounts, const void *sdispls, MPI_Datatype sendtype
#define RECV_V_ARGS void *recvbuf, const void *recvcounts, const void *rdispls, MPI_Datatype recvtype
#define SEND_W_ARGS const void *sendbuf, const void *sendcounts, const void *sdispls, const MPI_Datatype sendtypes[]
#define RECV_W_ARGS void *recvbuf, const void *recvcounts, const void *rdispls, const MPI_Datatype recvtypes[]
#define SEND_NAMES sendbuf, sendcount, sendtype
#define RECV_NAMES recvbuf, recvcount, recvtype
#define SEND_V_NAMES sendbuf, sendcounts, sdispls, sendtype
#define RECV_V_NAMES recvbuf, recvcounts, rdispls, recvtype
#define SEND_W_NAMES sendbuf, sendcounts, sdispls, sendtypes
#define RECV_W_NAMES recvbuf, recvcounts, rdispls, recvtypes

/* The root's own part must not lie where it is to come. */
static int check_own_part(struct mpii_coll_call *c)
{
    int i = c->comm->rank;

    if (c->data.in_place || c->comm->inter || !mpii_coll_is_root(c))
        return MPI_SUCCESS;
    if (c->data.kind == COLL_GATHER)
        return mpii_coll_check_alias(c, mpii_coll_whole(&c->data.send), mpii_coll_part(c, &c->data.recv, i));
    return mpii_coll_check_alias(c, mpii_coll_part(c, &c->data.send, i), mpii_coll_whole(&c->data.recv));
}

/* Of both gathers and scatters: the root's side is told by part, the others' as a whole. */
static int gather_begin(struct mpii_coll_call *c, const void *sendbuf, int root, MPI_Comm comm, MPII_COLL_HOW_BRIEF)
{
    MPII_TRY(mpii_coll_begin(c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(c, info));
    MPII_TRY(mpii_coll_check_root(c, root));
    if (mpii_coll_is_leaf(c) || mpii_coll_is_root(c))
        MPII_TRY(mpii_coll_check_in_place(c, sendbuf, mpii_coll_is_root(c), "sendbuf"));
    return MPI_SUCCESS;
}

static bool sends_in_gather(const struct mpii_coll_call *c)
{
    return mpii_coll_is_leaf(c) || (mpii_coll_is_root(c) && !c->comm->inter && !c->data.in_place);
}

static int gather(SEND_ARGS, RECV_ARGS, int root, MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_GATHER, .where = call}};

    MPII_TRY(gather_begin(&c, sendbuf, root, comm, form, info, request));
    if (sends_in_gather(&c))
        MPII_TRY(mpii_coll_side(&c, &c.data.send, SEND_NAMES));
    if (mpii_coll_is_root(&c))
        MPII_TRY(mpii_coll_side(&c, &c.data.recv, RECV_NAMES));
    MPII_TRY(check_own_part(&c));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Gather, MPI_Igather, MPI_Gather_init */
MPII_COLL_FORMS(Gather, gather, (SEND_ARGS, RECV_ARGS, int root, MPI_Comm comm), (SEND_NAMES, RECV_NAMES, root, comm))

static int gatherv(SEND_ARGS, RECV_V_ARGS, int root, MPI_Comm comm, int wide, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_GATHER, .where = call, .uneven = true}, .wide = wide};

    MPII_TRY(gather_begin(&c, sendbuf, root, comm, form, info, request));
    if (sends_in_gather(&c))
        MPII_TRY(mpii_coll_side(&c, &c.data.send, SEND_NAMES));
    if (mpii_coll_is_root(&c))
        MPII_TRY(mpii_coll_side_v(&c, &c.data.recv, c.comm->nprocs, RECV_V_NAMES));
    MPII_TRY(check_own_part(&c));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init */
MPII_COLL_FORMS_WIDE(Gatherv, gatherv, (SEND_ARGS, RECV_V_ARGS, int root, MPI_Comm comm),
                     (SEND_NAMES, RECV_V_NAMES, root, comm))

static int scatter_begin(struct mpii_coll_call *c, void *recvbuf, int root, MPI_Comm comm, MPII_COLL_HOW_BRIEF)
{
    MPII_TRY(mpii_coll_begin(c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(c, info));
    MPII_TRY(mpii_coll_check_root(c, root));
    if (mpii_coll_is_leaf(c) || mpii_coll_is_root(c))
        MPII_TRY(mpii_coll_check_in_place(c, recvbuf, mpii_coll_is_root(c), "recvbuf"));
    return MPI_SUCCESS;
}

static int scatter(SEND_ARGS, RECV_ARGS, int root, MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_SCATTER, .where = call}};

    MPII_TRY(scatter_begin(&c, recvbuf, root, comm, form, info, request));
    if (mpii_coll_is_root(&c))
        MPII_TRY(mpii_coll_side(&c, &c.data.send, SEND_NAMES));
    if (sends_in_gather(&c)) /* here: receives */
        MPII_TRY(mpii_coll_side(&c, &c.data.recv, RECV_NAMES));
    MPII_TRY(check_own_part(&c));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Scatter, MPI_Iscatter, MPI_Scatter_init */
MPII_COLL_FORMS(Scatter, scatter, (SEND_ARGS, RECV_ARGS, int root, MPI_Comm comm), (SEND_NAMES, RECV_NAMES, root, comm))

static int scatterv(SEND_V_ARGS, RECV_ARGS, int root, MPI_Comm comm, int wide, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_SCATTER, .where = call, .uneven = true}, .wide = wide};

    MPII_TRY(scatter_begin(&c, recvbuf, root, comm, form, info, request));
    if (mpii_coll_is_root(&c))
        MPII_TRY(mpii_coll_side_v(&c, &c.data.send, c.comm->nprocs, SEND_V_NAMES));
    if (sends_in_gather(&c))
        MPII_TRY(mpii_coll_side(&c, &c.data.recv, RECV_NAMES));
    MPII_TRY(check_own_part(&c));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init */
MPII_COLL_FORMS_WIDE(Scatterv, scatterv, (SEND_V_ARGS, RECV_ARGS, int root, MPI_Comm comm),
                     (SEND_V_NAMES, RECV_NAMES, root, comm))

/* ---- allgather, alltoall ---- */

static int all_begin(struct mpii_coll_call *c, const void *sendbuf, MPI_Comm comm, MPII_COLL_HOW_BRIEF)
{
    MPII_TRY(mpii_coll_begin(c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(c, info));
    c->data.root = -1;
    return mpii_coll_check_in_place(c, sendbuf, true, "sendbuf");
}

static int allgather(SEND_ARGS, RECV_ARGS, MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_ALLGATHER, .where = call}};

    MPII_TRY(all_begin(&c, sendbuf, comm, form, info, request));
    MPII_TRY(mpii_coll_side(&c, &c.data.recv, RECV_NAMES));
    if (!c.data.in_place)
        MPII_TRY(mpii_coll_side(&c, &c.data.send, SEND_NAMES));
    if (!c.data.in_place && !c.comm->inter)
        MPII_TRY(
            mpii_coll_check_alias(&c, mpii_coll_whole(&c.data.send), mpii_coll_part(&c, &c.data.recv, c.comm->rank)));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Allgather, MPI_Iallgather, MPI_Allgather_init */
MPII_COLL_FORMS(Allgather, allgather, (SEND_ARGS, RECV_ARGS, MPI_Comm comm), (SEND_NAMES, RECV_NAMES, comm))

static int allgatherv(SEND_ARGS, RECV_V_ARGS, MPI_Comm comm, int wide, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_ALLGATHER, .where = call}, .wide = wide};

    MPII_TRY(all_begin(&c, sendbuf, comm, form, info, request));
    MPII_TRY(mpii_coll_side_v(&c, &c.data.recv, c.comm->nprocs, RECV_V_NAMES));
    if (!c.data.in_place)
        MPII_TRY(mpii_coll_side(&c, &c.data.send, SEND_NAMES));
    if (!c.data.in_place && !c.comm->inter)
        MPII_TRY(
            mpii_coll_check_alias(&c, mpii_coll_whole(&c.data.send), mpii_coll_part(&c, &c.data.recv, c.comm->rank)));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init */
MPII_COLL_FORMS_WIDE(Allgatherv, allgatherv, (SEND_ARGS, RECV_V_ARGS, MPI_Comm comm), (SEND_NAMES, RECV_V_NAMES, comm))

static int alltoall_go(struct mpii_coll_call *c, enum mpii_coll_form form, MPI_Request *request)
{
    for (int i = 0; !c->data.in_place && !c->comm->inter && i < c->comm->size; i++)
        MPII_TRY(mpii_coll_check_alias(c, mpii_coll_part(c, &c->data.send, i), mpii_coll_part(c, &c->data.recv, i)));
    return mpii_coll_go(c, form, request);
}

static int alltoall(SEND_ARGS, RECV_ARGS, MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_ALLTOALL, .where = call}};

    MPII_TRY(all_begin(&c, sendbuf, comm, form, info, request));
    MPII_TRY(mpii_coll_side(&c, &c.data.recv, RECV_NAMES));
    if (!c.data.in_place)
        MPII_TRY(mpii_coll_side(&c, &c.data.send, SEND_NAMES));
    return alltoall_go(&c, form, request);
}
/* MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init */
MPII_COLL_FORMS(Alltoall, alltoall, (SEND_ARGS, RECV_ARGS, MPI_Comm comm), (SEND_NAMES, RECV_NAMES, comm))

/* With a type for all parts, or (each) one for every part. */
static int uneven_side(struct mpii_coll_call *c, struct coll_side *side, const void *buf, const void *counts,
                       const void *displs, const MPI_Datatype types[], bool each)
{
    if (each)
        return mpii_coll_side_w(c, side, c->comm->nprocs, buf, counts, displs, types);
    return mpii_coll_side_v(c, side, c->comm->nprocs, buf, counts, displs, types[0]);
}

static int alltoall_uneven(struct mpii_coll_call *c, SEND_W_ARGS, RECV_W_ARGS, bool each, MPI_Comm comm,
                           MPII_COLL_HOW_BRIEF)
{
    MPII_TRY(all_begin(c, sendbuf, comm, form, info, request));
    MPII_TRY(uneven_side(c, &c->data.recv, RECV_W_NAMES, each));
    if (!c->data.in_place)
        MPII_TRY(uneven_side(c, &c->data.send, SEND_W_NAMES, each));
    return alltoall_go(c, form, request);
}

static int alltoallv(SEND_V_ARGS, RECV_V_ARGS, MPI_Comm comm, int wide, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_ALLTOALL, .where = call}, .wide = wide};

    return alltoall_uneven(&c, sendbuf, sendcounts, sdispls, &sendtype, recvbuf, recvcounts, rdispls, &recvtype, false,
                           comm, form, info, request);
}
/* MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init */
MPII_COLL_FORMS_WIDE(Alltoallv, alltoallv, (SEND_V_ARGS, RECV_V_ARGS, MPI_Comm comm),
                     (SEND_V_NAMES, RECV_V_NAMES, comm))

static int alltoallw(SEND_W_ARGS, RECV_W_ARGS, MPI_Comm comm, int wide, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_ALLTOALL, .where = call}, .wide = wide};

    return alltoall_uneven(&c, SEND_W_NAMES, RECV_W_NAMES, true, comm, form, info, request);
}
/* MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init */
MPII_COLL_FORMS_WIDE(Alltoallw, alltoallw, (SEND_W_ARGS, RECV_W_ARGS, MPI_Comm comm),
                     (SEND_W_NAMES, RECV_W_NAMES, comm))
