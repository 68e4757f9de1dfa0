/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completions: read in batches, handled in order.
 */
#include "core/net/ofi.h"

enum { IDLE_LOOK = 16 }; /* times that nothing is there from look to look */

/* A message that came is too long, or broke off: anybody can do that. A PE of this job that is gone is seen otherwise,
 * by what is sent to it too. */
static void failed_receive(struct core_net_op *op, int error)
{
    if (error == FI_ECANCELED) /* by core_ofi_look_after_receives */
        core_ofi.probing = false;
    else
        core_net_drop(error == FI_ETRUNC || error == FI_EMSGSIZE ? "a message that is too long"
                                                                 : "a message that broke off");
    core_ofi_post_receive(op);
}

static void failed_completion(void)
{
    struct fi_cq_err_entry e = {0};
    char text[256] = "";
    if (fi_cq_readerr(core_ofi.cq, &e, 0) <= 0)
        return;
    struct core_net_op *op = e.op_context;
    if (op && op->kind == NET_RECEIVE) {
        failed_receive(op, e.err);
        return;
    }
    if (!op && !(e.flags & (FI_SEND | FI_RMA | FI_TRANSMIT))) {
        core_net_drop(core_ofi_lib.strerror(e.err));
        return;
    }
    const char *more = fi_cq_strerror(core_ofi.cq, e.prov_errno, e.err_data, text, sizeof text);
    core_net_fail(op ? op->what : "a message", op ? op->pe : -1, e.err, more ? more : "");
}

/* Completions to handle are there. */
static bool fill(void)
{
    if (core_ofi.at < core_ofi.n)
        return true;
    ssize_t n = fi_cq_read(core_ofi.cq, core_ofi.events, OFI_EVENTS);
    if (n == -FI_EAGAIN)
        return false;
    if (n == -FI_EAVAIL)
        failed_completion();
    else if (n < 0)
        core_net_fail("progress", -1, (int)-n, "");
    core_ofi.at = 0;
    core_ofi.n = n > 0 ? (int)n : 0;
    return core_ofi.n > 0;
}

/* Lock held, before and after. */
static void handle(const struct fi_cq_msg_entry *e, bool *locked)
{
    struct core_net_op *op = e->op_context;
    bool kept;
    if (MPT_UNLIKELY(!op)) { /* a remote write with data: this library makes none */
        core_net_drop("a write with a note");
        return;
    }
    switch (op->kind) {
    case NET_RECEIVE:
        core_ofi.received++;
        core_net_unlock(*locked);
        kept = core_net_handle(op->data, e->len, op);
        *locked = core_net_lock();
        core_ofi_post_receive(kept ? core_net_receive_new() : op);
        return;
    case NET_MESSAGE:
    case NET_RMA:
        core_net_op_done(op);
        return;
    case NET_FREE:
    case NET_REPLY:
    case NET_KINDS:
        break;
    }
    core_fatal("libfabric completed an operation that is not its own (kind %d)", (int)op->kind);
}

int core_ofi_progress(void)
{
    int handled = 0;
    bool locked = core_net_lock();
    if (fill())
        while (core_ofi.at < core_ofi.n) {
            struct fi_cq_msg_entry e = core_ofi.events[core_ofi.at++];
            handle(&e, &locked);
            handled++;
        }
    else if (MPT_UNLIKELY(++core_ofi.idle % IDLE_LOOK == 0))
        core_ofi_look_after_receives();
    core_net_unlock(locked);
    return handled;
}

bool core_ofi_may_sleep(void)
{
    struct fid *cq = &core_ofi.cq->fid;
    bool locked = core_net_lock();
    bool may = core_ofi.at == core_ofi.n && (core_state.net.promise.fd < 0 || fi_trywait(core_ofi.fabric, &cq, 1) == 0);
    core_net_unlock(locked);
    return may;
}
