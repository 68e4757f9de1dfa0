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
 * compiler barrier is enough, but in jobs with tasks: there a PE that seems to be awake is looked at again after a
 * fence. */
static inline bool core_sleeps(const struct mpt_bell *bell)
{
    __asm__ volatile("" : : : "memory");
    if (MPT_UNLIKELY(__atomic_load_n(&bell->sleeping, __ATOMIC_RELAXED) != MPT_AWAKE))
        return true;
    if (MPT_LIKELY(!core_state.wait.fence))
        return false;
    /* model: tell.look_fence */
    core_fence_full();
    return __atomic_load_n(&bell->sleeping, __ATOMIC_RELAXED) != MPT_AWAKE;
}

/* The same of a PE that waits for a change of the n bytes at `at`, say. */
static inline bool core_watched(const struct mpt_bell *bell, const void *at, size_t n)
{
    __asm__ volatile("" : : : "memory");
    if (MPT_UNLIKELY(mpt_watched(bell, at, n)))
        return true;
    if (MPT_LIKELY(!core_state.wait.fence))
        return false;
    /* model: tell.look_fence */
    core_fence_full();
    return mpt_watched(bell, at, n);
}

/* Between a store and a look whether anybody waits for it at all, which comes before the look whether he sleeps: the
 * same, as that one may not come. */
static inline void core_waiters_fence(void)
{
    __asm__ volatile("" : : : "memory");
    if (MPT_UNLIKELY(core_state.wait.fence))
        /* model: begun.fence */
        core_fence_full();
}

/* As mpt_notify, which programs use where there are no tasks. */
static inline void core_notify(unsigned idx, const void *at, size_t n)
{
    if (MPT_UNLIKELY(core_watched(mpt_bell_of(idx), at, n)))
        mpt_ring(idx);
}

#endif
