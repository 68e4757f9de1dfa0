/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages by libfabric: sent at once where they fit its own buffers (inject), else
 * from the op's; received into buffers that are posted before.
 */
#include <errno.h>
#include <time.h>

#include "core/net/ofi.h"

int net_ofi_send(struct net_op *op)
{
    fi_addr_t to = ofi.peer[op->pe];
    if (op->n > ofi.inject_max)
        return (int)fi_send(ofi.ep, op->data, op->n, NULL, to, op);
    int rc = (int)fi_inject(ofi.ep, op->data, op->n, to);
    if (rc == 0)
        net_op_free(op);
    return rc;
}

/* ofi_rxm may answer with the error of a message that waited for a receive, and whose sender has gone: that one is
 * gone, too, so the next try is for the next one. */
void net_ofi_post_receive(struct net_op *op)
{
    enum { TRIES = 10000 };
    ssize_t rc = -FI_EIO;
    for (int i = 0; i < TRIES && rc != 0 && rc != -FI_EAGAIN; i++) {
        if (i > 0)
            net_drop("a message that broke off");
        rc = fi_recv(ofi.ep, op->data, NET_MSG_MAX, NULL, FI_ADDR_UNSPEC, op);
    }
    if (rc == 0)
        ofi.newest = op;
    else if (rc == -FI_EAGAIN) /* as many are posted as the queue holds */
        net_op_free(op);
    else
        net_fail("a receive", -1, (int)-rc, "");
}

int net_ofi_post_receives(void)
{
    size_t n = ofi.info->rx_attr->size < OFI_RECVS ? ofi.info->rx_attr->size : OFI_RECVS;
    for (size_t i = 0; i < n; i++)
        net_ofi_post_receive(net_receive_new());
    ofi.receives = (unsigned)n;
    ofi.received = ofi.seen = 0;
    ofi.probing = false;
    return 0;
}

static void more_receives(void)
{
    unsigned n = ofi.receives < OFI_RECVS_MOST ? ofi.receives : 0;
    net_drop("messages that do not come to their end");
    for (unsigned i = 0; i < n; i++)
        net_ofi_post_receive(net_receive_new());
    ofi.receives += n;
    core_debug("network: %u receives are posted", ofi.receives);
}

/* ofi_rxm fetches a long message of anybody into a receive, and says nothing when its sender goes, or stands still: who
 * sends as many as there are receives makes a PE deaf. Receives are matched in the order of posting, so as long as the
 * newest can be cancelled there is one for the next message; else there are to be more. */
void net_ofi_look_after_receives(void)
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
    ofi.probing = !came && !ofi.probing && ofi.newest && net_ofi_provider_has(ofi.info->fabric_attr->prov_name, "ofi_rxm") &&
                  fi_cancel(&ofi.ep->fid, ofi.newest) == 0;
}
