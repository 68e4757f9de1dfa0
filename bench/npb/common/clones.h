/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops worth compiling for more than the least processor of the architecture: the program picks the version when
 * it starts. Not under sanitizers, whose run-time isn't there yet when the choice is made, and not by Clang, which
 * until version 17 exports such functions by another name than their callers use.
 */
#ifndef NPB_CLONES_H
#define NPB_CLONES_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define NPB_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NPB_SANITIZED 1
#endif

#if defined(__x86_64__) && !defined(NPB_SANITIZED) && !defined(__clang__)
#define NPB_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define NPB_CLONES
#endif

/* Before a loop whose steps don't depend on each other, although the compiler can't know. */
#if defined(__clang__)
#define NPB_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define NPB_INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Before loops over five quantities or a few vectors, whose counters shall disappear. */
#if defined(__clang__)
#define NPB_UNROLL _Pragma("clang loop unroll(full)")
#else
#define NPB_UNROLL _Pragma("GCC unroll 8")
#endif

/* What the clones call must become part of them. */
#define NPB_INLINE __attribute__((always_inline)) static inline

#endif
