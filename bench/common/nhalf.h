/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hockney's two numbers by search: the largest rate (Rmax, r_inf) and the shortest message that reaches half of
 * it (N one-half), in words of 8 bytes.
 */
#ifndef BENCH_NHALF_H
#define BENCH_NHALF_H

#include <stdbool.h>

/* Rate in MB/s at messages of so many words: a median. Called by all PEs in the same order; same answer on all. */
typedef double bench_rate(void *arg, long words);

struct bench_nhalf {
    double r_inf;     /* MB/s */
    long r_inf_words; /* where it was seen */
    long words;       /* N one-half */
    double rate;      /* measured there */
};

/* Sizes 1, step, step^2 … up to max_words. The message where the rate is largest. */
void bench_rmax(bench_rate *rate, void *arg, long max_words, long step, struct bench_nhalf *out);
/* Needs out->r_inf, and raises it when it meets a higher rate. Doubling until half of it is reached, then bisection
 * over whole words. */
void bench_nhalf(bench_rate *rate, void *arg, long max_words, struct bench_nhalf *out);
/* How many rates the two ask for at most. */
int bench_rmax_cases(long max_words, long step);
int bench_nhalf_cases(long max_words);

#endif
