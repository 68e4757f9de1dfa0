/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages by libfabric: sent at once where they fit its own buffers (inject), else
 * from the op's; received into buffers that are posted before.
 */
#include <errno.h>

#include "core/base/clock.h"
#include "core/net/ofi.h"

int core_ofi_send(struct core_net_op *op)
{
    fi_addr_t to = core_ofi.peer[op->pe];
    if (op->n > core_ofi.inject_max)
        return (int)fi_send(core_ofi.ep, op->data, op->n, NULL, to, op);
    int rc = (int)fi_inject(core_ofi.ep, op->data, op->n, to);
    if (rc == 0)
        core_net_op_free(op);
    return rc;
}

/* ofi_rxm may answer with the error of a message that waited for a receive, and whose sender has gone: that one is
 * gone, too, so the next try is for the next one. */
void core_ofi_post_receive(struct core_net_op *op)
{
    enum { TRIES = 10000 };
    ssize_t rc = -FI_EIO;
    for (int i = 0; i < TRIES && rc != 0 && rc != -FI_EAGAIN; i++) {
        if (i > 0)
            core_net_drop("a message that broke off");
        rc = fi_recv(core_ofi.ep, op->data, NET_MSG_MAX, NULL, FI_ADDR_UNSPEC, op);
    }
    if (rc == 0)
        core_ofi.newest = op;
    else if (rc == -FI_EAGAIN) /* as many are posted as the queue holds */
        core_net_op_free(op);
    else
        core_net_fail("a receive", -1, (int)-rc, "");
}

int core_ofi_post_receives(void)
{
    size_t n = core_ofi.info->rx_attr->size < OFI_RECVS ? core_ofi.info->rx_attr->size : OFI_RECVS;
    for (size_t i = 0; i < n; i++)
        core_ofi_post_receive(core_net_receive_new());
    core_ofi.receives = (unsigned)n;
    core_ofi.received = core_ofi.seen = 0;
    core_ofi.probing = false;
    return 0;
}

static void more_receives(void)
{
    unsigned n = core_ofi.receives < OFI_RECVS_MOST ? core_ofi.receives : 0;
    core_net_drop("messages that do not come to their end");
    for (unsigned i = 0; i < n; i++)
        core_ofi_post_receive(core_net_receive_new());
    core_ofi.receives += n;
    core_debug("network: %u receives are posted", core_ofi.receives);
}

/* ofi_rxm fetches a long message of anybody into a receive, and says nothing when its sender goes, or stands still: who
 * sends as many as there are receives makes a PE deaf. Receives are matched in the order of posting, so as long as the
 * newest can be cancelled there is one for the next message; else there are to be more. */
void core_ofi_look_after_receives(void)
{
    enum { LOOK_NS = 300000000 };
    int64_t now = (int64_t)core_clock_coarse_ns();
    if (now - core_ofi.looked_ns < LOOK_NS)
        return;
    core_ofi.looked_ns = now;
    bool came = core_ofi.seen != core_ofi.received;
    core_ofi.seen = core_ofi.received;
    if (!came && core_ofi.probing)
        more_receives();
    core_ofi.probing = !came && !core_ofi.probing && core_ofi.newest &&
                       core_ofi_provider_has(core_ofi.info->fabric_attr->prov_name, "ofi_rxm") &&
                       fi_cancel(&core_ofi.ep->fid, core_ofi.newest) == 0;
}
