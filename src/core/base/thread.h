/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the paths that every program passes ask about threads, and their full fence:
 * what compilers make of one costs up to twice as much there.
 */
#ifndef CORE_THREAD_H
#define CORE_THREAD_H

#include <stdbool.h>

#include "core/state.h"

/* Has this PE one thread? A later one sees all that this one did before it made it. Not 0: yes. Where the C library
 * knows that is its variable; of a task, beside whose thread those of others sleep, its own (core/task/run.c). */
static inline bool core_process_single(void)
{
    return *core_state.threads.single;
}

/* Compilers take an instruction on the word on top of the stack: in small functions
 * that is the return address, for which the return then waits. Or mfence. */
static inline void core_fence_full(void)
{
#if defined(__x86_64__)
    __asm__ volatile("lock orl $0, -8(%%rsp)" : : : "memory", "cc");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

#endif
