/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the paths that every program passes ask about threads, and their full fence:
 * what compilers make of one costs up to twice as much there.
 */
#ifndef CORE_THREAD_H
#define CORE_THREAD_H

#include <features.h>
#include <stdbool.h>

/* Has this process one thread? A later one sees all that this one did before it made it. glibc tells from 2.32 on; a
 * library built for an older one (packaging/wheel) finds out at run time whether the variable is there. */
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
static inline bool core_process_single(void)
{
    return __libc_single_threaded;
}
#elif defined(__GLIBC__)
extern char __libc_single_threaded __attribute__((weak)); /* NOLINT(bugprone-reserved-identifier) */
static inline bool core_process_single(void)
{
    return &__libc_single_threaded && __libc_single_threaded;
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
