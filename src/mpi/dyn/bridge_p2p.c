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

/* Bodies that are out, by token - 1. */
struct out {
    struct core_sending *sending; /* NULL: free, `next` is the next free one */
    struct mpii_dyn_peer *to;
    uint32_t next;
};
static struct out *outs;
static uint32_t outs_n, outs_free; /* token of a free one; 0: none */

static uint32_t token_new(void)
{
    uint32_t more = outs_n ? 2 * outs_n : 16, token = outs_free;
    struct out *bigger;

    if (!token) {
        bigger = realloc(outs, more * sizeof *bigger);
        if (!bigger)
            return 0;
        outs = bigger;
        for (; outs_n < more; outs_n++) {
            outs[outs_n] = (struct out){.next = outs_free};
            outs_free = outs_n + 1;
        }
        token = outs_free;
    }
    outs_free = outs[token - 1].next;
    return token;
}

static void token_free(uint32_t token)
{
    outs[token - 1] = (struct out){.next = outs_free};
    outs_free = token;
}

static void end(uint32_t token)
{
    struct core_sending *s = outs[token - 1].sending;

    token_free(token);
    __atomic_store_n(&s->state, 0, __ATOMIC_RELEASE);
    if (s->ended)
        s->ended(s);
}

void mpii_bridge_on_end(struct mpii_dyn_peer *from, uint32_t token)
{
    if (token - 1 < outs_n && outs[token - 1].sending && outs[token - 1].to == from)
        end(token);
}

void mpii_bridge_forget(struct mpii_dyn_peer *peer)
{
    for (uint32_t i = 0; i < outs_n; i++)
        if (outs[i].sending && outs[i].to == peer)
            end(i + 1);
}

/* ---------------------------------------------------------------- sending -- */

int mpii_bridge_send(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n)
{
    struct mpii_dyn_peer *p = mpii_dyn_peer_at(proc);

    if (channel == MPII_CHANNEL_MESSAGE && mpii_bridge_full(p))
        return -EAGAIN;
    return mpii_bridge_post(p, &(struct mpii_bridge_post){
                              .kind = BRIDGE_MESSAGE, .channel = channel, .head = head, .head_n = head_n, .body = body, .n = n});
}

int mpii_bridge_far(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n,
                    struct core_sending *s, void (*ended)(struct core_sending *s))
{
    struct mpii_dyn_peer *p = mpii_dyn_peer_at(proc);
    struct mpii_bridge_post post = {.kind = BRIDGE_FAR, .channel = channel, .head = head, .head_n = head_n, .body = body, .n = n,
                                    .by_reference = true};
    int err;

    if (channel != MPII_CHANNEL_RMA && mpii_bridge_full(p))
        return -EAGAIN;
    post.token = token_new();
    if (!post.token)
        return -ENOMEM;
    *s = (struct core_sending){.state = 1, .token = post.token, .ended = ended};
    outs[post.token - 1] = (struct out){.sending = s, .to = p}; /* the peer may be found gone in what follows */
    err = mpii_bridge_post(p, &post);
    if (err != 0) {
        token_free(post.token);
        s->state = 0;
    }
    return err;
}

void mpii_bridge_end(const struct core_far *far)
{
    free((void *)(uintptr_t)far->addr);
    mpii_bridge_post(mpii_dyn_peer_at(far->pe), &(struct mpii_bridge_post){.kind = BRIDGE_END, .token = far->token});
}

/* -------------------------------------------------------------- receiving -- */

static void arrived(uint32_t channel, const struct core_mail *mail)
{
    if (channel == MPII_CHANNEL_RMA)
        mpii_rma_arrived_over_bridge(mail);
    else
        mpii_p2p_arrived_over_bridge((enum mpii_channel)channel, mail);
}

void mpii_bridge_deliver(struct mpii_dyn_peer *from, const struct mpii_bridge_frame *f, const void *head, void *body)
{
    struct core_mail mail = {.from = from->number, .head = head, .head_n = f->head_n, .body = body, .n = f->n};

    arrived(f->channel, &mail);
}

void mpii_bridge_deliver_far(struct mpii_dyn_peer *from, const struct mpii_bridge_frame *f, const void *head, void *body)
{
    struct core_mail mail = {.from = from->number, .head = head, .head_n = f->head_n, .n = f->n};

    mail.far = (struct core_far){.pe = from->number, .token = f->token, .addr = (uintptr_t)body, .n = f->n};
    arrived(f->channel, &mail);
}
