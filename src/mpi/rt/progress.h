/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI's progress engine: what every wait and test does for all that is under way,
 * and how a call waits or says that it found nothing.
 */
#ifndef MPI_PROGRESS_H
#define MPI_PROGRESS_H

#include "core/core.h"
#include "mpi/state.h"

/* Hooks, struct mpii_hook of state.h: things under way that every wait and test steps. */
static inline void mpii_hook_add(struct mpii_hook *hook)
{
    struct mpii_rt_state *state = &mpii_state.rt;

    if (hook->at)
        return; /* what it was there for went away since its last step */
    hook->next = state->hooks;
    hook->at = &state->hooks;
    if (state->hooks)
        state->hooks->at = &hook->next;
    state->hooks = hook;
}
static inline void mpii_hook_remove(struct mpii_hook *hook) /* harmless when it is not in */
{
    struct mpii_rt_state *state = &mpii_state.rt;

    if (!hook->at)
        return;
    state->stepping.ended++;
    if (state->stepping.cursor == hook)
        state->stepping.cursor = hook->next;
    *hook->at = hook->next;
    if (hook->next)
        hook->next->at = hook->at;
    hook->at = NULL;
}

/* Messages and one step of each hook, with the lock held. */
void mpii_progress(void);

/* Waiting, with the lock held (if there is more than one thread):
 *
 *     mpii_wait_begin(&w, "MPI_Recv");
 *     while (!condition)
 *         mpii_wait_pause(&w);
 *     mpii_wait_end(&w);
 *
 * The condition must become true by a message's handler, by a progress hook's step, or by
 * a store that core_wait would see (then use core_wait_begin_for). */
static inline void mpii_wait_begin(struct core_waiter *w, const char *where)
{
    core_wait_begin(w, where);
}
void mpii_wait_pause(struct core_waiter *w);
static inline void mpii_wait_end(struct core_waiter *w)
{
    core_wait_end(w);
}

/* A call that only tests, `where`, found nothing (core_test_failed with the lock released;
 * NULL: it cannot know); or something. */
void mpii_test_failed(const char *where, const struct core_blocked_by *by);
/* With MPT_CHECK: what the program does next may depend on when things came (p2p/ahead.c). */
void mpii_depends_on_time(void);
void mpii_test_found(void);

/* A call that programs poll with, and that cannot know whether it found what they
 * wait for (core_looked, likewise). What it has looked up is not sure afterwards. */
void mpii_looked_slow(void);
static inline void mpii_looked(void)
{
    if (core_looks())
        mpii_looked_slow();
}
static inline void mpii_looked_long(void) /* core_looked_long */
{
    if (core_looks()) {
        core_look_long();
        mpii_looked_slow();
    }
}

#endif
