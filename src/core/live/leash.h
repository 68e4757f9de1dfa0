/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing of a job outlives its launcher, however that ends: a pipe whose writing
 * end only the launcher has. PR_SET_PDEATHSIG reaches its children alone, but PEs
 * may be started through scripts.
 */
#ifndef CORE_LEASH_H
#define CORE_LEASH_H

#include "core/mem/wire.h"

/* The launcher's part, before it starts PEs, which inherit the reading end. Returns the writing end (close-on-exec), to
 * be kept open; -1: there is none, and PEs behind scripts may outlive it. */
int core_leash_make(struct core_header *h);

/* A PE's part, before it is one: if this process was started as a PE, perhaps behind scripts, and may believe its
 * environment, hold. The descriptor stays for the programs that it becomes or starts, one of which may be the PE. Says
 * nothing. */
void core_leash_hold_early(void);

/* A PE's part: from now on the kernel kills this process when the pipe's writing end is gone; it may be computing. */
void core_leash_hold(const struct core_header *h);

#endif
