/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The progress hooks under way, one step of progress, and waiting for it.
 */
#include "mpi/rt/progress.h"

#include <sched.h>

#include "core/wait/bias.h"
#include "core/wait/fiber.h"
#include "mpi/rt/inbox.h"

static struct mpii_rt_state *const state = &mpii_state.rt;

/* A step may remove any hook, the next one too: mpii_hook_remove moves the cursor on. */
static void step_hooks(void)
{
    if (state->stepping.on)
        return; /* a step steps no others: they may be on its stack */
    state->stepping.on = true;
    for (state->stepping.cursor = state->hooks; state->stepping.cursor;) {
        struct mpii_hook *hook = state->stepping.cursor;

        state->stepping.cursor = hook->next;
        hook->step(hook);
    }
    state->stepping.on = false;
}

void mpii_progress(void)
{
    core_progress();
    if (MPT_UNLIKELY(state->above.look != NULL))
        state->above.look();
    mpii_inbox_look();
    if (MPT_UNLIKELY(state->hooks != NULL))
        step_hooks();
}

/* Nobody wants the lock, and this pause is a short one; or this is a section, which a
 * thread that wants the lock ends, also while we sleep. Handlers of our own messages may take it
 * again; what other threads' handlers leave for us we look for. */
static bool pause_with_lock(struct core_waiter *w)
{
    if (mpii_thread.rt.lock_depth == 0)
        return false;
    if (!core_bias_here() && (mpii_lock_wanted() || !core_wait_spins(w)))
        return false;
    core_wait_pause(w);
    mpii_inbox_look();
    return true;
}

/* What came meanwhile may have begun a progress hook: it takes its first step before the wait looks at the wire again.
 */
static void step_new(const struct mpii_hook *first)
{
    if (MPT_UNLIKELY(state->hooks != first && state->hooks != NULL))
        step_hooks();
}

/* A progress hook's step yields to whoever steps it: others' waits and tests come back to it. Where a wait that spins
 * has nothing else to step, it may look some times more before. */

static void pause_of_fiber(struct core_waiter *w)
{
    enum { LOOKS = 64 };

    if (!state->stepping.patient || core_wait_looked(w) % LOOKS == 0)
        core_fiber_yield();
}

void mpii_wait_pause(struct core_waiter *w)
{
    const struct mpii_hook *first;
    unsigned had;

    if (MPT_UNLIKELY(core_fiber_running() != NULL)) {
        pause_of_fiber(w);
        return;
    }
    if (MPT_UNLIKELY(state->above.look != NULL))
        state->above.look();
    if (MPT_UNLIKELY(state->hooks != NULL)) {
        unsigned before = state->stepping.ended;

        state->stepping.patient = core_wait_spins(w) && !core_oversubscribed() && !state->hooks->next;
        step_hooks();
        state->stepping.patient = false;
        if (state->stepping.ended != before)
            return; /* that may have been what is waited for: no pause in vain */
    }
    if (MPT_UNLIKELY(core_wait_is_long(w)))
        state->above.waited_long(core_wait_where(w));
    first = state->hooks;
    if (!pause_with_lock(w)) {
        had = mpii_unlock_all();
        core_wait_pause(w);
        if (MPT_UNLIKELY(had && mpii_lock_wanted()))
            sched_yield(); /* who sleeps for the lock would not get it from a spinning thread */
        mpii_lock_again(had);
    }
    step_new(first);
}

void mpii_depends_on_time(void)
{
    if (state->depends_on_time)
        __atomic_store_n(state->depends_on_time, 1, __ATOMIC_RELAXED);
}

void mpii_test_failed(const char *where, const struct core_blocked_by *by)
{
    mpii_depends_on_time();
    unsigned had = core_bias_here() ? 0 : mpii_unlock_all();

    core_test_failed(&mpii_thread.rt.failed_tests, where, by);
    mpii_lock_again(had);
}

void mpii_looked_slow(void)
{
    unsigned had;

    if (!core_look_due())
        return;
    had = core_bias_here() ? 0 : mpii_unlock_all();
    core_look_yield();
    mpii_lock_again(had);
}

void mpii_test_found(void)
{
    if (MPT_UNLIKELY(core_params.check))
        mpii_depends_on_time();
    core_test_found(&mpii_thread.rt.failed_tests);
}
