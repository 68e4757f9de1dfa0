/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A short table of what is under way (landing.h). Each entry is watched like a window, so other memory costs nothing.
 */
#include "core/check/landing.h"

#include <pthread.h>

#include "core/check/finding.h"
#include "core/check/race_internal.h"

static struct core_landing_state *const state = &core_state.check.landing;

void core_landing_add(const struct core_landing *l)
{
    if (l->n == 0)
        return;
    core_race_watch();
    pthread_mutex_lock(&state->lock);
    if (state->n < CORE_LANDING_MOST) {
        state->table[state->n] = *l;
        __atomic_store_n(&state->n, state->n + 1, __ATOMIC_RELAXED);
        core_watch_add((const void *)l->lo, l->n);
        __atomic_fetch_add(&mpt_watch.epoch, 1, __ATOMIC_RELAXED); /* what has been told of is told of again */
    }
    pthread_mutex_unlock(&state->lock);
}

/* With the lock. */
static void remove_at(unsigned i)
{
    core_watch_remove((const void *)state->table[i].lo, state->table[i].n);
    state->table[i] = state->table[state->n - 1];
    __atomic_store_n(&state->n, state->n - 1, __ATOMIC_RELAXED);
}

/* Those of an owner, or of a group; the other one is NULL. */
static void remove_of(const void *owner, const void *group)
{
    if (!core_landing_any())
        return;
    pthread_mutex_lock(&state->lock);
    for (unsigned i = state->n; i-- > 0;)
        if (owner ? state->table[i].owner == owner : state->table[i].group == group)
            remove_at(i);
    pthread_mutex_unlock(&state->lock);
}

void core_landing_remove(const void *owner)
{
    remove_of(owner, NULL);
}

void core_landing_remove_all(const void *group)
{
    remove_of(NULL, group);
}

static void say(const struct core_landing *l, unsigned how, uintptr_t pc)
{
    const bool writes = how & CORE_WATCH_WRITE;
    struct core_finding f;

    core_finding_begin(&f, (enum core_finding_kind)l->kind, l->rule, "%s: %s was %s before the operation was complete",
                       l->call, l->arg, writes ? "written to" : "read");
    if (l->advice)
        core_finding_advise(&f, "%s", l->advice);
    core_finding_at(&f, core_me(), pc, writes ? "store" : "load");
    core_finding_at(&f, core_me(), l->site, "%s: %s = %p, %zu bytes", l->call, l->arg, (const void *)l->lo, l->n);
    core_finding_end(&f);
}

void core_landing_look(uintptr_t at, size_t n, unsigned how, uintptr_t pc)
{
    struct core_landing found;
    bool any = false;

    if (core_thread.check.called_back > 0)
        return;
    pthread_mutex_lock(&state->lock);
    for (unsigned i = 0; i < state->n && !any; i++) {
        struct core_landing *l = &state->table[i];

        any = at < l->lo + l->n && l->lo < at + n && !l->said;
        if (any) {
            l->said = true;
            found = *l;
        }
    }
    pthread_mutex_unlock(&state->lock);
    if (any)
        say(&found, how, pc);
}
