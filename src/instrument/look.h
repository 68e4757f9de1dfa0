/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An access of the program: two comparisons, and no more unless it goes to memory that is watched.
 */
#ifndef INSTRUMENT_LOOK_H
#define INSTRUMENT_LOOK_H

#include <stddef.h>
#include <stdint.h>

#include "core/check/watch.h"

/* Where the program's code goes on after a call of ours: the access is of the line before. */
#define INSTRUMENT_PC ((uintptr_t)__builtin_return_address(0))

/* It touches what lies from the first to the last range. */
void instrument_watched(uintptr_t at, size_t n, unsigned how, uintptr_t pc) __attribute__((cold));

/* At most 16 bytes, which do not lie across the bounds of what is watched. */
static inline void instrument_look(const volatile void *at, size_t n, unsigned how, uintptr_t pc)
{
    uintptr_t a = (uintptr_t)at;

    if (__builtin_expect(a - mpt_watch.low.lo < mpt_watch.low.n || a - mpt_watch.high.lo < mpt_watch.high.n, 0))
        instrument_watched(a, n, how, pc);
}

static inline int instrument_overlap(const struct core_watch_range *r, uintptr_t at, size_t n)
{
    return at - r->lo < r->n || r->lo - at < n;
}

/* Any number of bytes. */
static inline void instrument_look_range(const volatile void *at, size_t n, unsigned how, uintptr_t pc)
{
    uintptr_t a = (uintptr_t)at;

    if (n > 0 && ((mpt_watch.low.n > 0 && instrument_overlap(&mpt_watch.low, a, n)) ||
                  (mpt_watch.high.n > 0 && instrument_overlap(&mpt_watch.high, a, n))))
        instrument_watched(a, n, how, pc);
}

#endif
