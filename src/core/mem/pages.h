/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pages of the job's memory that go back to the system, for all processes that map them.
 */
#ifndef CORE_PAGES_H
#define CORE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* n bytes at p, whole pages. True: they read as zero from now on. False: they may hold what they held, as those of a
 * forked child, of a program that locks its memory (mlockall), or below an emulator. */
bool core_pages_drop(void *p, size_t n);

/* The same, but they read as zero in any case. Not for forked children, whose memory is theirs alone. */
void core_pages_clear(void *p, size_t n);

#endif
