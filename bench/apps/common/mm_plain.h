/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The multiply's local loop as the system's C compiler compiles it, and its speed beside another one's.
 */
#ifndef BENCH_APP_MM_PLAIN_H
#define BENCH_APP_MM_PLAIN_H

typedef void mm_loop(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n]);

/* Measures `loop`, compiled by `compiler`, and the plain one in turns, and writes the records. By one process. */
void mm_compare(const char *compiler, mm_loop *loop, double budget_ns);

#endif
