/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lock around MPI's bodies, and the sections of a thread that alone calls MPI.
 */
#include "mpi/rt/lock.h"

#include <pthread.h>

#include "core/check/fatal.h"
#include "core/wait/bias.h"
#include "mpi/rt/inbox.h"

static struct mpii_rt_state *const state = &mpii_state.rt;

static void take(void)
{
    core_bias_end();
    if (pthread_mutex_trylock(&state->lock) == 0)
        return;
    __atomic_fetch_add(&state->lock_queue, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&state->lock);
    __atomic_fetch_sub(&state->lock_queue, 1, __ATOMIC_RELAXED);
}

/* Another thread wants to come in while this one is in a section of its own: the section
 * becomes the lock, which nobody has had yet. */
static void give_way(void)
{
    if (mpii_thread.rt.lock_depth > 0)
        pthread_mutex_lock(&state->lock);
    core_bias_yield();
}

void mpii_lock_start(void)
{
    core_bias_start(give_way);
    if (mpii_thread.rt.lock_depth > 0 && core_bias_enter()) /* the call that starts MPI becomes a section */
        pthread_mutex_unlock(&state->lock);
}

/* What other threads' handlers left for us is done before and after: they look for
 * the lock after they have left something, so one of both finds it. */
static void give(unsigned had)
{
    for (;;) {
        mpii_thread.rt.lock_depth = had; /* handling may lock and unlock */
        mpii_inbox_look();
        mpii_thread.rt.lock_depth = 0;
        pthread_mutex_unlock(&state->lock);
        /* model: news.look_fence */
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        if (MPT_LIKELY(!mpii_inbox_has_news()) || pthread_mutex_trylock(&state->lock) != 0)
            return;
    }
}

void mpii_lock_always(void)
{
    state->ended = true;
    core_finding_in_all_calls();
}

void mpii_lock(void)
{
    if (MPT_UNLIKELY(core_params.check) && mpii_thread.rt.lock_depth == 0)
        mpii_threads_enter();
    mpii_lock_any();
}

void mpii_lock_any(void)
{
    if (mpii_thread.rt.lock_depth++ > 0 || core_bias_enter())
        return;
    if (core_adversary_on()) {
        mpii_thread.rt.lock_depth = 0; /* handlers look whether they have to take it */
        core_adversary_pause();
        core_progress(); /* what has come meanwhile is there to choose from */
        mpii_thread.rt.lock_depth = 1;
    }
    take();
}

/* Only handlers call it: of the owner's messages in its section, of all others past the bias. */
bool mpii_trylock(void)
{
    if (mpii_thread.rt.lock_depth == 0 && pthread_mutex_trylock(&state->lock) != 0)
        return false;
    mpii_thread.rt.lock_depth++;
    return true;
}

/* In a section nobody else can have left anything. */
static inline bool leave_section(void)
{
    if (!core_bias_here())
        return false;
    mpii_thread.rt.lock_depth = 0;
    core_bias_leave();
    return true;
}

void mpii_unlock(void)
{
    if (mpii_thread.rt.lock_depth > 1)
        mpii_thread.rt.lock_depth--;
    else if (!leave_section())
        give(1);
    if (MPT_UNLIKELY(core_params.check) && mpii_thread.rt.lock_depth == 0)
        mpii_threads_leave();
}

unsigned mpii_unlock_all_slow(void)
{
    unsigned had = mpii_thread.rt.lock_depth;

    if (!leave_section())
        give(had);
    return had;
}

void mpii_lock_again_slow(unsigned had)
{
    if (!core_bias_enter())
        take();
    mpii_thread.rt.lock_depth = had;
}
