/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages: built in an op's buffer, which the fabric sends. What a handler has to
 * answer is never waited for: where there is no room it is sent by a later progress.
 */
#include <errno.h>
#include <string.h>

#include "core/net/fabric.h"

struct core_net_head *core_net_message_begin(struct core_net_op *op, enum core_net_message kind,
                                             core_net_address address)
{
    struct core_net_head *h = (struct core_net_head *)op->data;
    *h = (struct core_net_head){.kind = (uint8_t)kind, .from = mpt_fast.me, .address = address};
    op->n = sizeof *h;
    return h;
}

void *core_net_message_room(struct core_net_op *op, size_t n)
{
    void *room = op->data + op->n;
    op->n += n;
    return room;
}

void core_net_message_add(struct core_net_op *op, const void *p, size_t n)
{
    void *room = core_net_message_room(op, n);
    if (n > 0) /* p may be NULL then */
        memcpy(room, p, n);
}

/* The seal is of bytes that lie together. */
void core_net_message_tail(struct core_net_op *op, const void *p, size_t n)
{
    size_t sealed = sizeof(struct core_net_head) + NET_SEALED, first = op->n < sealed ? sealed - op->n : 0;
    if (!core_state.net.promise.tails || n < NET_TAIL_LEAST) {
        core_net_message_add(op, p, n);
        return;
    }
    core_net_message_add(op, p, first);
    op->tail = (const char *)p + first;
    op->tail_n = n - first;
}

int core_net_message_try(struct core_net_op *op)
{
    core_net_seal(op);
    return core_state.net.fabric->send(op);
}

void core_net_message_send(struct core_net_turn *t, struct core_net_op *op)
{
    int rc;
    do
        rc = core_net_message_try(op);
    while (core_net_turn_again(t, rc));
}

/* --------------------------------------------------------------- answers -- */

static void defer(struct core_net_op *op)
{
    op->next = NULL;
    *core_state.net.deferred_end = op;
    core_state.net.deferred_end = &op->next;
}

void core_net_message_later(struct core_net_op *op)
{
    int rc = core_net_message_try(op);
    if (rc == -EAGAIN)
        defer(op);
    else if (rc != 0)
        core_net_fail(op->what, op->pe, -rc, "");
}

/* Each is tried: a peer that takes nothing must not keep the others waiting. */
void core_net_send_deferred(void)
{
    struct core_net_op *op = core_state.net.deferred, *next;
    core_state.net.deferred = NULL;
    core_state.net.deferred_end = &core_state.net.deferred;
    for (; op; op = next) {
        next = op->next;
        core_net_message_later(op);
    }
}

struct core_net_op *core_net_receive_new(void)
{
    struct core_net_op *op = core_net_message_new("a receive", -1);
    op->kind = NET_RECEIVE;
    return op;
}

/* --------------------------------------------------------------- channel -- */

struct core_net_op *core_net_channel_message(int pe, unsigned id, const void *head, size_t head_n,
                                             const struct core_rndv *rndv)
{
    static const uint64_t zero;
    struct core_net_op *op = core_net_message_new("a send", pe);
    struct core_net_head *h = core_net_message_begin(op, NET_M_CHANNEL, head_n);
    h->op = (uint8_t)id;
    h->width = rndv != NULL;
    h->cookie = core_state.net.peer[pe].sent;
    if (rndv)
        core_net_message_add(op, rndv, sizeof *rndv);
    core_net_message_add(op, head, head_n);
    core_net_message_add(op, &zero, -head_n & 7);
    return op;
}

int core_net_channel_go(struct core_net_op *op, bool locked)
{
    int rc = core_net_message_try(op), pe = op->pe;
    if (rc == 0)
        core_state.net.peer[pe].sent++;
    else
        core_net_op_free(op);
    core_net_unlock(locked);
    if (rc != 0 && rc != -EAGAIN)
        core_net_fail("a send", pe, -rc, "");
    return rc ? -EAGAIN : 0;
}

int core_net_channel_send(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                          const struct core_rndv *rndv)
{
    bool locked = core_net_lock();
    struct core_net_op *op = core_net_channel_message(pe, id, head, head_n, rndv);
    if (n > 0 && body)
        core_net_message_tail(op, body, n);
    return core_net_channel_go(op, locked);
}
