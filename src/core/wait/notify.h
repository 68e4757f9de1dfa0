/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What follows a store to a peer's memory: a look whether the peer sleeps.
 */
#ifndef CORE_NOTIFY_H
#define CORE_NOTIFY_H

#include "core/base/thread.h"
#include "core/state.h"
#include "mpt/fast.h"

/* Between the store and the look, which the CPU may reorder. The sleeper's membarrier() covers that (wait.c), so that a
 * compiler barrier is enough, but in jobs with tasks. */
static inline void core_stored(void)
{
    __asm__ volatile("" : : : "memory");
    if (MPT_UNLIKELY(core_state.wait.fence))
        core_fence_full();
}

/* As mpt_notify, which programs use where there are no tasks. */
static inline void core_notify(unsigned idx, const void *at, size_t n)
{
    core_stored();
    if (MPT_UNLIKELY(mpt_watched(mpt_bell_of(idx), at, n)))
        mpt_ring(idx);
}

#endif
