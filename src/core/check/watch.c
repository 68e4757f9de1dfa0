/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps mpt_watch (watch.h). Programs read it while it changes: for a moment, an access is not looked at, or one that
 * lies beside.
 */
#include "core/check/watch.h"

#include <stdbool.h>
#include <stdlib.h>

struct core_watch mpt_watch = {.epoch = 1, .lock = PTHREAD_MUTEX_INITIALIZER};

static void set(struct core_watch_range *to, uintptr_t lo, uintptr_t end)
{
    __atomic_store_n(&to->n, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&to->lo, lo, __ATOMIC_RELEASE);
    __atomic_store_n(&to->n, end - lo, __ATOMIC_RELEASE);
}

static uintptr_t end_of(const struct core_watch_range *r)
{
    return r->lo + r->n;
}

static int by_place(const void *a, const void *b)
{
    const struct core_watch_range *x = a, *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

/* From those that were added, sorted: disjoint ones. */
static void join(const struct core_watch_range *added, unsigned n)
{
    unsigned k = 0;

    for (unsigned i = 0; i < n;) {
        uintptr_t lo = added[i].lo, end = end_of(&added[i]);
        bool last = k == CORE_WATCH_RANGES - 1;

        for (i++; i < n && (last || added[i].lo <= end); i++)
            end = end_of(&added[i]) > end ? end_of(&added[i]) : end;
        set(&mpt_watch.range[k++], lo, end);
    }
    __atomic_store_n(&mpt_watch.n, k, __ATOMIC_RELEASE);
}

static void split_at_widest_gap(void)
{
    const struct core_watch_range *r = mpt_watch.range;
    unsigned n = mpt_watch.n, high = n;
    size_t widest = 0;

    for (unsigned i = 1; i < n; i++)
        if (r[i].lo - end_of(&r[i - 1]) > widest) {
            widest = r[i].lo - end_of(&r[i - 1]);
            high = i;
        }
    set(&mpt_watch.low, n ? r[0].lo : 0, n ? end_of(&r[high - 1]) : 0);
    set(&mpt_watch.high, high < n ? r[high].lo : 0, high < n ? end_of(&r[n - 1]) : 0);
}

static void changed(void)
{
    qsort(mpt_watch.added, mpt_watch.n_added, sizeof *mpt_watch.added, by_place);
    join(mpt_watch.added, mpt_watch.n_added);
    split_at_widest_gap();
}

void core_watch_tell(core_watch_access *access)
{
    __atomic_store_n(&mpt_watch.access, access, __ATOMIC_RELEASE);
}

/* Without memory nothing is watched, and nothing found. */
static bool has_room(void)
{
    unsigned room = mpt_watch.room ? 2 * mpt_watch.room : CORE_WATCH_RANGES;
    struct core_watch_range *more;

    if (mpt_watch.n_added < mpt_watch.room)
        return true;
    more = realloc(mpt_watch.added, room * sizeof *more);
    if (!more)
        return false;
    mpt_watch.added = more;
    mpt_watch.room = room;
    return true;
}

void core_watch_add(const void *at, size_t n)
{
    if (n == 0 || !mpt_watch.access)
        return;
    pthread_mutex_lock(&mpt_watch.lock);
    if (has_room()) {
        mpt_watch.added[mpt_watch.n_added++] = (struct core_watch_range){(uintptr_t)at, n};
        changed();
    }
    pthread_mutex_unlock(&mpt_watch.lock);
}

void core_watch_remove(const void *at, size_t n)
{
    pthread_mutex_lock(&mpt_watch.lock);
    for (unsigned i = 0; i < mpt_watch.n_added; i++)
        if (mpt_watch.added[i].lo == (uintptr_t)at && mpt_watch.added[i].n == n) {
            mpt_watch.added[i] = mpt_watch.added[--mpt_watch.n_added];
            changed();
            break;
        }
    pthread_mutex_unlock(&mpt_watch.lock);
}
