/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of buffered mode: sends, and attaching, detaching and flushing the
 * buffers of the process, of a communicator and of a session (3.6).
 */
#include "mpi/p2p/bsend.h"

/* ------------------------------------------------------------------ sends -- */

static int check(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, struct mpii_comm **c,
                 struct mpii_type **t, const char *call)
{
    MPII_TRY(mpii_check_comm(comm, c, call));
    MPII_TRY(mpii_check_count(*c, count, "count", call));
    MPII_TRY(mpii_check_type(*c, datatype, t, "datatype", call));
    MPII_TRY(mpii_check_rank(*c, dest, false, "dest", call));
    MPII_TRY(mpii_check_tag(*c, tag, false, call));
    return mpii_check_buffer(*c, buf, count, *t, "buf", call);
}

int mpii_Bsend(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    struct mpii_comm *c;
    struct mpii_type *t;

    MPII_TRY(check(buf, count, datatype, dest, tag, comm, &c, &t, __func__));
    return mpii_bsend_send(buf, count, t, dest, tag, c, __func__);
}

int mpii_Ibsend(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    struct mpii_comm *c;
    struct mpii_type *t;

    MPII_TRY(check(buf, count, datatype, dest, tag, comm, &c, &t, __func__));
    MPII_TRY(mpii_check_pointer(c, request, "request", __func__));
    MPII_TRY(mpii_bsend_send(buf, count, t, dest, tag, c, __func__));
    *request = mpii_request_handle(mpii_p2p_sent);
    return MPI_SUCCESS;
}

static int start(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    int error = mpii_bsend_send(s->buf, s->count, s->type, s->dest, r->tag, r->comm, "MPI_Start");

    if (error == MPI_SUCCESS)
        mpii_request_done(r, MPI_SUCCESS);
    return error;
}

static void free_type(struct mpii_request *r)
{
    mpii_p2p_type_release(mpii_p2p_send_in(r)->type);
}

static const struct mpii_request_ops persistent_ops = {.what = "buffered send", .start = start, .free = free_type};

int mpii_Bsend_init(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    struct mpii_comm *c;
    struct mpii_type *t;
    struct mpii_request *r;

    MPII_TRY(check(buf, count, datatype, dest, tag, comm, &c, &t, __func__));
    MPII_TRY(mpii_check_pointer(c, request, "request", __func__));
    r = mpii_p2p_send_new(buf, count, t, dest, tag, c, MPII_LANE_USER, MPII_BUFFERED);
    if (!r)
        return mpii_error(c, MPI_ERR_NO_MEM, __func__, "no memory for a request");
    r->ops = &persistent_ops;
    r->persistent = true;
    r->active = false;
    r->done = true;
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}

/* ---------------------------------------------------------------- buffers -- */

static int attach(void *object, struct mpii_bsend **to, void *buffer, MPI_Count size, const char *call)
{
    bool automatic = buffer == MPI_BUFFER_AUTOMATIC;

    if (*to)
        return mpii_error(object, MPI_ERR_BUFFER, call, "a buffer is attached already");
    if (size < 0 && !automatic)
        return mpii_error(object, MPI_ERR_ARG, call, "size is %lld, less than 0", (long long)size);
    if (!buffer && size > 0)
        return mpii_error(object, MPI_ERR_BUFFER, call, "buffer is NULL, but its size %lld", (long long)size);
    *to = calloc(1, sizeof **to);
    if (!*to)
        return mpii_error(object, MPI_ERR_NO_MEM, call, "no memory for a buffer's description");
    if (automatic)
        return MPI_SUCCESS;
    (*to)->size = buffer ? size : 0;
    (*to)->base = buffer ? buffer : (char *)*to; /* of no bytes, but not automatic */
    return MPI_SUCCESS;
}

static int detach(void *object, struct mpii_bsend **from, void *address, void *size, int wide, const char *call)
{
    struct mpii_bsend *b = *from;
    void *base = NULL;

    MPII_TRY(mpii_check_pointer(object, address, "buffer_addr", call));
    MPII_TRY(mpii_check_pointer(object, size, "size", call));
    mpii_bsend_wait(b, call);
    if (b)
        base = !b->base ? MPI_BUFFER_AUTOMATIC : b->base == (char *)b ? NULL : b->base;
    memcpy(address, &base, sizeof base);
    mpii_int_out(size, b ? b->size : 0, wide);
    free(b);
    *from = NULL;
    return MPI_SUCCESS;
}

static int iflush(void *object, struct mpii_bsend *b, struct mpii_comm *c, MPI_Request *request, const char *call)
{
    struct mpii_request *r;

    MPII_TRY(mpii_check_pointer(object, request, "request", call));
    r = mpii_bsend_flush(b, c);
    if (!r)
        return mpii_error(object, MPI_ERR_NO_MEM, call, "no memory for a request");
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}

int mpii_Buffer_attach(void *buffer, MPI_Count size)
{
    MPII_TRY(mpii_check_started(__func__));
    return attach(NULL, &mpii_bsend_of_process, buffer, size, __func__);
}

int mpii_Buffer_detach(void *buffer_addr, void *size, int wide)
{
    MPII_TRY(mpii_check_started(__func__));
    return detach(NULL, &mpii_bsend_of_process, buffer_addr, size, wide, "MPI_Buffer_detach");
}

int mpii_Buffer_flush(void)
{
    MPII_TRY(mpii_check_started(__func__));
    mpii_bsend_wait(mpii_bsend_of_process, "MPI_Buffer_flush");
    return MPI_SUCCESS;
}

int mpii_Buffer_iflush(MPI_Request *request)
{
    MPII_TRY(mpii_check_started(__func__));
    return iflush(NULL, mpii_bsend_of_process, NULL, request, __func__);
}

/* Those of a communicator and of a session; flushed_: the communicator that errors of a request are raised on. */
#define CALLS(Kind_, kind_, object_, flushed_)                                                             \
    int mpii_##Kind_##_attach_buffer(MPI_##Kind_ object_, void *buffer, MPI_Count size)                    \
    {                                                                                                      \
        struct mpii_##kind_ *o;                                                                            \
                                                                                                           \
        MPII_TRY(mpii_check_##kind_(object_, &o, __func__));                                               \
        return attach(o, &o->bsend, buffer, size, __func__);                                               \
    }                                                                                                      \
    int mpii_##Kind_##_detach_buffer(MPI_##Kind_ object_, void *buffer_addr, void *size, int wide)         \
    {                                                                                                      \
        struct mpii_##kind_ *o;                                                                            \
                                                                                                           \
        MPII_TRY(mpii_check_##kind_(object_, &o, __func__));                                               \
        return detach(o, &o->bsend, buffer_addr, size, wide, "MPI_" #Kind_ "_detach_buffer");              \
    }                                                                                                      \
    int mpii_##Kind_##_flush_buffer(MPI_##Kind_ object_)                                                   \
    {                                                                                                      \
        struct mpii_##kind_ *o;                                                                            \
                                                                                                           \
        MPII_TRY(mpii_check_##kind_(object_, &o, __func__));                                               \
        mpii_bsend_wait(o->bsend, "MPI_" #Kind_ "_flush_buffer");                                          \
        return MPI_SUCCESS;                                                                                \
    }                                                                                                      \
    int mpii_##Kind_##_iflush_buffer(MPI_##Kind_ object_, MPI_Request *request)                            \
    {                                                                                                      \
        struct mpii_##kind_ *o;                                                                            \
                                                                                                           \
        MPII_TRY(mpii_check_##kind_(object_, &o, __func__));                                               \
        return iflush(o, o->bsend, flushed_, request, __func__);                                           \
    }

CALLS(Comm, comm, comm, o)
CALLS(Session, session, session, NULL)
