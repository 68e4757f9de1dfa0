/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages: built in an op's buffer, sent at once where they fit libfabric's own
 * (inject), else from the buffer. What a handler has to answer is never waited
 * for: where there is no room it is sent by a later progress.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "core/ofi.h"

struct ofi_head *ofi_message_begin(struct ofi_op *op, enum ofi_message kind, ofi_place place)
{
    struct ofi_head *h = (struct ofi_head *)op->data;
    *h = (struct ofi_head){.kind = (uint8_t)kind, .from = mpt_fast.me, .place = place};
    op->n = sizeof *h;
    return h;
}

void *ofi_message_room(struct ofi_op *op, size_t n)
{
    void *room = op->data + op->n;
    op->n += n;
    return room;
}

void ofi_message_add(struct ofi_op *op, const void *p, size_t n)
{
    void *room = ofi_message_room(op, n);
    if (n > 0) /* p may be NULL then */
        memcpy(room, p, n);
}

int ofi_message_try(struct ofi_op *op)
{
    fi_addr_t to = ofi.peer[op->pe].addr;
    ofi_seal(op);
    if (op->n > ofi.inject_max)
        return (int)fi_send(ofi.ep, op->data, op->n, NULL, to, op);
    int rc = (int)fi_inject(ofi.ep, op->data, op->n, to);
    if (rc == 0)
        ofi_op_free(op);
    return rc;
}

void ofi_message_send(struct ofi_turn *t, struct ofi_op *op)
{
    int rc;
    do
        rc = ofi_message_try(op);
    while (ofi_turn_again(t, rc));
}

/* --------------------------------------------------------------- answers -- */

static void defer(struct ofi_op *op)
{
    op->next = NULL;
    *ofi.deferred_end = op;
    ofi.deferred_end = &op->next;
}

void ofi_message_later(struct ofi_op *op)
{
    int rc = ofi_message_try(op);
    if (rc == -FI_EAGAIN)
        defer(op);
    else if (rc != 0)
        ofi_fail(op->what, op->pe, -rc, "");
}

/* Each is tried: a peer that takes nothing must not keep the others waiting. */
void ofi_send_deferred(void)
{
    struct ofi_op *op = ofi.deferred, *next;
    ofi.deferred = NULL;
    ofi.deferred_end = &ofi.deferred;
    for (; op; op = next) {
        next = op->next;
        ofi_message_later(op);
    }
}

/* --------------------------------------------------------------- receive -- */

struct ofi_op *ofi_receive_new(void)
{
    struct ofi_op *op = ofi_message_new("a receive", -1);
    op->kind = OFI_RECEIVE;
    return op;
}

/* ofi_rxm may answer with the error of a message that waited for a receive, and whose sender has gone: that one is
 * gone, too, so the next try is for the next one. */
void ofi_post_receive(struct ofi_op *op)
{
    enum { TRIES = 10000 };
    ssize_t rc = -FI_EIO;
    for (int i = 0; i < TRIES && rc != 0 && rc != -FI_EAGAIN; i++) {
        if (i > 0)
            ofi_drop("a message that broke off");
        rc = fi_recv(ofi.ep, op->data, OFI_MSG_MAX, NULL, FI_ADDR_UNSPEC, op);
    }
    if (rc == 0)
        ofi.newest = op;
    else if (rc == -FI_EAGAIN) /* as many are posted as the queue holds */
        ofi_op_free(op);
    else
        ofi_fail("a receive", -1, (int)-rc, "");
}

int ofi_post_receives(void)
{
    size_t n = ofi.info->rx_attr->size < OFI_RECVS ? ofi.info->rx_attr->size : OFI_RECVS;
    for (size_t i = 0; i < n; i++)
        ofi_post_receive(ofi_receive_new());
    ofi.receives = (unsigned)n;
    ofi.received = ofi.seen = 0;
    ofi.probing = false;
    return 0;
}

static void more_receives(void)
{
    unsigned n = ofi.receives < OFI_RECVS_MOST ? ofi.receives : 0;
    ofi_drop("messages that do not come to their end");
    for (unsigned i = 0; i < n; i++)
        ofi_post_receive(ofi_receive_new());
    ofi.receives += n;
    core_debug("network: %u receives are posted", ofi.receives);
}

/* ofi_rxm fetches a long message of anybody into a receive, and says nothing when its sender goes, or stands still: who
 * sends as many as there are receives makes a PE deaf. Receives are matched in the order of posting, so as long as the
 * newest can be cancelled there is one for the next message; else there are to be more. */
void ofi_look_after_receives(void)
{
    enum { LOOK_NS = 300000000 };
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    int64_t now = t.tv_sec * 1000000000ll + t.tv_nsec;
    if (now - ofi.looked_ns < LOOK_NS)
        return;
    ofi.looked_ns = now;
    bool came = ofi.seen != ofi.received;
    ofi.seen = ofi.received;
    if (!came && ofi.probing)
        more_receives();
    ofi.probing = !came && !ofi.probing && ofi.newest && ofi_provider_has(ofi.info->fabric_attr->prov_name, "ofi_rxm") &&
                  fi_cancel(&ofi.ep->fid, ofi.newest) == 0;
}

/* --------------------------------------------------------------- channel -- */

struct ofi_op *ofi_channel_message(int pe, unsigned id, const void *head, size_t head_n, const struct core_far *far)
{
    static const uint64_t zero;
    struct ofi_op *op = ofi_message_new("a send", pe);
    struct ofi_head *h = ofi_message_begin(op, OFI_M_CHANNEL, head_n);
    h->op = (uint8_t)id;
    h->width = far != NULL;
    h->cookie = ofi.peer[pe].sent;
    if (far)
        ofi_message_add(op, far, sizeof *far);
    ofi_message_add(op, head, head_n);
    ofi_message_add(op, &zero, -head_n & 7);
    return op;
}

int ofi_channel_go(struct ofi_op *op, bool locked)
{
    int rc = ofi_message_try(op), pe = op->pe;
    if (rc == 0)
        ofi.peer[pe].sent++;
    else
        ofi_op_free(op);
    ofi_unlock(locked);
    if (rc != 0 && rc != -FI_EAGAIN)
        ofi_fail("a send", pe, -rc, "");
    return rc ? -EAGAIN : 0;
}

int ofi_channel_send(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                     const struct core_far *far)
{
    bool locked = ofi_lock();
    struct ofi_op *op = ofi_channel_message(pe, id, head, head_n, far);
    if (n > 0 && body)
        ofi_message_add(op, body, n);
    return ofi_channel_go(op, locked);
}
