/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Put and get. Large ones are RMA straight between the memories; small puts go
 * as messages where the network is software anyway (manual progress: the target's
 * CPU does it in both cases, but a message is one that this library sees, so it
 * can wake exactly the PE that waits for it, and carry its own request for a reply).
 */
#include <string.h>

#include "core/net/fabric.h"

struct core_net_target core_net_target_at(int pe, const void *remote)
{
    core_net_address address = core_net_address_of(remote);
    enum core_net_region_id r = core_net_address_region(address);
    const struct core_net_peer *peer = &core_state.net.peer[pe];
    return (struct core_net_target){
        (core_state.net.promise.virtual_addr ? peer->base[r] : 0) + core_net_address_offset(address), peer->key[r]};
}

/* ------------------------------------------------------------------- put -- */

static void put_message(struct core_net_turn *t, struct core_flow *f, void *remote, const void *local, size_t n)
{
    struct core_net_op *message = core_net_message_new(t->what, t->pe),
                       *reply = core_net_flow_message(f, t->what, t->pe);
    core_net_message_begin(message, NET_M_PUT, core_net_address_of(remote))->cookie = core_net_op_cookie(reply);
    core_net_message_add(message, local, n);
    core_net_message_send(t, message);
    core_net_flow_sent(f, t->pe, reply);
}

/* One write of at most rma_max bytes. `asked`: its completion says that the
 * target has it; else only that the source is free. */
static void write_piece(struct core_net_turn *t, struct core_net_op *op, const void *local, struct core_net_target to,
                        size_t n, bool asked)
{
    int rc;
    do
        rc = core_state.net.fabric->write(op, local, to, n, asked);
    while (core_net_turn_again(t, rc));
}

/* `f` is the flow for which the target is asked, `own` counts the completions. */
static void write_all(struct core_net_turn *t, struct core_flow *f, struct core_flow *own, struct core_net_target to,
                      const char *local, size_t n)
{
    bool asked = !core_state.net.promise.ordered;
    for (size_t at = 0; at < n;) {
        size_t piece = n - at < core_state.net.promise.rma_max ? n - at : core_state.net.promise.rma_max;
        write_piece(t, core_net_op_new(NET_RMA, t->what, t->pe, own), local + at,
                    (struct core_net_target){to.addr + at, to.key}, piece, asked);
        at += piece;
    }
    if (!asked)
        core_net_flow_touch(f, t->pe);
}

/* From a copy, so that the source is free at once. */
static void write_copy(struct core_net_turn *t, struct core_flow *f, void *remote, const void *local, size_t n)
{
    if (core_net_flow_fenced(f))
        core_net_turn_until_idle(t, f);
    bool asked = !core_state.net.promise.ordered || core_net_flow_asks(f, t->pe);
    struct core_net_op *op = core_net_message_new(t->what, t->pe);
    op->kind = NET_RMA;
    core_net_op_of_flow(op, f);
    memcpy(op->data, local, n);
    write_piece(t, op, op->data, core_net_target_at(t->pe, remote), n, asked);
    if (!asked)
        core_net_flow_touch(f, t->pe);
}

void core_net_write(struct core_net_turn *t, struct core_flow *f, struct core_flow *own, void *remote,
                    const void *local, size_t n)
{
    if (core_net_flow_fenced(f))
        core_net_turn_until_idle(t, f);
    write_all(t, f, own, core_net_target_at(t->pe, remote), local, n);
}

void core_net_put(struct core_flow *f, int pe, void *remote, const void *local, size_t n)
{
    struct core_net_turn t;
    struct core_flow own = {0};
    if (n == 0)
        return;
    core_net_turn_begin(&t, "put", pe);
    if (n <= core_state.net.promise.put_message)
        put_message(&t, f, remote, local, n);
    else if (n <= NET_MSG_USUAL && n <= core_state.net.promise.rma_max)
        write_copy(&t, f, remote, local, n);
    else {
        core_net_write(&t, f, &own, remote, local, n);
        core_net_turn_until_idle(&t, &own);
    }
    core_net_turn_end(&t);
}

void core_net_put_nbi(struct core_flow *f, int pe, void *remote, const void *local, size_t n)
{
    struct core_net_turn t;
    if (n <= core_state.net.promise.put_message) {
        core_net_put(f, pe, remote, local, n);
        return;
    }
    core_net_turn_begin(&t, "put", pe);
    core_net_write(&t, f, f, remote, local, n);
    core_net_turn_end(&t);
}

/* ------------------------------------------------------------------- get -- */

void core_net_read(struct core_net_turn *t, struct core_flow *f, void *to, uint64_t addr, uint64_t key, size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t piece = n - at < core_state.net.promise.rma_max ? n - at : core_state.net.promise.rma_max;
        struct core_net_op *op = core_net_op_new(NET_RMA, t->what, t->pe, f);
        int rc;
        do
            rc = core_state.net.fabric->read(op, (char *)to + at, (struct core_net_target){addr + at, key}, piece);
        while (core_net_turn_again(t, rc));
        at += piece;
    }
}

void core_net_get_nbi(struct core_flow *f, int pe, void *local, const void *remote, size_t n)
{
    struct core_net_turn t;
    struct core_net_target from = core_net_target_at(pe, remote);
    core_net_turn_begin(&t, "get", pe);
    core_net_read(&t, f, local, from.addr, from.key, n);
    core_net_turn_end(&t);
}
