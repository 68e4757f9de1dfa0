/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of neighbourhood collectives (8.6), each in its three forms.
 */
#include "mpi/collective/coll_args.h"
#include "mpi/collective/coll_forms.h"

static int begin(struct mpii_coll_call *c, struct mpii_neighbours *n, const void *sendbuf, MPI_Comm comm,
                 MPII_COLL_HOW_BRIEF)
{
    MPII_TRY(mpii_coll_begin(c, comm, form, request));
    MPII_TRY(mpii_coll_check_info(c, info));
    if (mpii_topo_neighbours(c->comm, n) != MPI_SUCCESS)
        return mpii_error(c->comm, MPI_ERR_TOPOLOGY, c->data.where, "comm has no topology");
    return mpii_coll_check_in_place(c, sendbuf, false, "sendbuf");
}

/* A process without edges in one direction may say anything about that side. */
static int plain_side(struct mpii_coll_call *c, struct coll_side *side, int n, const void *buf, MPI_Count count,
                      MPI_Datatype type)
{
    return n == 0 ? MPI_SUCCESS : mpii_coll_side(c, side, buf, count, type);
}

#define SEND_ARGS const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype
#define RECV_ARGS void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype
#define SEND_V_ARGS const void *sendbuf, const void *sendcounts, const void *sdispls, MPI_Datatype sendtype
#define RECV_V_ARGS void *recvbuf, const void *recvcounts, const void *rdispls, MPI_Datatype recvtype
#define SEND_W_ARGS \
    const void *sendbuf, const void *sendcounts, const MPI_Aint sdispls[], const MPI_Datatype sendtypes[]
#define RECV_W_ARGS void *recvbuf, const void *recvcounts, const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]
#define SEND_NAMES sendbuf, sendcount, sendtype
#define RECV_NAMES recvbuf, recvcount, recvtype
#define SEND_V_NAMES sendbuf, sendcounts, sdispls, sendtype
#define RECV_V_NAMES recvbuf, recvcounts, rdispls, recvtype
#define SEND_W_NAMES sendbuf, sendcounts, sdispls, sendtypes
#define RECV_W_NAMES recvbuf, recvcounts, rdispls, recvtypes

static int plain(struct mpii_coll_call *c, SEND_ARGS, RECV_ARGS, MPI_Comm comm, MPII_COLL_HOW_BRIEF)
{
    struct mpii_neighbours n;

    MPII_TRY(begin(c, &n, sendbuf, comm, form, info, request));
    MPII_TRY(plain_side(c, &c->data.send, n.out, SEND_NAMES));
    MPII_TRY(plain_side(c, &c->data.recv, n.in, RECV_NAMES));
    return mpii_coll_go(c, form, request);
}

static int neighbor_allgather(SEND_ARGS, RECV_ARGS, MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_NEIGHBOR_ALLGATHER, .where = call, .root = -1}};

    return plain(&c, SEND_NAMES, RECV_NAMES, comm, form, info, request);
}
/* MPI_Neighbor_allgather, MPI_Ineighbor_allgather, MPI_Neighbor_allgather_init */
MPII_COLL_FORMS(Neighbor_allgather, neighbor_allgather, (SEND_ARGS, RECV_ARGS, MPI_Comm comm),
                (SEND_NAMES, RECV_NAMES, comm))

static int neighbor_alltoall(SEND_ARGS, RECV_ARGS, MPI_Comm comm, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_NEIGHBOR_ALLTOALL, .where = call, .root = -1}};

    return plain(&c, SEND_NAMES, RECV_NAMES, comm, form, info, request);
}
/* MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, MPI_Neighbor_alltoall_init */
MPII_COLL_FORMS(Neighbor_alltoall, neighbor_alltoall, (SEND_ARGS, RECV_ARGS, MPI_Comm comm),
                (SEND_NAMES, RECV_NAMES, comm))

static int neighbor_allgatherv(SEND_ARGS, RECV_V_ARGS, MPI_Comm comm, int wide, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_NEIGHBOR_ALLGATHER, .where = call, .root = -1}, .wide = wide};
    struct mpii_neighbours n;

    MPII_TRY(begin(&c, &n, sendbuf, comm, form, info, request));
    MPII_TRY(plain_side(&c, &c.data.send, n.out, SEND_NAMES));
    MPII_TRY(mpii_coll_side_v(&c, &c.data.recv, n.in, RECV_V_NAMES));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, MPI_Neighbor_allgatherv_init */
MPII_COLL_FORMS_WIDE(Neighbor_allgatherv, neighbor_allgatherv, (SEND_ARGS, RECV_V_ARGS, MPI_Comm comm),
                     (SEND_NAMES, RECV_V_NAMES, comm))

static int neighbor_alltoallv(SEND_V_ARGS, RECV_V_ARGS, MPI_Comm comm, int wide, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_NEIGHBOR_ALLTOALL, .where = call, .root = -1}, .wide = wide};
    struct mpii_neighbours n;

    MPII_TRY(begin(&c, &n, sendbuf, comm, form, info, request));
    MPII_TRY(mpii_coll_side_v(&c, &c.data.send, n.out, SEND_V_NAMES));
    MPII_TRY(mpii_coll_side_v(&c, &c.data.recv, n.in, RECV_V_NAMES));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, MPI_Neighbor_alltoallv_init */
MPII_COLL_FORMS_WIDE(Neighbor_alltoallv, neighbor_alltoallv, (SEND_V_ARGS, RECV_V_ARGS, MPI_Comm comm),
                     (SEND_V_NAMES, RECV_V_NAMES, comm))

static int neighbor_alltoallw(SEND_W_ARGS, RECV_W_ARGS, MPI_Comm comm, int wide, MPII_COLL_HOW)
{
    struct mpii_coll_call c = {.data = {.kind = COLL_NEIGHBOR_ALLTOALL, .where = call, .root = -1}, .wide = wide};
    struct mpii_neighbours n;

    MPII_TRY(begin(&c, &n, sendbuf, comm, form, info, request));
    c.wide_displs = true;
    MPII_TRY(mpii_coll_side_w(&c, &c.data.send, n.out, SEND_W_NAMES));
    MPII_TRY(mpii_coll_side_w(&c, &c.data.recv, n.in, RECV_W_NAMES));
    return mpii_coll_go(&c, form, request);
}
/* MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, MPI_Neighbor_alltoallw_init */
MPII_COLL_FORMS_WIDE(Neighbor_alltoallw, neighbor_alltoallw, (SEND_W_ARGS, RECV_W_ARGS, MPI_Comm comm),
                     (SEND_W_NAMES, RECV_W_NAMES, comm))
