/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages: built in an op's buffer, which the fabric sends. What a handler has to
 * answer is never waited for: where there is no room it is sent by a later progress.
 */
#include <errno.h>
#include <string.h>

#include "core/net/fabric.h"

struct net_head *net_message_begin(struct net_op *op, enum net_message kind, net_place place)
{
    struct net_head *h = (struct net_head *)op->data;
    *h = (struct net_head){.kind = (uint8_t)kind, .from = mpt_fast.me, .place = place};
    op->n = sizeof *h;
    return h;
}

void *net_message_room(struct net_op *op, size_t n)
{
    void *room = op->data + op->n;
    op->n += n;
    return room;
}

void net_message_add(struct net_op *op, const void *p, size_t n)
{
    void *room = net_message_room(op, n);
    if (n > 0) /* p may be NULL then */
        memcpy(room, p, n);
}

/* The seal is of bytes that lie together. */
void net_message_tail(struct net_op *op, const void *p, size_t n)
{
    size_t sealed = sizeof(struct net_head) + NET_SEALED, first = op->n < sealed ? sealed - op->n : 0;
    if (!net.promise.tails || n < NET_TAIL_LEAST) {
        net_message_add(op, p, n);
        return;
    }
    net_message_add(op, p, first);
    op->tail = (const char *)p + first;
    op->tail_n = n - first;
}

int net_message_try(struct net_op *op)
{
    net_seal(op);
    return net.fabric->send(op);
}

void net_message_send(struct net_turn *t, struct net_op *op)
{
    int rc;
    do
        rc = net_message_try(op);
    while (net_turn_again(t, rc));
}

/* --------------------------------------------------------------- answers -- */

static void defer(struct net_op *op)
{
    op->next = NULL;
    *net.deferred_end = op;
    net.deferred_end = &op->next;
}

void net_message_later(struct net_op *op)
{
    int rc = net_message_try(op);
    if (rc == -EAGAIN)
        defer(op);
    else if (rc != 0)
        net_fail(op->what, op->pe, -rc, "");
}

/* Each is tried: a peer that takes nothing must not keep the others waiting. */
void net_send_deferred(void)
{
    struct net_op *op = net.deferred, *next;
    net.deferred = NULL;
    net.deferred_end = &net.deferred;
    for (; op; op = next) {
        next = op->next;
        net_message_later(op);
    }
}

struct net_op *net_receive_new(void)
{
    struct net_op *op = net_message_new("a receive", -1);
    op->kind = NET_RECEIVE;
    return op;
}

/* --------------------------------------------------------------- channel -- */

struct net_op *net_channel_message(int pe, unsigned id, const void *head, size_t head_n, const struct core_far *far)
{
    static const uint64_t zero;
    struct net_op *op = net_message_new("a send", pe);
    struct net_head *h = net_message_begin(op, NET_M_CHANNEL, head_n);
    h->op = (uint8_t)id;
    h->width = far != NULL;
    h->cookie = net.peer[pe].sent;
    if (far)
        net_message_add(op, far, sizeof *far);
    net_message_add(op, head, head_n);
    net_message_add(op, &zero, -head_n & 7);
    return op;
}

int net_channel_go(struct net_op *op, bool locked)
{
    int rc = net_message_try(op), pe = op->pe;
    if (rc == 0)
        net.peer[pe].sent++;
    else
        net_op_free(op);
    net_unlock(locked);
    if (rc != 0 && rc != -EAGAIN)
        net_fail("a send", pe, -rc, "");
    return rc ? -EAGAIN : 0;
}

int net_channel_send(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                     const struct core_far *far)
{
    bool locked = net_lock();
    struct net_op *op = net_channel_message(pe, id, head, head_n, far);
    if (n > 0 && body)
        net_message_tail(op, body, n);
    return net_channel_go(op, locked);
}
