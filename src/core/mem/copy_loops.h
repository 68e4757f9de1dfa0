/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processor's own copy loops, for copy.c and swap.c only.
 */
#ifndef CORE_COPY_LOOPS_H
#define CORE_COPY_LOOPS_H

#include <stdbool.h>
#include <stddef.h>

typedef void core_copy_loop(void *to, const void *from, size_t n);

struct core_copy_loops {
    const char *name;
    bool (*usable)(void); /* on this processor */
    core_copy_loop *cached;    /* n > 64, both sides in the first level cache */
    core_copy_loop *stream;    /* any n, past the caches; ends by a fence */
};

/* The best first; ends by a row without a name. */
extern const struct core_copy_loops core_copy_loops[];

/* The same for copies that reverse the bytes of items of `width` (2, 4 or 8) bytes: how many of the
 * n >= 64 bytes they have done, whole items. */
struct core_swap_loops {
    const char *name;
    bool (*usable)(void);
    size_t (*swap)(char *to, const char *from, size_t width, size_t n);
};
extern const struct core_swap_loops core_swap_loops[];

/* Does streaming pay as soon as a copy outgrows a second level of this size, because what lies behind it is far from
 * the core, or because the loop itself knows how far to go past the caches? */
bool core_copy_streams_early(size_t second_level);

/* What core_copy_large calls for this size. */
core_copy_loop *core_copy_loop_for(size_t n);

#endif
