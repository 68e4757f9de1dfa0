/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receives: what is posted, and how a message that came with its body gets to
 * the user's memory. Bodies that stayed with the sender: recv_rndv.c.
 */
#include "mpi/p2p/watched.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

void mpii_p2p_recv_nothing(struct mpii_request *r)
{
    r->source = MPI_PROC_NULL;
    r->tag = MPI_ANY_TAG;
    r->bytes = 0;
    mpii_request_done(r, MPI_SUCCESS);
}

static void say_taken(const struct mpii_p2p_mail *m)
{
    mpii_p2p_say(m->from, &(struct mpii_p2p_control){P2P_TAKEN, 0, m->id, 0});
}

void mpii_p2p_recv_from(struct mpii_request *r, const struct mpii_p2p_mail *m)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);
    MPI_Count room = mpii_p2p_bytes(v->count, v->type), n = (MPI_Count)m->n;
    int error = MPI_SUCCESS;

    if (MPT_UNLIKELY(r->then != NULL))
        mpii_p2p_watch_arrives(r);
    v->context = NULL;
    r->source = m->source;
    r->tag = m->tag;
    if (MPT_UNLIKELY(m->number != 0))
        mpii_ahead_meets(m, v);
    if (MPT_UNLIKELY(n > room)) {
        error = MPI_ERR_TRUNCATE;
        n = room;
    }
    r->bytes = n;
    if (MPT_UNLIKELY(core_trace_on()))
        mpii_trace_met(r, m->from, m->traced);
    if (MPT_UNLIKELY(m->label != NULL))
        mpii_p2p_label_look(r, m);
    mpii_state.counters.receives++;
    mpii_state.counters.receive_bytes += (uint64_t)n;
    if (MPT_UNLIKELY(!m->data && m->n > 0)) {
        r->done = false; /* it may have been told of as pending */
        v->rndv = *m->rndv;
        v->form = m->form;
        r->error = error;
        mpii_p2p_fetch_start(r);
        return;
    }
    if (MPT_LIKELY(v->type->dense))
        core_copy(v->buf, m->data, (size_t)n);
    else
        mpii_unpack(v->buf, v->count, v->type, 0, m->data, n);
    if (MPT_UNLIKELY(m->id))
        say_taken(m);
    mpii_request_done(r, error);
}

void mpii_p2p_recv_arrived(struct mpii_request *r, struct mpii_p2p_arrived *a)
{
    mpii_p2p_recv_from(r, &a->mail);
    mpii_p2p_arrived_free(a);
}

/* --------------------------------------------------------------- the request -- */

void mpii_p2p_recv_fail(struct mpii_request *r, int error)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    if (!v->context)
        return; /* matched: it will complete */
    match_withdraw(&v->context->q, &v->node);
    v->context = NULL;
    r->source = v->node.source;
    r->tag = v->node.tag;
    r->bytes = 0;
    mpii_request_done(r, error);
}

/* One from any source, which the user waits for, is told of, but stays: another process may send it. */
static void troubled(struct mpii_request *r)
{
    const struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);
    bool together = v->context && mpii_p2p_is_together(r, (enum mpii_lane)(v->context->key % MPII_LANES), v->node.tag);
    int error = together ? mpii_ft_error(r->comm) : mpii_ft_recv_error(r->comm, v->node.source);

    if (error == MPIX_ERR_PROC_FAILED_PENDING && !r->internal && !r->freed && v->context) {
        r->error = error;
        r->done = true;
    } else if (error != MPI_SUCCESS) {
        mpii_p2p_recv_fail(r, error == MPIX_ERR_PROC_FAILED_PENDING ? MPIX_ERR_PROC_FAILED : error);
    }
}

/* What `node.source` and `node.tag` ask for. */
void mpii_p2p_recv_start(struct mpii_request *r, enum mpii_lane lane)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);
    struct mpii_p2p_context *c;
    struct match_node *n;

    v->context = NULL;
    v->event = MPT_UNLIKELY(core_params.check) && lane == MPII_LANE_USER ? mpii_ahead_posts() : 0;
    if (MPT_UNLIKELY(core_trace_on()))
        mpii_trace_begun(r);
    if (MPT_UNLIKELY(v->node.source == MPI_PROC_NULL)) {
        mpii_p2p_recv_nothing(r);
        return;
    }
    if (MPT_UNLIKELY(r->comm->trouble & MPII_REVOKED)) {
        mpii_request_done(r, MPIX_ERR_REVOKED);
        return;
    }
    c = mpii_p2p_context_of(r->comm, lane);
    if (MPT_UNLIKELY(!c))
        c = mpii_p2p_context_open(r->comm, lane);
    n = c->q.arrived.n ? mpii_p2p_find(&c->q, v->node.source, v->node.tag) : NULL;
    if (n) {
        match_take(&c->q, n);
        core_acted();
        mpii_p2p_recv_arrived(r, (struct mpii_p2p_arrived *)(void *)n);
        return;
    }
    v->context = c;
    match_post(&c->q, &v->node);
    if (MPT_UNLIKELY(r->comm->trouble != 0))
        troubled(r);
}

static int start(struct mpii_request *r)
{
    mpii_p2p_recv_start(r, MPII_LANE_USER);
    return MPI_SUCCESS;
}

static int cancel(struct mpii_request *r)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    if (!v->context)
        return MPI_SUCCESS; /* matched: it will complete */
    match_withdraw(&v->context->q, &v->node);
    v->context = NULL;
    r->source = MPI_ANY_SOURCE;
    r->tag = MPI_ANY_TAG;
    r->bytes = 0;
    r->cancelled = true;
    mpii_request_done(r, MPI_SUCCESS);
    return MPI_SUCCESS;
}

static void recv_free(struct mpii_request *r)
{
    mpii_p2p_type_release(mpii_p2p_recv_in(r)->type);
}

static const char *where(const struct mpii_request *r, char *text, const char *call, bool several)
{
    const struct mpii_p2p_recv *v = (const struct mpii_p2p_recv *)(const void *)r->own;

    return mpii_p2p_where(text, call, several ? " (receive)" : "", v->node.source, v->node.tag, r->comm);
}

/* One that is matched ends by itself: its message is on the way. */
static enum mpii_awaits awaits(const struct mpii_request *r)
{
    const struct mpii_p2p_recv *v = (const struct mpii_p2p_recv *)(const void *)r->own;

    if (!v->context)
        return MPII_AWAITS_NOBODY;
    return v->node.source == MPI_ANY_SOURCE ? MPII_AWAITS_SOME : MPII_AWAITS_ONE;
}

static void awaited(const struct mpii_request *r, struct core_wire_blocked_thread *b)
{
    mpii_p2p_awaited(b, r->comm, ((const struct mpii_p2p_recv *)(const void *)r->own)->node.source);
}

static void say(const struct mpii_request *r, char *text, char *miss)
{
    const struct mpii_p2p_recv *v = (const struct mpii_p2p_recv *)(const void *)r->own;

    mpii_p2p_say_call(text, "from", r->comm, v->node.source, v->node.tag, v->count, v->type);
    if (v->context)
        mpii_p2p_say_miss(miss, r->comm, v->context->key, v->node.source, v->node.tag);
}

const struct mpii_request_ops mpii_p2p_recv_ops = {.what = "receive",
                                                   .message = MPII_RECEIVES_MESSAGE,
                                                   .start = start,
                                                   .cancel = cancel,
                                                   .free = recv_free,
                                                   .blame = mpii_p2p_label_blame,
                                                   .give_up = mpii_p2p_recv_fail,
                                                   .where = where,
                                                   .awaits = awaits,
                                                   .awaited = awaited,
                                                   .say = say,
                                                   .troubled = troubled};

struct mpii_request *mpii_p2p_recv_new(void *buf, MPI_Count count, struct mpii_type *t, int source, int tag,
                                       struct mpii_comm *c)
{
    struct mpii_request *r = mpii_request_new_unset(&mpii_p2p_recv_ops, c);
    struct mpii_p2p_recv *v;

    if (MPT_UNLIKELY(!r))
        return NULL;
    v = mpii_p2p_recv_in(r);
    v->node.source = source;
    v->node.tag = tag;
    v->event = 0;
    v->blocks = false;
    v->watched = NULL;
    v->context = NULL;
    v->buf = buf;
    v->count = count;
    v->type = t;
    v->bounce = NULL;
    v->asker.call = NULL;
    if (MPT_UNLIKELY(core_trace_on()))
        mpii_trace_begun(r);
    mpii_p2p_type_hold(t);
    return r;
}

int mpii_irecv(void *buf, MPI_Count count, struct mpii_type *t, int source, int tag, struct mpii_comm *comm,
               enum mpii_lane lane, struct mpii_request **r)
{
    *r = mpii_p2p_recv_new(buf, count, t, source, tag, comm);
    if (!*r)
        return MPI_ERR_NO_MEM;
    (*r)->internal = true;
    mpii_p2p_recv_start(*r, lane);
    return MPI_SUCCESS;
}

int mpii_recv_bytes(void *buf, size_t n, int source, int tag, struct mpii_comm *comm, enum mpii_lane lane)
{
    struct mpii_request *r;

    MPII_TRY(mpii_irecv(buf, (MPI_Count)n, mpii_type_of(MPI_BYTE), source, tag, comm, lane, &r));
    return mpii_request_wait(r, NULL);
}
