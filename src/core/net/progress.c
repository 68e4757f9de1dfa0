/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Progress: one thread at a time handles what came, in order. What is done with a
 * message never waits; the lock is not held meanwhile, so that other threads may
 * begin operations during large copies.
 */
#include "core/net/fabric.h"

static int take_events(void)
{
    bool locked = core_net_lock();
    if (MPT_UNLIKELY(core_state.net.deferred))
        core_net_send_deferred();
    core_net_unlock(locked);
    return core_state.net.fabric->progress();
}

/* A thread that finds another one at it tells that one, which wakes it: what it
 * waits for may have been handled. */
static bool enter(void)
{
    if (core_process_single()) {
        core_state.net.taking = true;
        return true;
    }
    if (!__atomic_exchange_n(&core_state.net.taking, true, __ATOMIC_SEQ_CST))
        return true;
    /* model: drain.miss */
    __atomic_store_n(&core_state.net.missed, true, __ATOMIC_SEQ_CST);
    /* model: drain.again */
    return !__atomic_exchange_n(&core_state.net.taking, true, __ATOMIC_SEQ_CST);
}

static void leave(int handled)
{
    if (core_process_single()) {
        core_state.net.taking = false;
        return;
    }
    /* model: drain.leave */
    __atomic_store_n(&core_state.net.taking, false, __ATOMIC_SEQ_CST);
    /* model: drain.missed */
    if (__atomic_load_n(&core_state.net.missed, __ATOMIC_SEQ_CST)) {
        __atomic_store_n(&core_state.net.missed, false, __ATOMIC_RELAXED);
        handled++;
    }
    if (handled)
        core_wake_threads();
}

int core_net_progress(void)
{
    /* One of two at once may be lost. */
    __atomic_store_n(&core_state.net.progresses, __atomic_load_n(&core_state.net.progresses, __ATOMIC_RELAXED) + 1,
                     __ATOMIC_RELAXED);
    if (!enter())
        return 0;
    int handled = take_events();
    leave(handled);
    return handled;
}

int core_net_wait_fd(void)
{
    return core_state.net.promise.fd;
}

bool core_net_may_sleep(void)
{
    bool locked = core_net_lock(), may = !core_state.net.deferred;
    core_net_unlock(locked);
    return may && core_state.net.fabric->may_sleep();
}
