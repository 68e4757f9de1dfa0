/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of lines through a block of memory, for measuring how long a load takes: each line's first word says which
 * line comes next, so that no load can begin before the one before it has ended.
 */
#ifndef BENCH_MEMORY_CHASE_H
#define BENCH_MEMORY_CHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHASE_LINE 8 /* words */
#define CHASE_PAGE 64 /* lines */

enum chase_order {
    CHASE_IN_PAGE, /* all lines of a page in a random order, then those of another page */
    CHASE_OUT_OF_PAGE, /* each line in another page than the one before */
    CHASE_AHEAD, /* one after the other */
};

/* One circle through all `lines` (a multiple of CHASE_PAGE): each line's first word is the number of the next line. */
void chase_link(uint64_t *base, size_t lines, enum chase_order order);
/* The numbers of the first `n` lines of the circle. */
void chase_list(const uint64_t *base, uint32_t *list, size_t n);
/* True when the circle visits every line once and comes back. */
bool chase_whole(const uint64_t *base, size_t lines);

/* From line `at`, `steps` steps; returns the line arrived at. The first loads one word of each, the other all eight. */
uint64_t chase_words(const uint64_t *base, uint64_t at, long steps);
uint64_t chase_lines(const uint64_t *base, uint64_t at, long steps);

/* Clock periods a nanosecond of the core this runs on, now. */
double chase_clock(void);

#endif
