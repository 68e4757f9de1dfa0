/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sections of one thread. A process may have many threads of which one only ever
 * comes here; locked instructions would be most of what its short messages cost.
 * So the thread that started the job owns it at first: a face brackets its calls
 * with core_bias_enter and core_bias_leave, two plain stores, and inside them
 * core_one_thread() holds. Any other thread that comes first ends the bias, once
 * and for all, and all use locks from then on (record 0017).
 *
 * Invariants
 *  - `inside` is the owner's: it stores it, then reads `wanted`. What ends the bias
 *    stores `wanted`, makes all threads of the process pass a fence, and reads
 *    `inside`: one of both sees the other.
 *  - No other thread is in the channel, or past a face's lock, while `on`.
 */
#ifndef CORE_BIAS_H
#define CORE_BIAS_H

#include <stdbool.h>

#include "core/base/thread.h"
#include "core/state.h"
#include "mpt/fast.h"

/* This thread is the owner, if the kernel helps. To be called while no other thread can be in the library. */
void core_bias_start(void (*give_way)(void));
/* No section is open when this returns, and none will be. Not to be called inside one. */
void core_bias_end_slow(void);
static inline void core_bias_end(void)
{
    /* Acquire: what the owner did in its last section comes before what follows. */
    /* model: bias.is_on */
    if (MPT_UNLIKELY(__atomic_load_n(&core_state.wait.bias.on, __ATOMIC_ACQUIRE)))
        core_bias_end_slow();
}
/* A child that was forked has nobody to wait for. */
void core_bias_forget(void);

/* Is this thread in a section? */
static inline bool core_bias_here(void)
{
    return core_thread.wait.bias_mine && __atomic_load_n(&core_state.wait.bias.inside, __ATOMIC_RELAXED);
}

/* Release: all of the section comes before it. */
static inline void core_bias_leave(void)
{
    /* model: bias.leave */
    __atomic_store_n(&core_state.wait.bias.inside, false, __ATOMIC_RELEASE);
}

/* The owner lets others in for good. */
static inline void core_bias_yield(void)
{
    core_thread.wait.bias_mine = false;
    core_bias_leave();
}

/* False: take the lock, as it was not this thread's or others want to come in. */
static inline bool core_bias_enter(void)
{
    if (!core_thread.wait.bias_mine)
        return false;
    __atomic_store_n(&core_state.wait.bias.inside, true, __ATOMIC_RELAXED);
    /* model: bias.compiler */
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* the processor's fence is the other's membarrier */
    if (MPT_LIKELY(!__atomic_load_n(&core_state.wait.bias.wanted, __ATOMIC_RELAXED)))
        return true;
    core_bias_yield();
    return false;
}

/* Others want to come in and this thread is where it may let them. */
static inline bool core_bias_gives_way(void)
{
    if (MPT_LIKELY(!__atomic_load_n(&core_state.wait.bias.wanted, __ATOMIC_RELAXED)) || !core_bias_here())
        return false;
    core_state.wait.bias.give_way();
    return true;
}

/* No other thread can be in the channel until this one has left its section (or, of a process
 * of one thread, has made another). False: use locks; by then nobody does without. */
static inline bool core_one_thread(void)
{
    if (MPT_LIKELY(core_process_single()) || core_bias_here())
        return true;
    core_bias_end();
    return false;
}

#endif
