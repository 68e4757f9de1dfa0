/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Large blocks of the program's malloc, from the arena (malloc.c). The struct is an
 * exported symbol of libmpt: a library that has the names malloc, free, ... adds
 * itself to `fronts` before the job starts and calls what is here.
 */
#ifndef CORE_MALLOC_H
#define CORE_MALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core_malloc_front {
    const char *name; /* NULL: the end */
    void *function;
};
struct core_malloc {
    size_t min; /* SIZE_MAX: nothing is asked for yet; else blocks of this size or more may be */
    uintptr_t lo; /* [lo, lo + n): what must be released and resized here, once something came from here */
    size_t n;
    void *(*alloc)(size_t n, size_t align); /* NULL: take it from elsewhere */
    void *(*alloc_zero)(size_t n);
    void (*release)(void *p);
    bool (*resize)(void *p, size_t n); /* where it lies; false: it has no room */
    size_t (*size)(const void *p);
    const struct core_malloc_front *fronts[4]; /* the last is NULL */
};
extern struct core_malloc mpt_malloc __attribute__((visibility("default")));
/* From now on, where that is wanted and every name is the process's own. Harmless when repeated. */
void core_malloc_start(void);
/* The same for blocks of a page and more, whatever the parameters say. */
void core_malloc_start_all(void);

#endif
