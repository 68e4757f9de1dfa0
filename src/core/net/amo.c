/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomics and puts with a signal, executed by the target's CPU: it is the same
 * instruction as its own node's PEs use, so all are atomic with each other, and
 * who waits for the word is woken. An adapter's own atomics are neither coherent
 * with instructions nor seen by who sleeps (ofi_native.c says when they serve);
 * locks and signals always go this way.
 */
#include "core/net/fabric.h"

void net_amo_nbi(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch)
{
    struct net_turn t;
    net_turn_begin(&t, "atomic operation", pe);
    struct net_op *message = net_message_new(t.what, pe), *reply;
    if (fetch) {
        reply = net_op_new(NET_REPLY, t.what, pe, f);
        reply->to = fetch;
        reply->width = a.width;
    } else
        reply = net_flow_message(f, t.what, pe);
    struct net_head *h = net_message_begin(message, NET_M_AMO, net_place_of(remote));
    h->op = (uint8_t)a.op;
    h->width = (uint8_t)a.width;
    h->cookie = net_op_cookie(reply);
    net_message_add(message, &a.value, sizeof a.value);
    if (a.op == CORE_AMO_CSWAP)
        net_message_add(message, &a.cond, sizeof a.cond);
    net_message_send(&t, message);
    net_flow_sent(f, pe, reply);
    net_turn_end(&t);
}

/* Data that fits goes along; else it is written before, and a message comes after
 * earlier writes (or, where it does not, after they are known to be done). */
void net_put_signal(struct core_flow *f, int pe, void *remote, const void *local, size_t n, uint64_t *signal,
                    enum core_amo_op op, uint64_t value)
{
    enum { DATA_MAX = NET_MSG_USUAL / 2 };
    struct net_turn t;
    struct core_flow own = {0};
    net_turn_begin(&t, "put with signal", pe);
    if (n > DATA_MAX) {
        net_write(&t, f, &own, remote, local, n);
        if (!net.promise.ordered)
            net_turn_until_idle(&t, &own);
    }
    bool along = n <= DATA_MAX && n > 0;
    struct net_op *message = net_message_new(t.what, pe), *reply = net_flow_message(f, t.what, pe);
    struct net_head *h = net_message_begin(message, NET_M_SIGNAL, net_place_of(along ? remote : (void *)signal));
    net_place at = net_place_of(signal);
    h->op = (uint8_t)op;
    h->cookie = net_op_cookie(reply);
    net_message_add(message, &at, sizeof at);
    net_message_add(message, &value, sizeof value);
    if (along)
        net_message_add(message, local, n);
    net_message_send(&t, message);
    net_flow_sent(f, pe, reply);
    net_turn_until_idle(&t, &own); /* the source is free */
    net_turn_end(&t);
}

/* By the adapters. The completion says that it is done at the target. */
void net_atomic_nbi(struct core_flow *f, struct core_flow *own, int pe, void *remote, struct core_amo a, void *fetch)
{
    struct net_turn t;
    net_turn_begin(&t, "atomic operation", pe);
    if (net_flow_fenced_atomics(f))
        net_turn_until_idle(&t, f);
    struct net_op *op = net_op_new(NET_RMA, t.what, pe, own);
    int rc;
    op->value = a.value;
    op->cond = a.cond;
    do
        rc = net.fabric->atomic(op, a.op, a.width, net_target_at(pe, remote), fetch);
    while (net_turn_again(&t, rc));
    net_flow_atomic(own);
    net_turn_end(&t);
}
