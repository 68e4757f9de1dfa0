/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes and reads of peers' registered memory. */
#include "core/net/ofi.h"

int core_ofi_write(struct core_net_op *op, const void *from, struct core_net_target to, size_t n, bool delivered)
{
    struct iovec iov = {(void *)(uintptr_t)from, n};
    struct fi_rma_iov rma = {to.addr, n, to.key};
    struct fi_msg_rma msg = {.msg_iov = &iov,
                             .iov_count = 1,
                             .addr = core_ofi.peer[op->pe],
                             .rma_iov = &rma,
                             .rma_iov_count = 1,
                             .context = op};
    return (int)fi_writemsg(core_ofi.ep, &msg, FI_COMPLETION | (delivered ? FI_DELIVERY_COMPLETE : 0));
}

int core_ofi_read(struct core_net_op *op, void *to, struct core_net_target from, size_t n)
{
    return (int)fi_read(core_ofi.ep, to, n, NULL, core_ofi.peer[op->pe], from.addr, from.key, op);
}
