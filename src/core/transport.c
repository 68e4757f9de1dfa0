/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remote memory access: one test on the PE chooses between this node's loads
 * and stores and the network transport.
 */
#include "core/transport.h"

#include "core/core.h"

const struct core_transport *core_net;

static const struct core_transport *net_for(int pe)
{
    if (!core_net)
        core_fatal("PE %d is on another node and no network transport is active", pe);
    return core_net;
}

void core_put(int pe, void *remote, const void *local, size_t n)
{
    unsigned idx = mpt_idx(pe);
    if (MPT_UNLIKELY(idx >= mpt_fast.node_n)) {
        net_for(pe)->put(pe, remote, local, n);
        return;
    }
    void *to = mpt_addr(remote, idx);
    if (MPT_LIKELY(to != local))
        core_copy(to, local, n);
    mpt_notify(idx, to, n);
}

void core_get(int pe, void *local, const void *remote, size_t n)
{
    unsigned idx = mpt_idx(pe);
    if (MPT_UNLIKELY(idx >= mpt_fast.node_n)) {
        net_for(pe)->get(pe, local, remote, n);
        return;
    }
    const void *from = mpt_addr(remote, idx);
    if (MPT_LIKELY(from != local))
        core_copy(local, from, n);
}
