/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls that send (3.2.1, 3.4, 3.7.2): a short message of a predefined type leaves
 * at once; of all others the arguments are looked at, then send.c decides.
 */
#include "mpi/p2p/p2p_fastpath.h"
#include "mpi/p2p/watched.h"
#include "mpi/rt/ledger.h"

/* The rest of a message of which the caller has given buf, count, dest, tag and mode. */
static inline int check(struct mpii_p2p_message *m, MPI_Datatype datatype, MPI_Comm comm, const char *call)
{
    struct mpii_type *t;

    MPII_TRY(mpii_check_comm(comm, &m->comm, call));
    MPII_TRY(mpii_check_count(m->comm, m->count, "count", call));
    MPII_TRY(mpii_check_type(m->comm, datatype, &t, "datatype", call));
    MPII_TRY(mpii_check_rank(m->comm, m->dest, false, "dest", call));
    MPII_TRY(mpii_check_tag(m->comm, m->tag, false, call));
    MPII_TRY(mpii_check_buffer(m->comm, m->buf, m->count, t, "buf", call));
    m->type = t;
    m->n = (size_t)mpii_p2p_bytes(m->count, t);
    m->proc = m->dest == MPI_PROC_NULL ? -1 : m->comm->procs[m->dest];
    return MPI_SUCCESS;
}

static int no_memory(struct mpii_comm *c, const char *call)
{
    return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a request");
}

static inline bool is_labelled(const struct mpii_p2p_message *m)
{
    return MPT_UNLIKELY(core_params.check) && m->proc >= 0 && m->proc < core_size();
}

/* What the fast path left. */
static __attribute__((noinline)) int blocking(struct mpii_p2p_message *m, MPI_Datatype datatype, MPI_Comm comm,
                                              const char *body, const char *call, const void *from)
{
    struct mpii_p2p_label label;
    struct mpii_request *r;

    MPII_TRY(check(m, datatype, comm, body));
    if (is_labelled(m))
        m->label = mpii_p2p_label_make(&label, m, call, from);
    if (MPT_UNLIKELY(core_params.check))
        mpii_p2p_watch_send(m, call);
    m->may_wait = true;
    m->blocks = m->mode == MPII_STANDARD || m->mode == MPII_SYNCHRONOUS;
    if (!mpii_p2p_send(m, &r))
        return no_memory(m->comm, call);
    return r == mpii_state.request.sent ? MPI_SUCCESS : mpii_request_finish(r, MPI_STATUS_IGNORE, call);
}

/* With --check each send has a request of its own, which is to be completed. */
static struct mpii_request *enter(struct mpii_request *r, const struct mpii_p2p_message *m, const char *call)
{
    struct mpii_request *own = r == mpii_state.request.sent ? mpii_p2p_send_new(m) : r;

    if (!own)
        return r;
    if (own != r)
        own->done = true;
    mpii_ledger_made(MPII_REQUEST, own, call, m->label ? m->label->site : core_site());
    return own;
}

static __attribute__((noinline)) int nonblocking(struct mpii_p2p_message *m, MPI_Datatype datatype, MPI_Comm comm,
                                                 MPI_Request *request, const char *body, const char *call,
                                                 const void *from)
{
    struct mpii_p2p_label label;
    struct mpii_request *r;

    MPII_TRY(check(m, datatype, comm, body));
    MPII_TRY(mpii_check_pointer(m->comm, request, "request", body));
    if (is_labelled(m))
        m->label = mpii_p2p_label_make(&label, m, call, from);
    if (!mpii_p2p_send(m, &r))
        return no_memory(m->comm, call);
    if (mpii_request_is_lost(r))
        return mpii_error(m->comm, mpii_request_end(r), call, "no memory for a message of %zu bytes", m->n);
    if (MPT_UNLIKELY(core_params.check)) {
        r = mpii_p2p_watch_isend(m, enter(r, m, call), call);
        mpii_ahead_isends(m, r);
    }
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}

static int persistent(struct mpii_p2p_message *m, MPI_Datatype datatype, MPI_Comm comm, MPI_Request *request,
                      const char *body, const char *call, const void *from)
{
    struct mpii_p2p_label label;
    struct mpii_request *r;

    MPII_TRY(check(m, datatype, comm, body));
    MPII_TRY(mpii_check_pointer(m->comm, request, "request", body));
    if (is_labelled(m))
        m->label = mpii_p2p_label_make(&label, m, call, from);
    r = mpii_p2p_send_new(m);
    if (!r)
        return no_memory(m->comm, call);
    r->persistent = true;
    r->active = false;
    r->done = true;
    if (MPT_UNLIKELY(core_params.check))
        mpii_p2p_watch_persistent(r, MPII_WATCH_READS, m->buf, m->count, m->type, m->dest, call);
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}

#define GIVEN(mode_) (&(struct mpii_p2p_message){.buf = buf, .count = count, .dest = dest, .tag = tag, .mode = (mode_)})

int mpii_Send(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    if (MPT_LIKELY(mpii_p2p_fast_send(buf, count, datatype, dest, tag, comm)))
        return MPI_SUCCESS;
    return blocking(GIVEN(MPII_STANDARD), datatype, comm, __func__, "MPI_Send", __builtin_return_address(0));
}

int mpii_Isend(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    if (MPT_LIKELY(request && mpii_p2p_fast_send(buf, count, datatype, dest, tag, comm))) {
        *request = mpii_request_handle(mpii_state.request.sent);
        return MPI_SUCCESS;
    }
    return nonblocking(GIVEN(MPII_STANDARD), datatype, comm, request, __func__, "MPI_Isend",
                       __builtin_return_address(0));
}

int mpii_Send_init(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    return persistent(GIVEN(MPII_STANDARD), datatype, comm, request, __func__, "MPI_Send_init",
                      __builtin_return_address(0));
}

int mpii_Ssend(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return blocking(GIVEN(MPII_SYNCHRONOUS), datatype, comm, __func__, "MPI_Ssend", __builtin_return_address(0));
}

int mpii_Issend(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    return nonblocking(GIVEN(MPII_SYNCHRONOUS), datatype, comm, request, __func__, "MPI_Issend",
                       __builtin_return_address(0));
}

int mpii_Ssend_init(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request)
{
    return persistent(GIVEN(MPII_SYNCHRONOUS), datatype, comm, request, __func__, "MPI_Ssend_init",
                      __builtin_return_address(0));
}

int mpii_Rsend(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    if (MPT_LIKELY(mpii_p2p_fast_send(buf, count, datatype, dest, tag, comm)))
        return MPI_SUCCESS;
    return blocking(GIVEN(MPII_READY), datatype, comm, __func__, "MPI_Rsend", __builtin_return_address(0));
}

int mpii_Irsend(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    if (MPT_LIKELY(request && mpii_p2p_fast_send(buf, count, datatype, dest, tag, comm))) {
        *request = mpii_request_handle(mpii_state.request.sent);
        return MPI_SUCCESS;
    }
    return nonblocking(GIVEN(MPII_READY), datatype, comm, request, __func__, "MPI_Irsend", __builtin_return_address(0));
}

int mpii_Rsend_init(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request)
{
    return persistent(GIVEN(MPII_READY), datatype, comm, request, __func__, "MPI_Rsend_init",
                      __builtin_return_address(0));
}
