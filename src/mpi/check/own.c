/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accesses of calls of MPI to this process's own windows (own.h). Layouts with gaps are left out.
 */
#include "mpi/check/own.h"

#include <string.h>

#include "core/base/site.h"
#include "core/check/watch.h"

static struct mpii_check_state *const state = &mpii_state.check;

/* Sites are told apart by the address of the name, which is a literal; collectives have that of their body. */
static const char *name_of(const char *call)
{
    return strncmp(call, "mpii_", 5) == 0 ? "a collective of MPI" : call;
}

/* The part of a range that lies in memory which is watched. */
static bool clip(uintptr_t *lo, uintptr_t *hi, unsigned i)
{
    const struct core_watch_range *r = &mpt_watch.range[i];

    *lo = *lo > r->lo ? *lo : r->lo;
    *hi = *hi < r->lo + r->n ? *hi : r->lo + r->n;
    return *lo < *hi;
}

static void tell(const struct mpii_own_access *a)
{
    for (unsigned i = 0; i < mpt_watch.n; i++) {
        uintptr_t lo = a->lo, hi = a->hi;

        if (!clip(&lo, &hi, i))
            continue;
        core_race_enter((const void *)(a->site ? a->site : core_site()), a->call);
        core_race_own((const void *)lo, hi - lo, a->writes ? CORE_RACE_WRITE : CORE_RACE_READ, a->call);
    }
}

static bool access_of(const struct mpii_watch *w, struct mpii_own_access *a)
{
    *a = (struct mpii_own_access){w->region.low, w->region.high, 0, NULL, w->way == MPII_WATCH_WRITES};
    if (!w->region.type->dense || mpt_watch.n == 0 || a->hi <= mpt_watch.range[0].lo)
        return false;
    for (unsigned i = 0; i < mpt_watch.n; i++) {
        uintptr_t lo = a->lo, hi = a->hi;

        if (clip(&lo, &hi, i)) {
            a->call = name_of(w->call);
            return true;
        }
    }
    return false;
}

void mpii_own_tell(const struct mpii_watch *w, uintptr_t site)
{
    struct mpii_own_access a;

    if (!access_of(w, &a))
        return;
    a.site = site;
    tell(&a);
}

void mpii_own_forget(void)
{
    state->n_landing = 0;
}

void mpii_own_keep(const struct mpii_watch *w)
{
    struct mpii_own_access a;

    if (state->n_landing == MPII_OWN_LANDING || !access_of(w, &a))
        return;
    a.site = core_site();
    state->landing[state->n_landing++] = a;
}

void mpii_own_landed_slow(void)
{
    if (core_race_on())
        for (unsigned i = 0; i < state->n_landing; i++)
            tell(&state->landing[i]);
    state->n_landing = 0;
}
