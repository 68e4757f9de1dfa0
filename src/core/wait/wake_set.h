/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waking many PEs at once. PEs that are tasks of one process have a bit each on its board: all of them are woken by an
 * atomic instruction or two.
 */
#ifndef CORE_WAKE_SET_H
#define CORE_WAKE_SET_H

#include <stdbool.h>

struct core_wake_set;

/* The PEs of this node among pes[0 .. n), without the caller; pe is called for i in [0, n). NULL: none of them is a
 * task, or there is no memory: wake them one by one. */
struct core_wake_set *core_wake_set_make(int n, int pe(const void *arg, int i), const void *arg);
void core_wake_set_free(struct core_wake_set *s); /* NULL is fine */

/* As core_wake of each. */
void core_wake_set(const struct core_wake_set *s);

#endif
