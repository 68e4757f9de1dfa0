/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends: how a message leaves. choose_protocol decides by which protocol (the table
 * is in protocol.h), a small function for each carries it out, and the sends of all
 * modes, with a request or without, come to them by mpii_p2p_send or
 * mpii_p2p_send_start. What finds no room is queued: send_request.c.
 */
#include <errno.h>

#include "mpi/p2p/p2p.h"
#include "mpi/rt/inbox.h"

void mpii_p2p_buffering_changed(void)
{
    mpii_state.p2p.not_fast -= mpii_state.p2p.not_fast_buffering;
    mpii_state.p2p.not_fast_buffering = core_params.mpi_buffer_max < CORE_SEND_MAX - P2P_SHORT || core_params.check ||
                                        core_adversary_on() || core_trace_on();
    mpii_state.p2p.not_fast += mpii_state.p2p.not_fast_buffering;
}

enum mpii_p2p_outcome mpii_p2p_failure(int err)
{
    switch (err) {
    case -EAGAIN:
        return P2P_FULL;
    case -ENOMEM:
        return P2P_NO_MEMORY;
    case -EPIPE:
        return P2P_PEER_GONE;
    default:
        return P2P_BROKEN;
    }
}

/* ------------------------------------------------------------- the decision -- */

static inline bool is_standard(const struct mpii_p2p_message *m)
{
    return m->mode == MPII_STANDARD || m->mode == MPII_READY;
}

static inline bool is_near(int proc)
{
    return proc < core_size() && core_on_node(proc);
}

static inline bool is_over_network(int proc)
{
    return MPT_UNLIKELY(core_has_network()) && proc < core_size();
}

/* The first protocol from `from` on that applies. */
static enum mpii_p2p_protocol choose_protocol(const struct mpii_p2p_message *m, enum mpii_p2p_protocol from)
{
    const size_t n = m->n;
    const bool dense = m->type->dense, standard = is_standard(m), kept = mpii_p2p_may_buffer(n),
               copies = kept && (standard || m->mode == MPII_BUFFERED),
               confirmed = m->mode == MPII_SYNCHRONOUS || (standard && !m->internal && !kept);

    if (from <= P2P_SEND_EAGER && !confirmed && n <= CORE_SEND_MAX - mpii_p2p_head_bytes(m, P2P_SHORT))
        return P2P_SEND_EAGER;
    if (from <= P2P_SEND_EAGER && copies && dense && is_over_network(m->proc) &&
        n <= core_send_most(m->proc) - mpii_p2p_head_bytes(m, P2P_LONG))
        return P2P_SEND_EAGER;
    if (from <= P2P_SEND_EAGER_SYNC && confirmed && n <= mpii_p2p_eager_sync_most(m))
        return P2P_SEND_EAGER_SYNC;
    if (from <= P2P_SEND_PUSH && (standard || m->mode == MPII_BUFFERED) && dense && core_params.mpi_buffer_max > 0 &&
        is_over_network(m->proc) && n <= core_push_most(m->proc))
        return P2P_SEND_PUSH;
    if (from <= P2P_SEND_OFFER && copies && standard && dense && !m->internal)
        return P2P_SEND_OFFER;
    if (from <= P2P_SEND_BUFFERED && copies)
        return P2P_SEND_BUFFERED;
    if (from <= P2P_SEND_LAYOUT && !dense && is_near(m->proc) && m->proc != core_me())
        return P2P_SEND_LAYOUT;
    return dense ? P2P_SEND_RENDEZVOUS : P2P_SEND_PACKED;
}

/* ------------------------------------------------------------ the protocols -- */

static void pack(void *to, const struct mpii_p2p_message *m)
{
    mpii_pack(to, m->buf, m->count, m->type, 0, (MPI_Count)m->n);
}

/* The body with its head; asked: the request that is told when it is matched, or NULL. */
static inline int send_whole(const struct mpii_p2p_message *m, const struct mpii_request *asked)
{
    struct mpii_p2p_head h;
    size_t head_n = mpii_p2p_head_fill(&h, m, asked, asked ? P2P_LONG : P2P_SHORT);
    unsigned char packed[CORE_SEND_MAX];
    const void *body = m->buf;

    if (!m->type->dense) {
        pack(packed, m);
        body = packed;
    }
    return mpii_p2p_wire_send(m->proc, MPII_CHANNEL_MESSAGE, &h, head_n, body, m->n);
}

static enum mpii_p2p_outcome send_eager(const struct mpii_p2p_message *m, struct mpii_request *r)
{
    (void)r;
    return mpii_p2p_outcome_of(send_whole(m, NULL), P2P_SENT);
}

static enum mpii_p2p_outcome send_eager_sync(const struct mpii_p2p_message *m, struct mpii_request *r)
{
    int err = send_whole(m, r);

    mpii_p2p_send_in(r)->out = err == 0;
    return mpii_p2p_outcome_of(err, P2P_OUT);
}

static enum mpii_p2p_outcome send_push(const struct mpii_p2p_message *m, struct mpii_request *r)
{
    struct mpii_p2p_head h;
    size_t head_n = mpii_p2p_head_fill(&h, m, NULL, P2P_SHORT);
    int err = mpii_p2p_wire_push(m->proc, &h, head_n, m->buf, m->n);

    (void)r;
    return err == -ENOBUFS ? P2P_UNFIT : mpii_p2p_outcome_of(err, P2P_SENT);
}

static void buffer_done(struct core_sending *s)
{
    mpii_p2p_block_free((struct mpii_p2p_block *)(void *)s);
    mpii_state.p2p.buffers_out--;
}

static void on_buffer_ended(struct core_sending *s)
{
    mpii_inbox_ended(s, buffer_done);
}

/* A request that waits for room keeps its copy. */
static enum mpii_p2p_outcome send_buffered(const struct mpii_p2p_message *m, struct mpii_request *r)
{
    struct mpii_p2p_head h;
    size_t head_n =
        mpii_p2p_head_fill(&h, m, NULL, P2P_LONG); /* the send ends before the message: nobody asks for it back */
    struct mpii_p2p_block *b = r ? mpii_p2p_send_in(r)->block : NULL;
    int err;

    if (r && mpii_p2p_send_in(r)->laid)
        return P2P_UNFIT; /* by an earlier try, and that block holds no copy */
    if (!b) {
        if (!(b = mpii_p2p_block_get(m->n)))
            return P2P_UNFIT;
        pack(b->data, m);
    }
    err = mpii_p2p_wire_rndv(m->proc, MPII_CHANNEL_MESSAGE, &h, head_n, b->data, m->n, &b->sending, on_buffer_ended);
    mpii_state.p2p.buffers_out += err == 0; /* its end comes later, while the lock is ours */
    if (r)
        mpii_p2p_send_in(r)->block = err == 0 ? NULL : b;
    else if (err != 0)
        mpii_p2p_block_free(b);
    return mpii_p2p_outcome_of(err, P2P_SENT);
}

/* The request may be persistent, and live long: others need what its block takes. */
static void sending_done(struct core_sending *s)
{
    struct mpii_p2p_send *own = (struct mpii_p2p_send *)(void *)((char *)s - offsetof(struct mpii_p2p_send, sending));

    mpii_p2p_leave_block(own);
    mpii_p2p_heard(own->m.proc); /* a synchronous send's receiver has begun to receive */
    mpii_request_done(mpii_p2p_request_of(own), own->fate);
}

static void on_sending_ended(struct core_sending *s)
{
    mpii_inbox_ended(s, sending_done);
}

enum mpii_p2p_outcome mpii_p2p_announce(const struct mpii_p2p_message *m, struct mpii_request *r, size_t head_n,
                                        const void *body)
{
    struct mpii_p2p_head h;
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    int err;

    head_n = mpii_p2p_head_fill(&h, m, r, head_n);
    s->out = true; /* a body of our own may have been taken on return */
    err = mpii_p2p_wire_rndv(m->proc, MPII_CHANNEL_MESSAGE, &h, head_n, body, m->n, &s->sending, on_sending_ended);
    s->out = err == 0;
    return mpii_p2p_outcome_of(err, P2P_OUT);
}

static enum mpii_p2p_outcome send_rendezvous(const struct mpii_p2p_message *m, struct mpii_request *r)
{
    return mpii_p2p_announce(m, r, P2P_LONG, m->buf);
}

static enum mpii_p2p_outcome send_packed(const struct mpii_p2p_message *m, struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    if (!s->block) {
        if (!(s->block = mpii_p2p_block_need(m->n)))
            return P2P_NO_MEMORY;
        pack(s->block->data, m);
    }
    return mpii_p2p_announce(m, r, P2P_LONG, s->block->data);
}

static const struct {
    enum mpii_p2p_outcome (*send)(const struct mpii_p2p_message *m, struct mpii_request *r);
    bool lasts; /* until the receiver has it: takes a request */
} protocols[P2P_PROTOCOLS] = {
    [P2P_SEND_EAGER] = {send_eager, false},
    [P2P_SEND_EAGER_SYNC] = {send_eager_sync, true},
    [P2P_SEND_PUSH] = {send_push, false},
    [P2P_SEND_OFFER] = {mpii_p2p_send_offer, false}, /* unless it asks for one */
    [P2P_SEND_BUFFERED] = {send_buffered, false},
    [P2P_SEND_LAYOUT] = {mpii_p2p_send_layout, true},
    [P2P_SEND_PACKED] = {send_packed, true},
    [P2P_SEND_RENDEZVOUS] = {send_rendezvous, true},
};

/* By the first protocol from *p on that serves. */
static inline enum mpii_p2p_outcome try_to_send(const struct mpii_p2p_message *m, struct mpii_request *r,
                                                enum mpii_p2p_protocol *p)
{
    enum mpii_p2p_outcome o;

    while ((o = !r && protocols[*p].lasts ? P2P_LASTS : protocols[*p].send(m, r)) == P2P_UNFIT)
        *p = choose_protocol(m, *p + 1);
    if (MPT_UNLIKELY(core_trace_on()) && (o == P2P_SENT || o == P2P_OUT) && m->lane == MPII_LANE_USER)
        mpii_trace_sent(r, m->comm, m->proc, m->tag, m->n);
    return o;
}

enum mpii_p2p_outcome mpii_p2p_send_try(struct mpii_request *r)
{
    const struct mpii_p2p_message *m = &mpii_p2p_send_in(r)->m;
    enum mpii_p2p_protocol p = choose_protocol(m, P2P_SEND_EAGER);

    return try_to_send(m, r, &p);
}

/* -------------------------------------------------------------- the sends -- */

/* Nobody is overtaken. What trouble there is only a request can tell. */
static inline bool may_go(const struct mpii_p2p_message *m)
{
    return !mpii_p2p_must_wait(m->proc) && MPT_LIKELY(m->comm->trouble == 0);
}

bool mpii_p2p_send_at_once(const struct mpii_p2p_message *m)
{
    enum mpii_p2p_protocol p = choose_protocol(m, P2P_SEND_EAGER);

    if (!may_go(m) || try_to_send(m, NULL, &p) != P2P_SENT)
        return false;
    if (MPT_UNLIKELY(core_params.check))
        mpii_ahead_sends(m, false);
    return true;
}

static void begin_to_send(struct mpii_request *r);

bool mpii_p2p_send(const struct mpii_p2p_message *m, struct mpii_request **r)
{
    enum mpii_p2p_protocol p;
    enum mpii_p2p_outcome o;
    bool go, late;

    *r = mpii_state.request.sent;
    if (MPT_UNLIKELY(m->dest == MPI_PROC_NULL))
        return true;
    if (MPT_UNLIKELY(core_params.check))
        mpii_ahead_sends(m, m->blocks);
    p = choose_protocol(m, P2P_SEND_EAGER);
    late = !m->internal && m->comm->trouble == 0 &&
           core_adversary_does(CORE_ADVERSARY_LOCAL); /* it leaves in some progress to come */
    go = may_go(m) && !late;
    if (go && try_to_send(m, NULL, &p) == P2P_SENT)
        return true;
    *r = mpii_p2p_send_new(m);
    if (!*r)
        return false;
    if (MPT_UNLIKELY(late))
        mpii_p2p_send_settle(*r, P2P_FULL);
    else if (!go)
        begin_to_send(*r);
    else if ((o = try_to_send(m, *r, &p)) != P2P_OUT)
        mpii_p2p_send_settle(*r, o);
    return true;
}

struct mpii_request *mpii_p2p_send_new(const struct mpii_p2p_message *m)
{
    struct mpii_request *r = mpii_request_new_unset(&mpii_p2p_send_ops, m->comm);
    struct mpii_p2p_send *s;

    if (!r)
        return NULL;
    s = mpii_p2p_send_in(r);
    s->m = *m;
    if (MPT_UNLIKELY(m->label != NULL)) {
        s->label = *m->label;
        s->m.label = &s->label;
    }
    s->block = NULL;
    s->queued = s->out = s->laid = false;
    s->fate = MPI_SUCCESS;
    r->tag = m->tag;
    r->internal = m->internal;
    if (MPT_UNLIKELY(core_trace_on()))
        mpii_trace_begun(r);
    mpii_p2p_type_hold(m->type);
    return r;
}

void mpii_p2p_send_start(struct mpii_request *r)
{
    if (MPT_UNLIKELY(core_params.check)) {
        mpii_ahead_sends(&mpii_p2p_send_in(r)->m, false);
        mpii_ahead_isends(&mpii_p2p_send_in(r)->m, r);
    }
    if (MPT_UNLIKELY(core_trace_on()))
        mpii_trace_begun(r);
    begin_to_send(r);
}

static void begin_to_send(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    int error = MPI_SUCCESS;

    s->queued = s->out = false;
    s->fate = MPI_SUCCESS;
    mpii_p2p_leave_block(s); /* of a start that was cancelled in the queue */
    if (MPT_UNLIKELY(r->comm->trouble != 0) && s->m.dest != MPI_PROC_NULL)
        error = mpii_p2p_send_hindered(r);
    if (s->m.dest == MPI_PROC_NULL || error != MPI_SUCCESS)
        mpii_request_done(r, error);
    else
        mpii_p2p_send_settle(r, mpii_p2p_must_wait(s->m.proc) ? P2P_FULL : mpii_p2p_send_try(r));
}

int mpii_isend(const void *buf, MPI_Count count, struct mpii_type *t, int dest, int tag, struct mpii_comm *comm,
               enum mpii_lane lane, enum mpii_mode mode, struct mpii_request **r)
{
    struct mpii_p2p_message m = mpii_p2p_message_of(buf, count, t, dest, tag, comm);

    m.lane = (uint8_t)lane;
    m.mode = (uint8_t)mode;
    m.internal = true;
    *r = mpii_p2p_send_new(&m);
    if (!*r)
        return MPI_ERR_NO_MEM;
    mpii_p2p_send_start(*r);
    return mpii_request_is_lost(*r) ? mpii_request_end(*r) : MPI_SUCCESS;
}

int mpii_send_bytes(const void *buf, size_t n, int dest, int tag, struct mpii_comm *comm, enum mpii_lane lane)
{
    struct mpii_request *r;

    MPII_TRY(mpii_isend(buf, (MPI_Count)n, mpii_type_of(MPI_BYTE), dest, tag, comm, lane, MPII_STANDARD, &r));
    return mpii_request_wait(r, NULL);
}
