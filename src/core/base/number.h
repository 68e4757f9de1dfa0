/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Small sums that everybody does. Constant powers of two become masks and shifts.
 */
#ifndef CORE_NUMBER_H
#define CORE_NUMBER_H

#include <stdint.h>

static inline uint64_t core_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline int64_t core_min_signed(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* n / each, rounded up. */
static inline uint64_t core_ceil_div(uint64_t n, uint64_t each)
{
    return (n + each - 1) / each;
}

/* The next multiple of `to`, n itself if it is one. */
static inline uint64_t core_round_up(uint64_t n, uint64_t to)
{
    return core_ceil_div(n, to) * to;
}

/* Rounded down; n is not 0. */
static inline unsigned core_log2(uint64_t n)
{
    return 63 - (unsigned)__builtin_clzll(n);
}

#endif
