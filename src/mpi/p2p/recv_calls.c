/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls that receive (3.2.4, 3.7.2), and those that send and receive (3.10).
 */
#include "mpi/check/own.h"
#include "mpi/p2p/p2p_fastpath.h"
#include "mpi/p2p/watched.h"
#include "mpi/rt/ledger.h"

struct arguments {
    void *buf;
    MPI_Count count;
    struct mpii_type *t;
    int source, tag;
    struct mpii_comm *c;
};

static inline int check(struct arguments *a, MPI_Datatype datatype, MPI_Comm comm, const char *call)
{
    MPII_TRY(mpii_check_comm(comm, &a->c, call));
    MPII_TRY(mpii_check_count(a->c, a->count, "count", call));
    MPII_TRY(mpii_check_type(a->c, datatype, &a->t, "datatype", call));
    MPII_TRY(mpii_check_rank(a->c, a->source, true, "source", call));
    MPII_TRY(mpii_check_tag(a->c, a->tag, true, call));
    return mpii_check_buffer(a->c, a->buf, a->count, a->t, "buf", call);
}

static struct mpii_request *request_for(const struct arguments *a, const char *name, const void *from, const char *call)
{
    struct mpii_request *r = mpii_p2p_recv_new(a->buf, a->count, a->t, a->source, a->tag, a->c);

    if (MPT_UNLIKELY(!r))
        mpii_error(a->c, MPI_ERR_NO_MEM, call, "no memory for a request");
    else if (MPT_UNLIKELY(core_params.check))
        mpii_p2p_asker_set(r, name, from);
    return r;
}

/* What the fast path left, as the user gave it. */
static __attribute__((noinline)) int receive(const struct arguments *given, MPI_Datatype datatype, MPI_Comm comm,
                                             MPI_Status *status, const void *from, const char *call)
{
    struct arguments a = *given;
    struct mpii_request *r;
    int error;

    MPII_TRY(check(&a, datatype, comm, call));
    r = request_for(&a, "MPI_Recv", from, call);
    if (MPT_UNLIKELY(!r))
        return MPI_ERR_NO_MEM;
    mpii_p2p_recv_in(r)->blocks = true;
    if (MPT_UNLIKELY(core_params.check))
        mpii_p2p_watch_recv(r, "MPI_Recv");
    mpii_p2p_recv_start(r, MPII_LANE_USER);
    error = mpii_request_finish(r, status, "MPI_Recv");
    mpii_own_landed();
    return error;
}

int mpii_Recv(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    if (MPT_LIKELY(mpii_p2p_fast_recv(buf, count, datatype, source, tag, comm, status)))
        return MPI_SUCCESS;
    return receive(&(struct arguments){buf, count, NULL, source, tag, NULL}, datatype, comm, status,
                   __builtin_return_address(0), __func__);
}

int mpii_Irecv(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    struct arguments a = {buf, count, NULL, source, tag, NULL};
    struct mpii_request *r;

    MPII_TRY(check(&a, datatype, comm, __func__));
    MPII_TRY(mpii_check_pointer(a.c, request, "request", __func__));
    r = request_for(&a, "MPI_Irecv", __builtin_return_address(0), __func__);
    if (MPT_UNLIKELY(!r))
        return MPI_ERR_NO_MEM;
    if (MPT_UNLIKELY(core_params.check)) {
        mpii_ledger_made(MPII_REQUEST, r, "MPI_Irecv", mpii_p2p_recv_in(r)->asker.site);
        mpii_p2p_watch_irecv(r, "MPI_Irecv");
    }
    mpii_p2p_recv_start(r, MPII_LANE_USER);
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}

int mpii_Recv_init(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    struct arguments a = {buf, count, NULL, source, tag, NULL};
    struct mpii_request *r;

    MPII_TRY(check(&a, datatype, comm, __func__));
    MPII_TRY(mpii_check_pointer(a.c, request, "request", __func__));
    r = request_for(&a, "MPI_Recv_init", __builtin_return_address(0), __func__);
    if (!r)
        return MPI_ERR_NO_MEM;
    r->persistent = true;
    r->active = false;
    r->done = true;
    if (MPT_UNLIKELY(core_params.check))
        mpii_p2p_watch_persistent(r, MPII_WATCH_WRITES, a.buf, a.count, a.t, a.source, "MPI_Recv_init");
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}
