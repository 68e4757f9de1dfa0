/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wait of a task that needs only to be rung, in short, without a waiter and its phases. Whatever else may be the
 * matter is left to the long form (wait.h):
 *
 *     if (core_brief_tell()) {
 *         if (there is something)
 *             core_brief_untell();
 *         else if (core_brief_block("MPI_Recv"))
 *             look again, once; then wait as usual
 *     }
 */
#ifndef CORE_BRIEF_H
#define CORE_BRIEF_H

#include "core/internal.h"
#include "core/task/task.h"

/* From here on this PE is rung by what comes. False: it waits as usual (it is no task, has threads, which may want what
 * the caller holds, or its waits are looked at). */
static inline bool core_brief_tell(void)
{
    if (!core_task_on() || !core_process_single() || core_state.wait.measures || core_state.wait.poll.on ||
        core_params.check)
        return false;
    core_acted();
    /* model: tell.announce */
    __atomic_store_n(&core_ctrl_of(core_seg->idx)->bell.sleeping, MPT_WAITS_FOR_RING, __ATOMIC_RELEASE);
    /* model: tell.fence */
    core_fence_full(); /* as of whoever rings: core_sleeps */
    return true;
}

static inline void core_brief_untell(void)
{
    __atomic_store_n(&core_ctrl_of(core_seg->idx)->bell.sleeping, MPT_AWAKE, __ATOMIC_RELAXED);
}

/* Others run until it is rung, by whatever. False: the process has slept in vain, and the wait is to be looked after.
 * where: the call, for reports; text that lasts. */
static inline bool core_brief_block(const char *where)
{
    bool rung = core_task_block_in(where);

    core_brief_untell();
    return rung;
}

#endif
