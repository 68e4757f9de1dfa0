/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With MPT_CHECK: a thread that does nothing but test in vain says so beside the waits of its PE (blocked.h), for the
 * report of a job that is ended. It counts as one that may go on by itself: a clock may end such a loop.
 */
#ifndef CORE_LOOP_H
#define CORE_LOOP_H

struct core_blocked_by;

/* One more, in this call; by: says what it tests for, or NULL. */
void core_loop_test(const char *where, const struct core_blocked_by *by);
/* This thread has done something else. */
void core_loop_over(void);

#endif
