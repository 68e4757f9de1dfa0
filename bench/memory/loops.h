/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the measured loops are compiled: for several instruction sets, of which the machine that runs them takes the
 * best, since it isn't the machine that built them.
 */
#ifndef BENCH_MEMORY_LOOPS_H
#define BENCH_MEMORY_LOOPS_H

#if defined(__x86_64__)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

#endif
