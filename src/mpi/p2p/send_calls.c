/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls that send (3.2.1, 3.4, 3.7.2): arguments are looked at, then a small
 * dense message leaves at once; all others take a request.
 */
#include "mpi/p2p/p2p_quick.h"

struct arguments {
    const void *buf;
    MPI_Count count;
    struct mpii_type *t;
    int dest, tag;
    struct mpii_comm *c;
};

static inline int check(struct arguments *a, MPI_Datatype datatype, MPI_Comm comm, const char *call)
{
    MPII_TRY(mpii_check_comm(comm, &a->c, call));
    MPII_TRY(mpii_check_count(a->c, a->count, "count", call));
    MPII_TRY(mpii_check_type(a->c, datatype, &a->t, "datatype", call));
    MPII_TRY(mpii_check_rank(a->c, a->dest, false, "dest", call));
    MPII_TRY(mpii_check_tag(a->c, a->tag, false, call));
    return mpii_check_buffer(a->c, a->buf, a->count, a->t, "buf", call);
}

static int no_memory(struct mpii_comm *c, const char *call)
{
    return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a request");
}

/* What the quick way left, as the user gave it. */
static __attribute__((noinline)) int blocking(const struct arguments *given, MPI_Datatype datatype, MPI_Comm comm, int mode,
                                              const char *body, const char *call)
{
    struct arguments a = *given;
    struct mpii_request *r;

    MPII_TRY(check(&a, datatype, comm, body));
    if (MPT_UNLIKELY(a.dest == MPI_PROC_NULL))
        return MPI_SUCCESS;
    if (mode != MPII_SYNCHRONOUS &&
        MPT_LIKELY(mpii_p2p_send_at_once(a.buf, a.count, a.t, a.dest, a.tag, a.c, MPII_LANE_USER, P2P_MAY_WAIT) == 0))
        return MPI_SUCCESS;
    r = mpii_p2p_send_new(a.buf, a.count, a.t, a.dest, a.tag, a.c, MPII_LANE_USER, mode);
    if (!r)
        return no_memory(a.c, call);
    mpii_p2p_send_start(r);
    return mpii_p2p_request_finish(r, MPI_STATUS_IGNORE, call);
}

static __attribute__((noinline)) int nonblocking(const struct arguments *given, MPI_Datatype datatype, MPI_Comm comm, int mode,
                                                 MPI_Request *request, const char *body, const char *call)
{
    struct arguments a = *given;
    struct mpii_request *r;

    MPII_TRY(check(&a, datatype, comm, body));
    MPII_TRY(mpii_check_pointer(a.c, request, "request", body));
    if (a.dest == MPI_PROC_NULL ||
        (mode != MPII_SYNCHRONOUS && mpii_p2p_send_at_once(a.buf, a.count, a.t, a.dest, a.tag, a.c, MPII_LANE_USER, P2P_MAY_LAST) == 0)) {
        *request = mpii_request_handle(mpii_p2p_sent);
        return MPI_SUCCESS;
    }
    r = mpii_p2p_send_new(a.buf, a.count, a.t, a.dest, a.tag, a.c, MPII_LANE_USER, mode);
    if (!r)
        return no_memory(a.c, call);
    mpii_p2p_send_start(r);
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}

static int persistent(const struct arguments *a, int mode, MPI_Request *request, const char *call)
{
    struct mpii_request *r = mpii_p2p_send_new(a->buf, a->count, a->t, a->dest, a->tag, a->c, MPII_LANE_USER, mode);

    if (!r)
        return no_memory(a->c, call);
    r->persistent = true;
    r->active = false;
    r->done = true;
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}

/* Three calls of each mode that differ in it alone. */
#define SENDS(Send_, Isend_, Send_init_, mode_)                                                                         \
    int mpii_##Send_(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)         \
    {                                                                                                                   \
        if (mode_ != MPII_SYNCHRONOUS && MPT_LIKELY(mpii_p2p_quick_send(buf, count, datatype, dest, tag, comm)))        \
            return MPI_SUCCESS;                                                                                         \
        return blocking(&(struct arguments){buf, count, NULL, dest, tag, NULL}, datatype, comm, mode_, __func__,        \
                        "MPI_" #Send_);                                                                                 \
    }                                                                                                                   \
    int mpii_##Isend_(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,        \
                      MPI_Request *request)                                                                             \
    {                                                                                                                   \
        if (mode_ != MPII_SYNCHRONOUS && MPT_LIKELY(request && mpii_p2p_quick_send(buf, count, datatype, dest, tag, comm))) { \
            *request = mpii_request_handle(mpii_p2p_sent);                                                              \
            return MPI_SUCCESS;                                                                                         \
        }                                                                                                               \
        return nonblocking(&(struct arguments){buf, count, NULL, dest, tag, NULL}, datatype, comm, mode_, request,      \
                           __func__, "MPI_" #Isend_);                                                                   \
    }                                                                                                                   \
    int mpii_##Send_init_(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,    \
                          MPI_Request *request)                                                                         \
    {                                                                                                                   \
        struct arguments a = {buf, count, NULL, dest, tag, NULL};                                                       \
                                                                                                                        \
        MPII_TRY(check(&a, datatype, comm, __func__));                                                                  \
        MPII_TRY(mpii_check_pointer(a.c, request, "request", __func__));                                                \
        return persistent(&a, mode_, request, "MPI_" #Send_init_);                                                      \
    }

SENDS(Send, Isend, Send_init, MPII_STANDARD)
SENDS(Ssend, Issend, Ssend_init, MPII_SYNCHRONOUS)
SENDS(Rsend, Irsend, Rsend_init, MPII_READY)
