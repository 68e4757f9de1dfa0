/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo with strides of the T3E-900 study, whatever the interface: which strides, and what is said of their rates.
 */
#ifndef BENCH_STRIDES_H
#define BENCH_STRIDES_H

#include "bench.h"

#define BENCH_STRIDE_MAX 32
#define BENCH_STRIDE_DOUBLES 32768 /* of a message: 256 KiB, as on the T3E */

struct bench_strides {
    int n, stride[BENCH_STRIDE_MAX];
    double rate[BENCH_STRIDE_MAX]; /* MB/s of payload */
    bool right;
};

/* The stride after this one (0: the first), 0 at the end: all up to 32, with --quick some of each class. */
int bench_next_stride(int stride);
int bench_strides_count(void);
void bench_strides_add(struct bench_strides *s, int stride, double rate, bool right);
/*
 * The rate of each class (odd but not 1; multiples of 2, 4, 8, but of no higher of them), how much faster stride 1 is than
 * 32, and the stride from which on the rate stays the same.
 */
void bench_strides_report(const struct bench_params *base, const struct bench_strides *s);

/* Doubles `stride` apart that say whose they are; the first `BENCH_STRIDE_DOUBLES` of them. */
void bench_strides_fill(double *to, int stride, int who, int round);
bool bench_strides_check(const double *at, int stride, int who, int round);

#endif
