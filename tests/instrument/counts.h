/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts what instrumented code tells of, by size and kind. The compilers' wrapper links the library whose mpt_watch it
 * is.
 */
#ifndef COUNTS_H
#define COUNTS_H

#include <stdio.h>
#include <stdlib.h>

#include "core/check/watch.h"

#define PLAIN __attribute__((no_sanitize_thread, noinline))

static struct {
    unsigned n, calls[8]; /* by kind */
    size_t bytes[8];
    const char *first;
    uintptr_t pc;
} counted;

PLAIN static void count(const void *at, size_t n, unsigned how, uintptr_t pc)
{
    if (counted.n++ == 0) {
        counted.first = at;
        counted.pc = pc;
    }
    counted.calls[how]++;
    counted.bytes[how] += n;
}

PLAIN static void watch(const void *at, size_t n)
{
    mpt_watch.access = count;
    mpt_watch.low = mpt_watch.range[0] = (struct core_watch_range){(uintptr_t)at, n};
    mpt_watch.n = 1;
}

/* Since the last such call: so many calls of one kind and bytes, from the first address on, and no others. */
PLAIN static void expect(unsigned how, unsigned calls, size_t bytes, const void *first, const char *what)
{
    if (counted.calls[how] != calls || counted.n != calls || counted.bytes[how] != bytes ||
        (calls && counted.first != first)) {
        fprintf(stderr, "%s: %u calls, %u of kind %u with %zu bytes from %p; expected %u with %zu from %p\n", what,
                counted.n, counted.calls[how], how, counted.bytes[how], (const void *)counted.first, calls, bytes,
                first);
        exit(1);
    }
    for (unsigned i = 0; i < 8; i++)
        counted.calls[i] = 0, counted.bytes[i] = 0;
    counted.n = 0;
}

#endif
