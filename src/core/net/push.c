/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pushed bodies on the wire: one message of the channel with the body behind it.
 * The buffer that receives it is kept until the body is no longer wanted.
 */
#include <errno.h>

#include "core/net/fabric.h"

size_t core_net_push_most(void)
{
    return core_state.net.promise.push_most;
}

int core_net_push(int pe, unsigned id, const void *head, size_t head_n, const void *body, const struct core_rndv *rndv)
{
    bool locked = core_net_lock();
    if (rndv->n > NET_MSG_MAX - NET_PUSH_HEAD && core_state.net.fabric->busy && core_state.net.fabric->busy(pe)) {
        core_net_unlock(locked);
        return -ENOBUFS;
    }
    struct core_net_op *op = core_net_channel_message(pe, id, head, head_n, rndv);
    core_net_message_tail(op, body, rndv->n);
    return core_net_channel_go(op, locked);
}

void core_net_grant(int pe, uint64_t n)
{
    bool locked = core_net_lock();
    struct core_net_op *op = core_net_message_new("a send", pe);
    core_net_message_begin(op, NET_M_GRANT, n);
    core_net_message_later(op);
    core_net_unlock(locked);
}

void core_net_land(void *landing)
{
    struct core_net_op *op = landing;
    bool locked = core_net_lock();
    if (op->holds > 0)
        op->holds--;
    else
        core_net_op_free(op);
    core_net_unlock(locked);
}
