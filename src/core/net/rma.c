/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Put and get. Large ones are RMA straight between the memories; small puts go
 * as messages where the network is software anyway (manual progress: the target's
 * CPU does it in both cases, but a message is one that this library sees, so it
 * can wake exactly who waits for it, and carry its own request for a reply).
 */
#include <string.h>

#include "core/net/fabric.h"

struct net_target net_target_at(int pe, const void *remote)
{
    net_place place = net_place_of(remote);
    enum net_region_id r = net_place_region(place);
    const struct net_peer *peer = &net.peer[pe];
    return (struct net_target){(net.promise.virtual_addr ? peer->base[r] : 0) + net_place_offset(place), peer->key[r]};
}

/* ------------------------------------------------------------------- put -- */

static void put_message(struct net_turn *t, struct core_flow *f, void *remote, const void *local, size_t n)
{
    struct net_op *message = net_message_new(t->what, t->pe), *reply = net_flow_message(f, t->what, t->pe);
    net_message_begin(message, NET_M_PUT, net_place_of(remote))->cookie = net_op_cookie(reply);
    net_message_add(message, local, n);
    net_message_send(t, message);
    net_flow_sent(f, t->pe, reply);
}

/* One write of at most rma_max bytes. `asked`: its completion says that the
 * target has it; else only that the source is free. */
static void write_piece(struct net_turn *t, struct net_op *op, const void *local, struct net_target to, size_t n, bool asked)
{
    int rc;
    do
        rc = net.fabric->write(op, local, to, n, asked);
    while (net_turn_again(t, rc));
}

/* `f` is for whom the target is asked, `own` counts the completions. */
static void write_all(struct net_turn *t, struct core_flow *f, struct core_flow *own, struct net_target to, const char *local, size_t n)
{
    bool asked = !net.promise.ordered;
    for (size_t at = 0; at < n;) {
        size_t piece = n - at < net.promise.rma_max ? n - at : net.promise.rma_max;
        write_piece(t, net_op_new(NET_RMA, t->what, t->pe, own), local + at, (struct net_target){to.addr + at, to.key}, piece, asked);
        at += piece;
    }
    if (!asked)
        net_flow_touch(f, t->pe);
}

/* From a copy, so that the source is free at once. */
static void write_copy(struct net_turn *t, struct core_flow *f, void *remote, const void *local, size_t n)
{
    if (net_flow_fenced(f))
        net_turn_until_idle(t, f);
    bool asked = !net.promise.ordered || net_flow_asks(f, t->pe);
    struct net_op *op = net_message_new(t->what, t->pe);
    op->kind = NET_RMA;
    net_op_of_flow(op, f);
    memcpy(op->data, local, n);
    write_piece(t, op, op->data, net_target_at(t->pe, remote), n, asked);
    if (!asked)
        net_flow_touch(f, t->pe);
}

void net_write(struct net_turn *t, struct core_flow *f, struct core_flow *own, void *remote, const void *local, size_t n)
{
    if (net_flow_fenced(f))
        net_turn_until_idle(t, f);
    write_all(t, f, own, net_target_at(t->pe, remote), local, n);
}

void net_put(struct core_flow *f, int pe, void *remote, const void *local, size_t n)
{
    struct net_turn t;
    struct core_flow own = {0};
    if (n == 0)
        return;
    net_turn_begin(&t, "put", pe);
    if (n <= net.promise.put_message)
        put_message(&t, f, remote, local, n);
    else if (n <= NET_MSG_USUAL && n <= net.promise.rma_max)
        write_copy(&t, f, remote, local, n);
    else {
        net_write(&t, f, &own, remote, local, n);
        net_turn_until_idle(&t, &own);
    }
    net_turn_end(&t);
}

void net_put_nbi(struct core_flow *f, int pe, void *remote, const void *local, size_t n)
{
    struct net_turn t;
    if (n <= net.promise.put_message) {
        net_put(f, pe, remote, local, n);
        return;
    }
    net_turn_begin(&t, "put", pe);
    net_write(&t, f, f, remote, local, n);
    net_turn_end(&t);
}

/* ------------------------------------------------------------------- get -- */

void net_read(struct net_turn *t, struct core_flow *f, void *to, uint64_t addr, uint64_t key, size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t piece = n - at < net.promise.rma_max ? n - at : net.promise.rma_max;
        struct net_op *op = net_op_new(NET_RMA, t->what, t->pe, f);
        int rc;
        do
            rc = net.fabric->read(op, (char *)to + at, (struct net_target){addr + at, key}, piece);
        while (net_turn_again(t, rc));
        at += piece;
    }
}

void net_get_nbi(struct core_flow *f, int pe, void *local, const void *remote, size_t n)
{
    struct net_turn t;
    struct net_target from = net_target_at(pe, remote);
    net_turn_begin(&t, "get", pe);
    net_read(&t, f, local, from.addr, from.key, n);
    net_turn_end(&t);
}
