/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pushed bodies on the wire: one message of the channel with the body behind it.
 * The buffer that receives it is kept until the body is no longer wanted.
 */
#include <errno.h>

#include "core/net/fabric.h"

size_t net_push_most(void)
{
    return net.promise.push_most;
}

int net_push(int pe, unsigned id, const void *head, size_t head_n, const void *body, const struct core_far *far)
{
    bool locked = net_lock();
    if (far->n > NET_MSG_MAX - NET_PUSH_HEAD && net.fabric->busy && net.fabric->busy(pe)) {
        net_unlock(locked);
        return -ENOBUFS;
    }
    struct net_op *op = net_channel_message(pe, id, head, head_n, far);
    net_message_tail(op, body, far->n);
    return net_channel_go(op, locked);
}

void net_grant(int pe, uint64_t n)
{
    bool locked = net_lock();
    struct net_op *op = net_message_new("a send", pe);
    net_message_begin(op, NET_M_GRANT, n);
    net_message_later(op);
    net_unlock(locked);
}

void net_land(void *landing)
{
    struct net_op *op = landing;
    bool locked = net_lock();
    if (op->holds > 0)
        op->holds--;
    else
        net_op_free(op);
    net_unlock(locked);
}
