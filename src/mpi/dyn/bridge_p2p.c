/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages over bridges, of point-to-point and one-sided: to their engines they
 * look like those of core's channel. A large body travels with its message here
 * and waits, at the receiver, to be matched; its sender's memory is its own again
 * when the receiver says so, as with bodies that stay where they are.
 */
#include <errno.h>
#include <stdlib.h>

#include "mpi/dyn/bridge.h"

static struct mpii_bridge_bodies *const bodies = &mpii_state.dyn.bridges.bodies;

/* A body that is out. */
struct mpii_bridge_body {
    struct core_sending *sending; /* NULL: free, `next` is the next free one */
    struct mpii_dyn_peer *to;
    uint32_t next;
};

static uint32_t token_new(void)
{
    uint32_t more = bodies->n ? 2 * bodies->n : 16, token = bodies->free;
    struct mpii_bridge_body *bigger;

    if (!token) {
        bigger = realloc(bodies->at, more * sizeof *bigger);
        if (!bigger)
            return 0;
        bodies->at = bigger;
        for (; bodies->n < more; bodies->n++) {
            bodies->at[bodies->n] = (struct mpii_bridge_body){.next = bodies->free};
            bodies->free = bodies->n + 1;
        }
        token = bodies->free;
    }
    bodies->free = bodies->at[token - 1].next;
    return token;
}

static void token_free(uint32_t token)
{
    bodies->at[token - 1] = (struct mpii_bridge_body){.next = bodies->free};
    bodies->free = token;
}

static void end(uint32_t token)
{
    struct core_sending *s = bodies->at[token - 1].sending;

    token_free(token);
    __atomic_store_n(&s->state, 0, __ATOMIC_RELEASE);
    if (s->ended)
        s->ended(s);
}

void mpii_bridge_on_end(struct mpii_dyn_peer *from, uint32_t token)
{
    if (token - 1 < bodies->n && bodies->at[token - 1].sending && bodies->at[token - 1].to == from)
        end(token);
}

void mpii_bridge_forget(struct mpii_dyn_peer *peer)
{
    for (uint32_t i = 0; i < bodies->n; i++)
        if (bodies->at[i].sending && bodies->at[i].to == peer)
            end(i + 1);
}

/* ---------------------------------------------------------------- sending -- */

int mpii_bridge_send(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n)
{
    struct mpii_dyn_peer *p = mpii_dyn_peer_at(proc);

    if (channel == MPII_CHANNEL_MESSAGE && mpii_bridge_full(p))
        return -EAGAIN;
    return mpii_bridge_post(
        p, &(struct mpii_bridge_post){
               .kind = BRIDGE_MESSAGE, .channel = channel, .head = head, .head_n = head_n, .body = body, .n = n});
}

int mpii_bridge_rndv(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n,
                     struct core_sending *s, void (*ended)(struct core_sending *s))
{
    struct mpii_dyn_peer *p = mpii_dyn_peer_at(proc);
    struct mpii_bridge_post post = {.kind = BRIDGE_RNDV,
                                    .channel = channel,
                                    .head = head,
                                    .head_n = head_n,
                                    .body = body,
                                    .n = n,
                                    .by_reference = true};
    int err;

    if (channel != MPII_CHANNEL_RMA && mpii_bridge_full(p))
        return -EAGAIN;
    post.token = token_new();
    if (!post.token)
        return -ENOMEM;
    *s = (struct core_sending){.state = 1, .token = post.token, .ended = ended};
    bodies->at[post.token - 1] =
        (struct mpii_bridge_body){.sending = s, .to = p}; /* the peer may be found gone in what follows */
    err = mpii_bridge_post(p, &post);
    if (err != 0) {
        token_free(post.token);
        s->state = 0;
    }
    return err;
}

void mpii_bridge_end(const struct core_rndv *rndv)
{
    free((void *)(uintptr_t)rndv->addr);
    mpii_bridge_post(mpii_dyn_peer_at(rndv->pe), &(struct mpii_bridge_post){.kind = BRIDGE_END, .token = rndv->token});
}

const struct mpii_p2p_foreign mpii_bridge_messages = {mpii_bridge_send, mpii_bridge_rndv, mpii_bridge_end};

/* -------------------------------------------------------------- receiving -- */

static void arrived(uint32_t channel, const struct core_mail *mail)
{
    char name[DYN_NAME];

    if (channel != MPII_CHANNEL_RMA) {
        mpii_p2p_arrived_over_bridge((enum mpii_channel)channel, mail);
    } else if (mpii_state.dyn.bridges.on_rma) {
        mpii_state.dyn.bridges.on_rma(mail);
    } else {
        struct mpii_dyn_address a = mpii_dyn_address_of(mail->from);

        core_fatal("%s has sent a one-sided message, but no window exists", mpii_dyn_name(&a, name, sizeof name));
    }
}

void mpii_bridge_deliver(struct mpii_dyn_peer *from, const struct mpii_bridge_frame *f, const void *head, void *body)
{
    struct core_mail mail = {.from = from->number, .head = head, .head_n = f->head_n, .body = body, .n = f->n};

    arrived(f->channel, &mail);
}

void mpii_bridge_deliver_rndv(struct mpii_dyn_peer *from, const struct mpii_bridge_frame *f, const void *head,
                              void *body)
{
    struct core_mail mail = {.from = from->number, .head = head, .head_n = f->head_n, .n = f->n};

    mail.rndv = (struct core_rndv){.pe = from->number, .token = f->token, .addr = (uintptr_t)body, .n = f->n};
    arrived(f->channel, &mail);
}
