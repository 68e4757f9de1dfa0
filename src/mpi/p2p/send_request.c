/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests of sends: the queue of those that find no room, and how one ends: sent,
 * cancelled, or because its receiver or communicator is no more.
 */
#include "core/live/dead.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

static struct mpii_p2p_state *const p2p = &mpii_state.p2p;

static int error_of(enum mpii_p2p_outcome failure)
{
    if (failure == P2P_NO_MEMORY)
        return MPI_ERR_NO_MEM;
    return failure == P2P_PEER_GONE && mpii_state.ft.on ? MPIX_ERR_PROC_FAILED : MPI_ERR_INTERN;
}

void mpii_p2p_send_settle(struct mpii_request *r, enum mpii_p2p_outcome outcome)
{
    switch (outcome) {
    case P2P_OUT:
        return; /* its end will be told */
    case P2P_FULL:
        mpii_p2p_enqueue(r);
        return;
    case P2P_SENT:
        mpii_p2p_leave_block(mpii_p2p_send_in(r)); /* of an earlier try */
        mpii_request_done(r, MPI_SUCCESS);
        return;
    default:
        mpii_state.request.lost += outcome != P2P_PEER_GONE;
        mpii_request_done(r, error_of(outcome));
    }
}

/* -------------------------------------------------------------- the queue -- */

static void count_in(struct mpii_p2p_send *s)
{
    s->queued = true;
    p2p->waiting++;
    p2p->not_fast++;
    if (mpii_p2p_peer_queue_of(s->m.proc)->waiting++ == 0)
        p2p->queue.procs++;
}

static void dequeue(struct mpii_request **at)
{
    struct mpii_request *r = *at;
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    *at = s->next;
    if (p2p->queue.last == &s->next)
        p2p->queue.last = at;
    s->queued = false;
    p2p->waiting--;
    p2p->not_fast--;
    if (--mpii_p2p_peer_queue_of(s->m.proc)->waiting == 0)
        p2p->queue.procs--;
}

/* Until nobody takes more: thousands may stand here. */
static void step_queue(struct mpii_hook *hook)
{
    struct mpii_request **at = &p2p->queue.first, *r;
    unsigned stuck = 0;

    p2p->queue.pass++;
    while ((r = *at) && stuck < p2p->queue.procs) {
        struct mpii_p2p_send *s = mpii_p2p_send_in(r);
        struct mpii_p2p_peer_queue *l = mpii_p2p_peer_queue_of(s->m.proc);
        enum mpii_p2p_outcome outcome = P2P_FULL;

        if (l->stamp != p2p->queue.pass) {
            dequeue(at); /* the try may end the request, and so free it */
            outcome = mpii_p2p_send_try(r);
            if (outcome == P2P_FULL) { /* back to its place */
                s->next = *at;
                *at = r;
                if (!s->next)
                    p2p->queue.last = &s->next;
                count_in(s);
                l->stamp = p2p->queue.pass;
                stuck++;
            } else {
                mpii_p2p_send_settle(r, outcome);
            }
        }
        if (outcome == P2P_FULL)
            at = &s->next;
    }
    if (!p2p->queue.first)
        mpii_hook_remove(hook);
}

void mpii_p2p_enqueue(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    if (!p2p->queue.first) {
        p2p->queue.hook.step = step_queue;
        mpii_hook_add(&p2p->queue.hook);
    }
    s->next = NULL;
    *p2p->queue.last = r;
    p2p->queue.last = &s->next;
    count_in(s);
}

/* --------------------------------------------------------------- the request -- */

int mpii_p2p_send_hindered(const struct mpii_request *r)
{
    const struct mpii_p2p_send *s = (const struct mpii_p2p_send *)(const void *)r->own;

    return mpii_p2p_is_together(r, s->m.lane, r->tag) ? mpii_ft_error(r->comm) : mpii_ft_send_error(r->comm, s->m.proc);
}

static int start(struct mpii_request *r)
{
    mpii_p2p_send_start(r);
    return mpii_request_is_lost(r) ? r->error : MPI_SUCCESS;
}

static void take_out(struct mpii_request *r)
{
    struct mpii_request **at = &p2p->queue.first;

    while (*at != r)
        at = &mpii_p2p_send_in(*at)->next;
    dequeue(at);
}

static void ask_back(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    if (!s->out)
        return;
    s->out = false; /* asked once */
    mpii_p2p_say(s->m.proc, &(struct mpii_p2p_control){P2P_CANCEL, 0, (uintptr_t)r, r->comm->context + s->m.lane});
}

/* Of a message that the peer may still hold unmatched, it is asked back. */
static int cancel(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    if (r->done || r->cancelled)
        return MPI_SUCCESS;
    if (s->queued) {
        take_out(r);
        r->cancelled = true;
        mpii_request_done(r, MPI_SUCCESS);
        return MPI_SUCCESS;
    }
    ask_back(r);
    return MPI_SUCCESS;
}

/* What a receiver that lives may be reading is the user's again when it has answered. */
void mpii_p2p_send_fail(struct mpii_request *r, int error)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    bool dead = mpii_ft_dead(s->m.proc);

    if (s->queued) {
        take_out(r);
    } else if (!dead) {
        if (!mpii_p2p_is_offer(r)) { /* those end by themselves, soon */
            s->fate = (uint8_t)error;
            ask_back(r);
        }
        return;
    } else if (mpii_p2p_offer_end(r, error)) {
        return;
    } else if (s->m.n > mpii_p2p_eager_sync_most(&s->m) && s->m.proc < core_size()) {
        core_sending_drop(&s->sending);
    }
    mpii_p2p_leave_block(s);
    mpii_request_done(r, error);
}

static void troubled(struct mpii_request *r)
{
    int error = mpii_p2p_send_hindered(r);

    if (error != MPI_SUCCESS)
        mpii_p2p_send_fail(r, error);
}

void mpii_p2p_on_cancelled(int from, const struct mpii_p2p_control *c, const struct core_mail *mail);
void mpii_p2p_on_cancelled(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    struct mpii_request *r = (struct mpii_request *)(uintptr_t)c->id;

    (void)from, (void)mail;
    if (!c->arg)
        return;
    r->cancelled = mpii_p2p_send_in(r)->fate == MPI_SUCCESS;
    if (mpii_p2p_send_in(r)->m.n <= mpii_p2p_eager_sync_most(&mpii_p2p_send_in(r)->m))
        mpii_request_done(r, mpii_p2p_send_in(r)->fate); /* else the end of its body comes next */
}

static void send_free(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    mpii_p2p_leave_block(s);
    mpii_p2p_type_release(s->m.type);
}

static const char *where(const struct mpii_request *r, char *text, const char *call, bool several)
{
    const struct mpii_p2p_send *s = (const struct mpii_p2p_send *)(const void *)r->own;

    return mpii_p2p_where(text, call, several ? " (send)" : "", s->m.dest, r->tag, r->comm);
}

/* Its receiver has to take it, or to match it. */
static enum mpii_awaits awaits(const struct mpii_request *r)
{
    return r->cancelled ? MPII_AWAITS_NOBODY : MPII_AWAITS_ONE;
}

static void awaited(const struct mpii_request *r, struct core_wire_blocked_thread *b)
{
    core_blocked_pe(b, ((const struct mpii_p2p_send *)(const void *)r->own)->m.proc);
}

static void say(const struct mpii_request *r, char *text, char *miss)
{
    const struct mpii_p2p_send *s = (const struct mpii_p2p_send *)(const void *)r->own;

    (void)miss;
    mpii_p2p_say_call(text, "to", r->comm, s->m.dest, r->tag, s->m.count, s->m.type);
}

const struct mpii_request_ops mpii_p2p_send_ops = {.what = "send",
                                                   .message = MPII_SENDS_MESSAGE,
                                                   .start = start,
                                                   .cancel = cancel,
                                                   .free = send_free,
                                                   .where = where,
                                                   .awaits = awaits,
                                                   .awaited = awaited,
                                                   .say = say,
                                                   .troubled = troubled};
