/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes and reads of peers' registered memory. */
#include "core/net/ofi.h"

int net_ofi_write(struct net_op *op, const void *from, struct net_target to, size_t n, bool delivered)
{
    struct iovec iov = {(void *)(uintptr_t)from, n};
    struct fi_rma_iov rma = {to.addr, n, to.key};
    struct fi_msg_rma msg = {.msg_iov = &iov, .iov_count = 1, .addr = ofi.peer[op->pe], .rma_iov = &rma,
                             .rma_iov_count = 1, .context = op};
    return (int)fi_writemsg(ofi.ep, &msg, FI_COMPLETION | (delivered ? FI_DELIVERY_COMPLETE : 0));
}

int net_ofi_read(struct net_op *op, void *to, struct net_target from, size_t n)
{
    return (int)fi_read(ofi.ep, to, n, NULL, ofi.peer[op->pe], from.addr, from.key, op);
}
