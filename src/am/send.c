/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sending: requests, which wait for a credit and for room; replies, which are parked
 * where there is no room; and the steps that send later what could not be sent at once.
 * Steps come from am_poll and the waits of am.h; and, so that they also come when the
 * PE waits in another face, from a message to oneself that stays under way meanwhile.
 */
#include <sched.h>

#include "am/ami.h"

struct ami_parked {
    struct ami_parked *next;
    struct ami_msg msg;
    unsigned char data[];
};

static void broken(const char *call, vnn_t dest, int err)
{
    core_fatal("%s: a message to PE %d on host %s cannot be sent: %s", call, dest, core_host(dest), strerror(-err));
}

/* --------------------------------------------------------------- requests -- */

bool ami_wait_for_room(struct ami_peer *p, bool immediate, const char *call)
{
    struct core_waiter w;

    if (immediate)
        core_progress();
    ami_stepped();
    if (immediate || ami_has_room(p))
        return ami_has_room(p);
    core_wait_begin(&w, call);
    while (!ami_has_room(p)) {
        core_wait_pause(&w);
        ami_stepped();
    }
    core_wait_end(&w);
    return true;
}

/* What the other side has been told by a message that carried `done`. */
static void told(struct ami_peer *p, uint32_t done)
{
    if ((int32_t)(done - p->told) > 0) /* handlers may have run while the message waited */
        p->told = done;
}

int ami_send(vnn_t dest, const struct ami_msg *m, bool immediate, const char *call)
{
    struct ami_peer *p = &ami.peer[dest];
    struct ami_data_head h = m->h;
    int rc;

    if (!ami_has_room(p) && !ami_wait_for_room(p, immediate, call))
        return AM_BUSY;
    h.head.done = p->done;
    rc = (immediate ? core_send_try : core_send)(dest, AMI_CHANNEL, &h, m->head_n, m->body, m->n);
    if (rc == -EAGAIN)
        return AM_BUSY;
    if (rc != 0)
        broken(call, dest, rc);
    told(p, h.head.done);
    p->sent++;
    return 0;
}

/* ---------------------------------------------------------------- replies -- */

struct out {
    struct core_sending s;
    void *body;
};

static void free_sent(struct core_sending *s)
{
    struct out *out = (struct out *)s;

    free(out->body);
    free(out);
}

/* A large body is read by its receiver: `ended` frees what belongs to the message. */
static int post_rndv(vnn_t dest, const struct ami_msg *m)
{
    struct out *out = malloc(sizeof *out);
    int rc;

    if (!out)
        return -EAGAIN; /* parked: memory may come back */
    out->body = m->owned ? (void *)(uintptr_t)m->body : NULL;
    rc = core_send_rndv_try(dest, AMI_CHANNEL, &m->h, m->head_n, m->body, m->n, &out->s, free_sent);
    if (rc != 0)
        free(out);
    return rc;
}

static bool post(vnn_t dest, struct ami_peer *p, struct ami_msg *m)
{
    bool rndv = m->n > CORE_SEND_MAX - m->head_n;
    int rc;

    m->h.head.done = p->done + 1;
    rc = rndv ? post_rndv(dest, m) : core_send_try(dest, AMI_CHANNEL, &m->h, m->head_n, m->body, m->n);
    if (rc == -EAGAIN)
        return false;
    if (rc != 0)
        broken("am: a reply", dest, rc);
    if (m->owned && !rndv)
        free((void *)(uintptr_t)m->body);
    p->done++;
    told(p, p->done);
    return true;
}

static void park(struct ami_peer *p, const struct ami_msg *m)
{
    bool copied = m->n <= CORE_SEND_MAX - m->head_n;
    struct ami_parked *k = malloc(sizeof *k + (copied ? m->n : 0));

    if (!k)
        core_fatal("am: out of memory for a reply that waits for room");
    k->next = NULL;
    k->msg = *m;
    if (copied) {
        core_copy(k->data, m->body, m->n);
        k->msg.body = k->data;
        k->msg.owned = false;
        if (m->owned)
            free((void *)(uintptr_t)m->body);
    }
    *(p->first ? p->last : &p->first) = k;
    p->last = &k->next;
    ami.parked++;
    ami_kick();
}

void ami_answer(vnn_t dest, struct ami_msg *m)
{
    struct ami_peer *p = &ami.peer[dest];

    if (MPT_UNLIKELY(p->first) || !post(dest, p, m))
        park(p, m);
}

/* ------------------------------------------------------------------- acks -- */

static bool ack(vnn_t dest, struct ami_peer *p)
{
    struct ami_head h = {.kind = AMI_ACK, .done = p->done};
    int rc = core_send_try(dest, AMI_CHANNEL, &h, sizeof h, NULL, 0);

    if (rc == -EAGAIN)
        return false;
    if (rc != 0)
        broken("am: an acknowledgement", dest, rc);
    told(p, h.done);
    return true;
}

void ami_tell(vnn_t dest, struct ami_peer *p)
{
    bool wanted = (int32_t)(p->asked - p->told) > 0 && (int32_t)(p->done - p->asked) >= 0;

    if (MPT_LIKELY(p->done - p->told < AMI_PORTION && !wanted) || p->ack_due || ack(dest, p))
        return;
    p->ack_due = true;
    ami.acks++;
    ami_kick();
}

void ami_request_done(vnn_t src)
{
    struct ami_peer *p = &ami.peer[src];

    p->done++;
    ami_tell(src, p);
}

/* ------------------------------------------------------------------ steps -- */

void ami_kick(void)
{
    struct ami_head h = {.kind = AMI_STEP};

    if (!ami.kicked)
        ami.kicked = core_send_try(core_me(), AMI_CHANNEL, &h, sizeof h, NULL, 0) == 0;
}

/* Replies to one peer, in order, as far as there is room. */
static bool unpark(vnn_t dest, struct ami_peer *p)
{
    struct ami_parked *k;
    bool some = false;

    while ((k = p->first) && post(dest, p, &k->msg)) {
        p->first = k->next;
        ami.parked--;
        free(k);
        some = true;
    }
    if (p->ack_due && ack(dest, p)) {
        p->ack_due = false;
        ami.acks--;
        some = true;
    }
    return some;
}

static bool step(void)
{
    bool some = false;

    if (ami.parked | ami.acks)
        for (int pe = 0; pe < core_size(); pe++)
            if (ami.peer[pe].first || ami.peer[pe].ack_due)
                some |= unpark(pe, &ami.peer[pe]);
    return ami_pending_step() || some;
}

/* False: nothing could be done. Handlers that run here may come back to it. */
static bool guarded_step(void)
{
    bool some;

    if (ami.stepping || ami.context)
        return true;
    ami.stepping = true;
    some = step();
    ami.stepping = false;
    return some;
}

void ami_step(void)
{
    guarded_step();
}

/* The message to oneself came round: others get the core when nothing could be done. */
void ami_came_round(void)
{
    ami.kicked = false;
    if (!ami_due())
        return;
    if (!guarded_step() && core_oversubscribed())
        sched_yield();
    if (ami_due())
        ami_kick();
}
