/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops over tests in vain (loop.h). They are told once they have lasted for some time, and anew from time to time, by
 * themselves: a PE that is interrupted can't be asked. Each time the next few tests say which calls they are.
 */
#include "core/wait/loop.h"

#include <string.h>

#include "core/base/clock.h"
#include "core/base/site.h"
#include "core/internal.h"

enum {
    FIRST_MS = 100,
    LOOK_MS = 250,
    ASKED = 8, /* tests at each look: a loop may make several in turn */
};

/* This call's; NULL: there is no room, or no place. */
static struct core_loop_call *find(struct core_loop *l, const char *where, uintptr_t site)
{
    struct core_loop_call *none = NULL;

    for (unsigned i = 0; i < CORE_LOOP_CALLS; i++) {
        if (l->calls[i].where == where && l->calls[i].site == site)
            return &l->calls[i];
        if (!none && !l->calls[i].where)
            none = &l->calls[i];
    }
    if (!none || !(none->place = core_blocked_take()))
        return NULL;
    none->where = where;
    none->site = site;
    return none;
}

static void drop(struct core_loop_call *c)
{
    if (c->where)
        core_blocked_give(c->place);
    memset(c, 0, sizeof *c);
}

/* Written before in private, as a reader may come at any time. */
static void tell(const struct core_loop *l, struct core_loop_call *c, uint64_t now_ms, const struct core_blocked_by *by)
{
    struct core_wire_blocked_thread b, *place = c->place;

    core_blocked_say(&b, c->where, by, c->site);
    __atomic_store_n(&place->told, CORE_BLOCKED_UNTOLD, __ATOMIC_RELEASE);
    memcpy(place->call, b.call, sizeof b.call);
    memcpy(place->miss, b.miss, sizeof b.miss);
    memcpy(place->site, b.site, sizeof b.site);
    place->tests = l->tests;
    place->from_ms = l->from_ms;
    place->to_ms = now_ms;
    __atomic_store_n(&place->told, CORE_BLOCKED_ASKED, __ATOMIC_RELEASE);
    c->fresh = true;
}

static void begin_look(struct core_loop *l, uint64_t now_ms)
{
    l->look_ms = now_ms + LOOK_MS;
    l->asked = ASKED;
    for (unsigned i = 0; i < CORE_LOOP_CALLS; i++)
        l->calls[i].fresh = false;
}

static void end_look(struct core_loop *l)
{
    for (unsigned i = 0; i < CORE_LOOP_CALLS; i++)
        if (!l->calls[i].fresh)
            drop(&l->calls[i]);
}

void core_loop_test(const char *where, const struct core_blocked_by *by)
{
    struct core_loop *l = &core_thread.wait.loop;
    const uint64_t now_ms = core_clock_ms();
    struct core_loop_call *c;

    if (!core_seg->header)
        return;
    if (l->tests++ == 0) {
        __atomic_fetch_or(&core_state.wait.acts_count, CORE_ACTS_LOOP, __ATOMIC_RELAXED);
        l->from_ms = now_ms;
        l->look_ms = now_ms + FIRST_MS;
        l->asked = 0;
        return;
    }
    if (now_ms >= l->look_ms)
        begin_look(l, now_ms);
    if (MPT_LIKELY(l->asked == 0))
        return;
    if ((c = find(l, where, core_site())) && !c->fresh)
        tell(l, c, now_ms, by);
    if (--l->asked == 0)
        end_look(l);
}

void core_loop_over(void)
{
    struct core_loop *l = &core_thread.wait.loop;

    if (l->tests == 0)
        return;
    for (unsigned i = 0; i < CORE_LOOP_CALLS; i++)
        drop(&l->calls[i]);
    l->tests = 0;
}
