/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the paths that every program passes ask about threads, and their full fence:
 * what compilers make of one costs up to twice as much there.
 */
#ifndef CORE_THREAD_H
#define CORE_THREAD_H

#include <stdbool.h>

/* Has this process one thread? A later one sees all that this one did before it made it. */
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
static inline bool core_process_single(void)
{
    return __libc_single_threaded;
}
#else
static inline bool core_process_single(void)
{
    return false;
}
#endif

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
