/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completions: read in batches by one thread at a time, handled in order. What is
 * done with a message never waits; the lock is not held meanwhile, so that other
 * threads may begin operations during large copies.
 */
#include "core/ofi.h"

enum { IDLE_LOOK = 16 }; /* times that nothing is there from look to look */

/* A message that came is too long, or broke off: anybody can do that. A PE of this job that is gone is seen otherwise,
 * by what is sent to it too. */
static void failed_receive(struct ofi_op *op, int error)
{
    if (error == FI_ECANCELED) /* by ofi_look_after_receives */
        ofi.probing = false;
    else
        ofi_drop(error == FI_ETRUNC || error == FI_EMSGSIZE ? "a message that is too long" : "a message that broke off");
    ofi_post_receive(op);
}

static void failed_completion(void)
{
    struct fi_cq_err_entry e = {0};
    char text[256] = "";
    if (fi_cq_readerr(ofi.cq, &e, 0) <= 0)
        return;
    struct ofi_op *op = e.op_context;
    if (op && op->kind == OFI_RECEIVE) {
        failed_receive(op, e.err);
        return;
    }
    if (!op && !(e.flags & (FI_SEND | FI_RMA | FI_TRANSMIT))) {
        ofi_drop(ofi_lib.strerror(e.err));
        return;
    }
    const char *more = fi_cq_strerror(ofi.cq, e.prov_errno, e.err_data, text, sizeof text);
    ofi_fail(op ? op->what : "a message", op ? op->pe : -1, e.err, more ? more : "");
}

/* Completions to handle are there. */
static bool fill(void)
{
    if (ofi.at < ofi.n)
        return true;
    ssize_t n = fi_cq_read(ofi.cq, ofi.events, OFI_EVENTS);
    if (n == -FI_EAGAIN)
        return false;
    if (n == -FI_EAVAIL)
        failed_completion();
    else if (n < 0)
        ofi_fail("progress", -1, (int)-n, "");
    ofi.at = 0;
    ofi.n = n > 0 ? (int)n : 0;
    return ofi.n > 0;
}

/* Lock held, before and after. */
static void handle(const struct fi_cq_msg_entry *e, bool *locked)
{
    struct ofi_op *op = e->op_context;
    bool kept;
    if (MPT_UNLIKELY(!op)) { /* a remote write with data: this library makes none */
        ofi_drop("a write with a note");
        return;
    }
    switch (op->kind) {
    case OFI_RECEIVE:
        ofi.received++;
        ofi_unlock(*locked);
        kept = ofi_handle(op, e->len);
        *locked = ofi_lock();
        ofi_post_receive(kept ? ofi_receive_new() : op);
        return;
    case OFI_MESSAGE:
    case OFI_RMA:
        ofi_op_done(op);
        return;
    case OFI_FREE:
    case OFI_REPLY:
    case OFI_KINDS:
        break;
    }
    core_fatal("libfabric completed an operation that is not its own (kind %d)", (int)op->kind);
}

static int take_events(void)
{
    int handled = 0;
    bool locked = ofi_lock();
    if (MPT_UNLIKELY(ofi.deferred))
        ofi_send_deferred();
    if (fill())
        while (ofi.at < ofi.n) {
            struct fi_cq_msg_entry e = ofi.events[ofi.at++];
            handle(&e, &locked);
            handled++;
        }
    else if (MPT_UNLIKELY(++ofi.idle % IDLE_LOOK == 0))
        ofi_look_after_receives();
    ofi_unlock(locked);
    return handled;
}

/* A thread that finds another one at it tells that one, which wakes it: what it
 * waits for may have been handled. */
static bool enter(void)
{
    if (core_process_single()) {
        ofi.taking = true;
        return true;
    }
    if (!__atomic_exchange_n(&ofi.taking, true, __ATOMIC_SEQ_CST))
        return true;
    __atomic_store_n(&ofi.missed, true, __ATOMIC_SEQ_CST);
    return !__atomic_exchange_n(&ofi.taking, true, __ATOMIC_SEQ_CST);
}

static void leave(int handled)
{
    if (core_process_single()) {
        ofi.taking = false;
        return;
    }
    __atomic_store_n(&ofi.taking, false, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&ofi.missed, __ATOMIC_SEQ_CST)) {
        __atomic_store_n(&ofi.missed, false, __ATOMIC_RELAXED);
        handled++;
    }
    if (handled)
        core_wake_threads();
}

int ofi_progress(void)
{
    __atomic_store_n(&ofi.progresses, ofi.progresses + 1, __ATOMIC_RELAXED);
    if (!enter())
        return 0;
    int handled = take_events();
    leave(handled);
    return handled;
}

int ofi_wait_fd(void)
{
    return ofi.fd;
}

bool ofi_may_sleep(void)
{
    struct fid *cq = &ofi.cq->fid;
    bool locked = ofi_lock();
    bool may = ofi.at == ofi.n && !ofi.deferred && (ofi.fd < 0 || fi_trywait(ofi.fabric, &cq, 1) == 0);
    ofi_unlock(locked);
    return may;
}
