/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fibers: a function that waits in its middle and goes on later, on a stack of its
 * own. A body that was written for a blocking call serves a nonblocking one that
 * way: its waits yield, and progress resumes it. One that is not running
 * may be resumed by any thread; their owner keeps threads apart.
 */
#ifndef CORE_WAIT_FIBER_H
#define CORE_WAIT_FIBER_H

#include <stdbool.h>

#include "core/state.h"

struct core_fiber;

/* NULL: out of memory. Its stack takes memory as it is used, up to 1 MiB. */
struct core_fiber *core_fiber_new(void);
void core_fiber_free(struct core_fiber *f); /* not in the middle of a body */

/* What it runs when it is resumed next. Not in the middle of another body. */
void core_fiber_set(struct core_fiber *f, void (*body)(void *arg), void *arg);
/* Run on until the body yields (false) or has ended (true). Not by a fiber. */
bool core_fiber_resume(struct core_fiber *f);

/* The fiber that this thread runs; NULL: none. */
static inline struct core_fiber *core_fiber_running(void)
{
    return core_thread.wait.fiber;
}
/* Back to where it was resumed. */
void core_fiber_yield(void);

#endif
