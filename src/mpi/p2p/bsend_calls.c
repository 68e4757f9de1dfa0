/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of buffered mode: sends, and attaching, detaching and flushing the
 * buffers of the process, of a communicator and of a session (3.6).
 */
#include "mpi/p2p/bsend.h"
#include "mpi/p2p/watched.h"

/* ------------------------------------------------------------------ sends -- */

static int check(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                 struct mpii_comm **c, struct mpii_type **t, const char *call)
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

int mpii_Ibsend(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    struct mpii_comm *c;
    struct mpii_type *t;

    MPII_TRY(check(buf, count, datatype, dest, tag, comm, &c, &t, __func__));
    MPII_TRY(mpii_check_pointer(c, request, "request", __func__));
    MPII_TRY(mpii_bsend_send(buf, count, t, dest, tag, c, __func__));
    *request = mpii_request_handle(mpii_state.request.sent);
    if (MPT_UNLIKELY(core_params.check)) {
        struct mpii_p2p_message m = mpii_p2p_message_of(buf, count, t, dest, tag, c);

        *request = mpii_request_handle(mpii_p2p_watch_isend(&m, mpii_state.request.sent, "MPI_Ibsend"));
    }
    return MPI_SUCCESS;
}

static int start(struct mpii_request *r)
{
    const struct mpii_p2p_message *m = &mpii_p2p_send_in(r)->m;
    int error = mpii_bsend_send(m->buf, m->count, m->type, m->dest, m->tag, m->comm, "MPI_Start");

    if (error == MPI_SUCCESS)
        mpii_request_done(r, MPI_SUCCESS);
    return error;
}

static void free_type(struct mpii_request *r)
{
    mpii_p2p_type_release(mpii_p2p_send_in(r)->m.type);
}

static const struct mpii_request_ops persistent_ops = {.what = "buffered send", .start = start, .free = free_type};

int mpii_Bsend_init(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                    MPI_Request *request)
{
    struct mpii_comm *c;
    struct mpii_type *t;
    struct mpii_p2p_message m;
    struct mpii_request *r;

    MPII_TRY(check(buf, count, datatype, dest, tag, comm, &c, &t, __func__));
    MPII_TRY(mpii_check_pointer(c, request, "request", __func__));
    m = mpii_p2p_message_of(buf, count, t, dest, tag, c);
    m.mode = MPII_BUFFERED;
    r = mpii_p2p_send_new(&m);
    if (!r)
        return mpii_error(c, MPI_ERR_NO_MEM, __func__, "no memory for a request");
    r->ops = &persistent_ops;
    r->persistent = true;
    r->active = false;
    r->done = true;
    if (MPT_UNLIKELY(core_params.check))
        mpii_p2p_watch_persistent(r, MPII_WATCH_READS, buf, count, t, dest, "MPI_Bsend_init");
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
    return attach(NULL, &mpii_state.p2p.buffer, buffer, size, __func__);
}

int mpii_Buffer_detach(void *buffer_addr, void *size, int wide)
{
    MPII_TRY(mpii_check_started(__func__));
    return detach(NULL, &mpii_state.p2p.buffer, buffer_addr, size, wide, "MPI_Buffer_detach");
}

int mpii_Buffer_flush(void)
{
    MPII_TRY(mpii_check_started(__func__));
    mpii_bsend_wait(mpii_state.p2p.buffer, "MPI_Buffer_flush");
    return MPI_SUCCESS;
}

int mpii_Buffer_iflush(MPI_Request *request)
{
    MPII_TRY(mpii_check_started(__func__));
    return iflush(NULL, mpii_state.p2p.buffer, NULL, request, __func__);
}

/* ---- of a communicator, and of a session ---- */

int mpii_Comm_attach_buffer(MPI_Comm comm, void *buffer, MPI_Count size)
{
    struct mpii_comm *o;

    MPII_TRY(mpii_check_comm(comm, &o, __func__));
    return attach(o, &o->bsend, buffer, size, __func__);
}

int mpii_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, void *size, int wide)
{
    struct mpii_comm *o;

    MPII_TRY(mpii_check_comm(comm, &o, __func__));
    return detach(o, &o->bsend, buffer_addr, size, wide, "MPI_Comm_detach_buffer");
}

int mpii_Comm_flush_buffer(MPI_Comm comm)
{
    struct mpii_comm *o;

    MPII_TRY(mpii_check_comm(comm, &o, __func__));
    mpii_bsend_wait(o->bsend, "MPI_Comm_flush_buffer");
    return MPI_SUCCESS;
}

int mpii_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request)
{
    struct mpii_comm *o;

    MPII_TRY(mpii_check_comm(comm, &o, __func__));
    return iflush(o, o->bsend, o, request, __func__);
}

int mpii_Session_attach_buffer(MPI_Session session, void *buffer, MPI_Count size)
{
    struct mpii_session *o;

    MPII_TRY(mpii_check_session(session, &o, __func__));
    return attach(o, &o->bsend, buffer, size, __func__);
}

int mpii_Session_detach_buffer(MPI_Session session, void *buffer_addr, void *size, int wide)
{
    struct mpii_session *o;

    MPII_TRY(mpii_check_session(session, &o, __func__));
    return detach(o, &o->bsend, buffer_addr, size, wide, "MPI_Session_detach_buffer");
}

int mpii_Session_flush_buffer(MPI_Session session)
{
    struct mpii_session *o;

    MPII_TRY(mpii_check_session(session, &o, __func__));
    mpii_bsend_wait(o->bsend, "MPI_Session_flush_buffer");
    return MPI_SUCCESS;
}

int mpii_Session_iflush_buffer(MPI_Session session, MPI_Request *request)
{
    struct mpii_session *o;

    MPII_TRY(mpii_check_session(session, &o, __func__));
    return iflush(o, o->bsend, NULL, request, __func__);
}
