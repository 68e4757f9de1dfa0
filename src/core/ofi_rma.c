/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Put and get. Large ones are RMA straight between the memories; small puts go
 * as messages where the network is software anyway (manual progress: the target's
 * CPU does it in both cases, but a message is one that this library sees, so it
 * can wake exactly who waits for it, and carry its own request for a reply).
 */
#include <string.h>

#include "core/ofi.h"

struct ofi_target ofi_target_at(int pe, const void *remote)
{
    ofi_place place = ofi_place_of(remote);
    enum ofi_region_id r = ofi_place_region(place);
    const struct ofi_peer *peer = &ofi.peer[pe];
    return (struct ofi_target){(ofi.virtual_addr ? peer->base[r] : 0) + ofi_place_offset(place), peer->key[r]};
}

/* ------------------------------------------------------------------- put -- */

static void put_message(struct ofi_turn *t, struct core_flow *f, void *remote, const void *local, size_t n)
{
    struct ofi_op *message = ofi_message_new(t->what, t->pe), *reply = ofi_flow_message(f, t->what, t->pe);
    ofi_message_begin(message, OFI_M_PUT, ofi_place_of(remote))->cookie = ofi_op_cookie(reply);
    ofi_message_add(message, local, n);
    ofi_message_send(t, message);
    ofi_flow_sent(f, t->pe, reply);
}

/* One write of at most rma_max bytes. `asked`: its completion says that the
 * target has it; else only that the source is free. */
static void write_piece(struct ofi_turn *t, struct ofi_op *op, const void *local, struct ofi_target to, size_t n, bool asked)
{
    struct iovec iov = {(void *)(uintptr_t)local, n};
    struct fi_rma_iov rma = {to.addr, n, to.key};
    struct fi_msg_rma msg = {.msg_iov = &iov, .iov_count = 1, .addr = ofi.peer[t->pe].addr, .rma_iov = &rma,
                             .rma_iov_count = 1, .context = op};
    ssize_t rc;
    do
        rc = fi_writemsg(ofi.ep, &msg, FI_COMPLETION | (asked ? FI_DELIVERY_COMPLETE : 0));
    while (ofi_turn_again(t, rc));
}

/* `f` is for whom the target is asked, `own` counts the completions. */
static void write_all(struct ofi_turn *t, struct core_flow *f, struct core_flow *own, struct ofi_target to, const char *local, size_t n)
{
    bool asked = !ofi.ordered;
    for (size_t at = 0; at < n;) {
        size_t piece = n - at < ofi.rma_max ? n - at : ofi.rma_max;
        write_piece(t, ofi_op_new(OFI_RMA, t->what, t->pe, own), local + at, (struct ofi_target){to.addr + at, to.key}, piece, asked);
        at += piece;
    }
    if (!asked)
        ofi_flow_touch(f, t->pe);
}

/* From a copy, so that the source is free at once. */
static void write_copy(struct ofi_turn *t, struct core_flow *f, void *remote, const void *local, size_t n)
{
    if (ofi_flow_fenced(f))
        ofi_turn_until_idle(t, f);
    bool asked = !ofi.ordered || ofi_flow_asks(f, t->pe);
    struct ofi_op *op = ofi_message_new(t->what, t->pe);
    op->kind = OFI_RMA;
    ofi_op_of_flow(op, f);
    memcpy(op->data, local, n);
    write_piece(t, op, op->data, ofi_target_at(t->pe, remote), n, asked);
    if (!asked)
        ofi_flow_touch(f, t->pe);
}

void ofi_write(struct ofi_turn *t, struct core_flow *f, struct core_flow *own, void *remote, const void *local, size_t n)
{
    if (ofi_flow_fenced(f))
        ofi_turn_until_idle(t, f);
    write_all(t, f, own, ofi_target_at(t->pe, remote), local, n);
}

void ofi_put(struct core_flow *f, int pe, void *remote, const void *local, size_t n)
{
    struct ofi_turn t;
    struct core_flow own = {0};
    if (n == 0)
        return;
    ofi_turn_begin(&t, "put", pe);
    if (n <= ofi.put_message)
        put_message(&t, f, remote, local, n);
    else if (n <= OFI_MSG_USUAL && n <= ofi.rma_max)
        write_copy(&t, f, remote, local, n);
    else {
        ofi_write(&t, f, &own, remote, local, n);
        ofi_turn_until_idle(&t, &own);
    }
    ofi_turn_end(&t);
}

void ofi_put_nbi(struct core_flow *f, int pe, void *remote, const void *local, size_t n)
{
    struct ofi_turn t;
    if (n <= ofi.put_message) {
        ofi_put(f, pe, remote, local, n);
        return;
    }
    ofi_turn_begin(&t, "put", pe);
    ofi_write(&t, f, f, remote, local, n);
    ofi_turn_end(&t);
}

/* ------------------------------------------------------------------- get -- */

void ofi_read(struct ofi_turn *t, struct core_flow *f, void *to, uint64_t addr, uint64_t key, size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t piece = n - at < ofi.rma_max ? n - at : ofi.rma_max;
        struct ofi_op *op = ofi_op_new(OFI_RMA, t->what, t->pe, f);
        ssize_t rc;
        do
            rc = fi_read(ofi.ep, (char *)to + at, piece, NULL, ofi.peer[t->pe].addr, addr + at, key, op);
        while (ofi_turn_again(t, rc));
        at += piece;
    }
}

void ofi_get_nbi(struct core_flow *f, int pe, void *local, const void *remote, size_t n)
{
    struct ofi_turn t;
    struct ofi_target from = ofi_target_at(pe, remote);
    ofi_turn_begin(&t, "get", pe);
    ofi_read(&t, f, local, from.addr, from.key, n);
    ofi_turn_end(&t);
}
