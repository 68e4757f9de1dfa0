/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomics and puts with a signal, executed by the target's CPU: it is the same
 * instruction as its own node's PEs use, so all are atomic with each other, and
 * a PE that waits for the word is woken. An adapter's own atomics are neither coherent
 * with instructions nor seen by sleepers (ofi_native.c says when they serve);
 * locks and signals always go this way.
 */
#include "core/net/fabric.h"

void core_net_amo_nbi(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch)
{
    struct core_net_turn t;
    core_net_turn_begin(&t, "atomic operation", pe);
    struct core_net_op *message = core_net_message_new(t.what, pe), *reply;
    if (fetch) {
        reply = core_net_op_new(NET_REPLY, t.what, pe, f);
        reply->to = fetch;
        reply->width = a.width;
    } else
        reply = core_net_flow_message(f, t.what, pe);
    struct core_net_head *h = core_net_message_begin(message, NET_M_AMO, core_net_address_of(remote));
    h->op = (uint8_t)a.op;
    h->width = (uint8_t)a.width;
    h->cookie = core_net_op_cookie(reply);
    core_net_message_add(message, &a.value, sizeof a.value);
    if (a.op == CORE_AMO_CSWAP)
        core_net_message_add(message, &a.cond, sizeof a.cond);
    core_net_message_send(&t, message);
    core_net_flow_sent(f, pe, reply);
    core_net_turn_end(&t);
}

/* Data that fits goes along; else it is written before, and a message comes after
 * earlier writes (or, where it does not, after they are known to be done). */
void core_net_put_signal(struct core_flow *f, int pe, void *remote, const void *local, size_t n, uint64_t *signal,
                         enum core_amo_op op, uint64_t value)
{
    enum { DATA_MAX = NET_MSG_USUAL / 2 };
    struct core_net_turn t;
    struct core_flow own = {0};
    core_net_turn_begin(&t, "put with signal", pe);
    if (n > DATA_MAX) {
        core_net_write(&t, f, &own, remote, local, n);
        if (!core_state.net.promise.ordered)
            core_net_turn_until_idle(&t, &own);
    }
    bool along = n <= DATA_MAX && n > 0;
    struct core_net_op *message = core_net_message_new(t.what, pe), *reply = core_net_flow_message(f, t.what, pe);
    struct core_net_head *h =
        core_net_message_begin(message, NET_M_SIGNAL, core_net_address_of(along ? remote : (void *)signal));
    core_net_address at = core_net_address_of(signal);
    h->op = (uint8_t)op;
    h->cookie = core_net_op_cookie(reply);
    core_net_message_add(message, &at, sizeof at);
    core_net_message_add(message, &value, sizeof value);
    if (along)
        core_net_message_add(message, local, n);
    core_net_message_send(&t, message);
    core_net_flow_sent(f, pe, reply);
    core_net_turn_until_idle(&t, &own); /* the source is free */
    core_net_turn_end(&t);
}

/* By the adapters. The completion says that it is done at the target. */
void core_net_atomic_nbi(struct core_flow *f, struct core_flow *own, int pe, void *remote, struct core_amo a,
                         void *fetch)
{
    struct core_net_turn t;
    core_net_turn_begin(&t, "atomic operation", pe);
    if (core_net_flow_fenced_atomics(f))
        core_net_turn_until_idle(&t, f);
    struct core_net_op *op = core_net_op_new(NET_RMA, t.what, pe, own);
    int rc;
    op->value = a.value;
    op->cond = a.cond;
    do
        rc = core_state.net.fabric->atomic(op, a.op, a.width, core_net_target_at(pe, remote), fetch);
    while (core_net_turn_again(&t, rc));
    core_net_flow_atomic(own);
    core_net_turn_end(&t);
}
