/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomics and puts with a signal, executed by the target's CPU: it is the same
 * instruction as its own node's PEs use, so all are atomic with each other, and
 * who waits for the word is woken. An adapter's own atomics are neither coherent
 * with instructions nor seen by who sleeps (ofi_native.c says when they serve);
 * locks and signals always go this way.
 */
#include "core/ofi.h"

void ofi_amo_nbi(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch)
{
    struct ofi_turn t;
    ofi_turn_begin(&t, "atomic operation", pe);
    struct ofi_op *message = ofi_message_new(t.what, pe), *reply;
    if (fetch) {
        reply = ofi_op_new(OFI_REPLY, t.what, pe, f);
        reply->to = fetch;
        reply->width = a.width;
    } else
        reply = ofi_flow_message(f, t.what, pe);
    struct ofi_head *h = ofi_message_begin(message, OFI_M_AMO, ofi_place_of(remote));
    h->op = (uint8_t)a.op;
    h->width = (uint8_t)a.width;
    h->cookie = ofi_op_cookie(reply);
    ofi_message_add(message, &a.value, sizeof a.value);
    if (a.op == CORE_AMO_CSWAP)
        ofi_message_add(message, &a.cond, sizeof a.cond);
    ofi_message_send(&t, message);
    ofi_flow_sent(f, pe, reply);
    ofi_turn_end(&t);
}

/* Data that fits goes along; else it is written before, and a message comes after
 * earlier writes (or, where it does not, after they are known to be done). */
void ofi_put_signal(struct core_flow *f, int pe, void *remote, const void *local, size_t n, uint64_t *signal,
                    enum core_amo_op op, uint64_t value)
{
    enum { DATA_MAX = OFI_MSG_USUAL / 2 };
    struct ofi_turn t;
    struct core_flow own = {0};
    ofi_turn_begin(&t, "put with signal", pe);
    if (n > DATA_MAX) {
        ofi_write(&t, f, &own, remote, local, n);
        if (!ofi.ordered)
            ofi_turn_until_idle(&t, &own);
    }
    bool along = n <= DATA_MAX && n > 0;
    struct ofi_op *message = ofi_message_new(t.what, pe), *reply = ofi_flow_message(f, t.what, pe);
    struct ofi_head *h = ofi_message_begin(message, OFI_M_SIGNAL, ofi_place_of(along ? remote : (void *)signal));
    ofi_place at = ofi_place_of(signal);
    h->op = (uint8_t)op;
    h->cookie = ofi_op_cookie(reply);
    ofi_message_add(message, &at, sizeof at);
    ofi_message_add(message, &value, sizeof value);
    if (along)
        ofi_message_add(message, local, n);
    ofi_message_send(&t, message);
    ofi_flow_sent(f, pe, reply);
    ofi_turn_until_idle(&t, &own); /* the source is free */
    ofi_turn_end(&t);
}
