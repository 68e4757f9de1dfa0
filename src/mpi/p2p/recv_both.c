/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sending and receiving in one call (3.10): two internal requests, and for the
 * nonblocking forms a third that is the user's and done when both are.
 */
#include "core/base/site_call.h"
#include "mpi/check/own.h"
#include "mpi/p2p/p2p.h"
#include "mpi/p2p/watched.h"

struct arguments {
    const void *out;
    MPI_Count out_count;
    struct mpii_type *out_type;
    int dest, out_tag;
    void *in;
    MPI_Count in_count;
    struct mpii_type *in_type;
    int source, in_tag;
    struct mpii_comm *c;
    bool replaces; /* what comes what is sent */
    const void *from; /* the body's return address */
};

struct both {
    void *packed; /* what is sent, of the forms that replace it; or NULL */
    struct mpii_request *in; /* NULL: done */
    int left;
};

static int check(struct arguments *a, MPI_Datatype out, MPI_Datatype in, MPI_Comm comm, const char *call)
{
    MPII_TRY(mpii_check_comm(comm, &a->c, call));
    MPII_TRY(mpii_check_count(a->c, a->out_count, "sendcount", call));
    MPII_TRY(mpii_check_count(a->c, a->in_count, "recvcount", call));
    MPII_TRY(mpii_check_type(a->c, out, &a->out_type, "sendtype", call));
    MPII_TRY(mpii_check_type(a->c, in, &a->in_type, "recvtype", call));
    MPII_TRY(mpii_check_rank(a->c, a->dest, false, "dest", call));
    MPII_TRY(mpii_check_rank(a->c, a->source, true, "source", call));
    MPII_TRY(mpii_check_tag(a->c, a->out_tag, false, call));
    MPII_TRY(mpii_check_tag(a->c, a->in_tag, true, call));
    MPII_TRY(mpii_check_buffer(a->c, a->out, a->out_count, a->out_type, "sendbuf", call));
    return mpii_check_buffer(a->c, a->in, a->in_count, a->in_type, "recvbuf", call);
}

static int check_replace(struct arguments *a, MPI_Datatype datatype, MPI_Comm comm, const char *call)
{
    MPII_TRY(mpii_check_comm(comm, &a->c, call));
    MPII_TRY(mpii_check_count(a->c, a->in_count, "count", call));
    MPII_TRY(mpii_check_type(a->c, datatype, &a->in_type, "datatype", call));
    MPII_TRY(mpii_check_rank(a->c, a->dest, false, "dest", call));
    MPII_TRY(mpii_check_rank(a->c, a->source, true, "source", call));
    MPII_TRY(mpii_check_tag(a->c, a->out_tag, false, call));
    MPII_TRY(mpii_check_tag(a->c, a->in_tag, true, call));
    return mpii_check_buffer(a->c, a->in, a->in_count, a->in_type, "buf", call);
}

/* What is to be sent moves out of the way. */
static int pack_aside(struct arguments *a, void **packed, const char *call)
{
    MPI_Count n = mpii_p2p_bytes(a->in_count, a->in_type);

    *packed = malloc(n > 0 ? (size_t)n : 1);
    if (!*packed)
        return mpii_error(a->c, MPI_ERR_NO_MEM, call, "no memory for a copy of %lld bytes", (long long)n);
    mpii_pack(*packed, a->in, a->in_count, a->in_type, 0, n);
    a->replaces = true;
    a->out = *packed;
    a->out_count = n;
    a->out_type = mpii_type_of(MPI_BYTE);
    return MPI_SUCCESS;
}

/* With a label, if it is to have one: of the program's data, also where these were packed. */
static struct mpii_p2p_message message_of(const struct arguments *a, struct mpii_p2p_label *label, const char *call)
{
    struct mpii_p2p_message m = mpii_p2p_message_of(a->out, a->out_count, a->out_type, a->dest, a->out_tag, a->c), said;

    if (MPT_LIKELY(!core_params.check) || m.proc < 0 || m.proc >= core_size())
        return m;
    said = m;
    if (a->replaces) {
        said.count = a->in_count;
        said.type = a->in_type;
    }
    m.label = mpii_p2p_label_make(label, &said, call, a->from);
    return m;
}

static int no_memory(struct mpii_comm *c, const char *call)
{
    return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a request");
}

/* The receive is there first: a message to oneself finds it. Most sends need no request. */
static int exchange(const struct arguments *a, MPI_Status *status, const char *call)
{
    struct mpii_p2p_label label;
    struct mpii_p2p_message m = message_of(a, &label, call);
    struct mpii_request *in = mpii_p2p_recv_new(a->in, a->in_count, a->in_type, a->source, a->in_tag, a->c), *out;
    int error = MPI_ERR_NO_MEM;

    if (!in)
        return no_memory(a->c, call);
    if (MPT_UNLIKELY(core_params.check))
        mpii_p2p_asker_set(in, call, a->from);
    mpii_p2p_recv_start(in, MPII_LANE_USER);
    if (mpii_p2p_send(&m, &out)) {
        mpii_request_await(out, call);
        error = out->error;
    }
    if (MPT_UNLIKELY(error != MPI_SUCCESS) && (!out || mpii_request_is_lost(out)))
        mpii_p2p_recv_fail(in, error); /* what it waits for may depend on it */
    if (out)
        mpii_request_free(out);
    mpii_request_await(in, call);
    if (in->error == MPI_SUCCESS)
        in->error = error;
    return mpii_request_finish(in, status, call);
}

/* The buffers that are the program's; owner `a`: for this call only. */
static void watch(const struct arguments *a, const void *owner, bool sends, const char *call)
{
    if (sends && a->dest != MPI_PROC_NULL)
        mpii_watch_add(owner, call, MPII_WATCH_READS, "sendbuf", a->out, a->out_count, a->out_type);
    if (a->source != MPI_PROC_NULL)
        mpii_watch_add(owner, call, MPII_WATCH_WRITES, sends ? "recvbuf" : "buf", a->in, a->in_count, a->in_type);
    if (owner == a)
        mpii_watch_pass(owner);
    else
        mpii_watch_start(owner, core_site_by(a->from));
}

int mpii_Sendrecv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                  MPI_Status *status)
{
    struct arguments a = {.out = sendbuf,
                          .out_count = sendcount,
                          .dest = dest,
                          .out_tag = sendtag,
                          .in = recvbuf,
                          .in_count = recvcount,
                          .source = source,
                          .in_tag = recvtag,
                          .from = __builtin_return_address(0)};
    int error;

    MPII_TRY(check(&a, sendtype, recvtype, comm, __func__));
    if (MPT_UNLIKELY(core_params.check))
        watch(&a, &a, true, "MPI_Sendrecv");
    error = exchange(&a, status, "MPI_Sendrecv");
    mpii_own_landed();
    return error;
}

int mpii_Sendrecv_replace(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                          int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct arguments a = {.dest = dest,
                          .out_tag = sendtag,
                          .in = buf,
                          .in_count = count,
                          .source = source,
                          .in_tag = recvtag,
                          .from = __builtin_return_address(0)};
    void *packed;
    int error;

    MPII_TRY(check_replace(&a, datatype, comm, __func__));
    MPII_TRY(pack_aside(&a, &packed, __func__));
    if (MPT_UNLIKELY(core_params.check))
        watch(&a, &a, false, "MPI_Sendrecv_replace");
    error = exchange(&a, status, "MPI_Sendrecv_replace");
    mpii_own_landed();
    free(packed);
    return error;
}

/* ------------------------------------------------------------- nonblocking -- */

static struct both *both_in(struct mpii_request *r)
{
    return (struct both *)(void *)r->own;
}

static void both_free(struct mpii_request *r)
{
    free(both_in(r)->packed);
}

static const struct mpii_request_ops both_ops = {
    .what = "send and receive", .message = MPII_RECEIVES_MESSAGE, .free = both_free};

static void half_done(struct mpii_request *half)
{
    struct mpii_request *r = half->then_arg;
    struct both *both = both_in(r);

    if (half->ops == &mpii_p2p_recv_ops) {
        both->in = NULL;
        r->source = half->source;
        r->tag = half->tag;
        r->bytes = half->bytes;
        if (MPT_UNLIKELY(core_trace_on()))
            r->traced = half->traced;
        if (mpii_watch_has(r))
            mpii_watch_landed(r);
    }
    if (half->error != MPI_SUCCESS)
        r->error = half->error;
    if (both->in && mpii_request_is_lost(half))
        mpii_p2p_recv_fail(both->in, half->error); /* what it waits for may depend on it */
    if (--both->left == 0)
        mpii_request_done(r, r->error);
}

static int begin(const struct arguments *a, void *packed, MPI_Request *request, const char *name, const char *call)
{
    struct mpii_request *r = mpii_request_new(&both_ops, a->c);
    struct mpii_request *in = r ? mpii_p2p_recv_new(a->in, a->in_count, a->in_type, a->source, a->in_tag, a->c) : NULL;
    struct mpii_p2p_label label;
    struct mpii_p2p_message m = message_of(a, &label, name);
    struct mpii_request *out;

    m.internal = true;
    out = in ? mpii_p2p_send_new(&m) : NULL;
    if (!out) {
        if (in)
            mpii_request_free(in);
        if (r)
            mpii_request_free(r);
        free(packed);
        return no_memory(a->c, call);
    }
    *both_in(r) = (struct both){packed, in, 2};
    in->then = out->then = half_done;
    in->then_arg = out->then_arg = r;
    in->internal = true;
    in->freed = out->freed = true; /* each goes away when it is done */
    if (MPT_UNLIKELY(core_params.check)) {
        mpii_p2p_asker_set(in, name, a->from);
        watch(a, r, !packed, packed ? "MPI_Isendrecv_replace" : "MPI_Isendrecv");
        mpii_watch_request(r);
        mpii_p2p_recv_in(in)->watched = r;
    }
    mpii_p2p_recv_start(in, MPII_LANE_USER);
    mpii_p2p_send_start(out);
    if (mpii_request_is_lost(r))
        return mpii_error(a->c, mpii_request_end(r), call, "no memory for a message of %zu bytes", m.n);
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}

int mpii_Isendrecv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                   void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                   MPI_Request *request)
{
    struct arguments a = {.out = sendbuf,
                          .out_count = sendcount,
                          .dest = dest,
                          .out_tag = sendtag,
                          .in = recvbuf,
                          .in_count = recvcount,
                          .source = source,
                          .in_tag = recvtag,
                          .from = __builtin_return_address(0)};

    MPII_TRY(check(&a, sendtype, recvtype, comm, __func__));
    MPII_TRY(mpii_check_pointer(a.c, request, "request", __func__));
    return begin(&a, NULL, request, "MPI_Isendrecv", __func__);
}

int mpii_Isendrecv_replace(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
                           int recvtag, MPI_Comm comm, MPI_Request *request)
{
    struct arguments a = {.dest = dest,
                          .out_tag = sendtag,
                          .in = buf,
                          .in_count = count,
                          .source = source,
                          .in_tag = recvtag,
                          .from = __builtin_return_address(0)};
    void *packed;

    MPII_TRY(check_replace(&a, datatype, comm, __func__));
    MPII_TRY(mpii_check_pointer(a.c, request, "request", __func__));
    MPII_TRY(pack_aside(&a, &packed, __func__));
    return begin(&a, packed, request, "MPI_Isendrecv_replace", __func__);
}
