/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo with strides of the T3E-900 study, whatever the interface: which strides, and what is said of their rates.
 */
#ifndef BENCH_STRIDES_H
#define BENCH_STRIDES_H

#include "bench.h"

/* --message-bytes, --first-stride and --last-stride: 256 KiB as on the T3E, where strides went from 1 to 32. */
extern const struct bench_option bench_strides_options[];
extern struct bench_strides_range {
    long bytes, first, last;
} bench_strides_range;
/* What is wrong with the options, or NULL. */
const char *bench_strides_wrong(void);

#define BENCH_STRIDE_MAX ((int)bench_strides_range.last)
#define BENCH_STRIDE_DOUBLES ((int)(bench_strides_range.bytes / (long)sizeof(double))) /* of a message */

/* Bytes that the doubles of a message span, and at most. */
#define BENCH_STRIDE_SPAN(stride) (((size_t)(BENCH_STRIDE_DOUBLES - 1) * (size_t)(stride) + 1) * sizeof(double))
#define BENCH_STRIDE_LARGEST ((size_t)BENCH_STRIDE_DOUBLES * BENCH_STRIDE_MAX * sizeof(double))

#define BENCH_STRIDES 64 /* at most */
struct bench_strides {
    int n, stride[BENCH_STRIDES];
    double rate[BENCH_STRIDES]; /* MB/s of payload */
    bool right;
};

/* The stride after this one (0: the first), 0 at the end: all from first to last, with --quick some of each class. */
int bench_next_stride(int stride);
int bench_strides_count(void);
void bench_strides_add(struct bench_strides *s, int stride, double rate, bool right);
/*
 * Of strides from 1 to 32: the rate of each class (odd but not 1; multiples of 2, 4, 8, but of no higher of them), how
 * much faster stride 1 is than 32, the stride from which on the rate stays the same, and the lowest and highest from 16
 * on, where each double is in a cache line of its own on the Origin. Of others: nothing.
 */
void bench_strides_report(const struct bench_params *base, const struct bench_strides *s);

/* Doubles `stride` apart that say whose they are; the first `BENCH_STRIDE_DOUBLES` of them. */
void bench_strides_fill(double *to, int stride, int who, int round);
bool bench_strides_check(const double *at, int stride, int who, int round);

#endif
