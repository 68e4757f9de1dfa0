/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPT paper's global reductions (tables 3 and 4), whatever the interface: of one word of each process, and the sum
 * of a vector of each by recursive doubling.
 */
#ifndef BENCH_REDUCTIONS_H
#define BENCH_REDUCTIONS_H

#include "bench.h"

#define BENCH_BY_HAND "all-put, all-get from PE 0"
#define BENCH_LOG2 "log2 reduction"
#define BENCH_VECTOR 100000 /* doubles */

/* ---- one word ---- */

enum bench_reduction { BENCH_GSUM, BENCH_GMAX, BENCH_GLAND, BENCH_REDUCTIONS };
#define BENCH_WORD_ROUNDS 2 /* of checking; in the second one process alone has a zero, where that matters */

const char *bench_reduction_name(enum bench_reduction r);
/* A process's word, so that the result shows who was left out; the result; and a result's computing from all words. */
long bench_reduction_word(enum bench_reduction r, int round, int me, int n);
long bench_reduction_due(enum bench_reduction r, int round, int n);
long bench_reduction_of(enum bench_reduction r, const volatile long *words, int n);

/* ---- the vector ---- */

void bench_vector_fill(double *vector, int me);
bool bench_vector_check(const double *sum, int n);
void bench_vector_add(double *sum, const double *in);

/* How one's sum gets to another process, and how the other's is waited for: added to one's own, or taken in its place.
 */
struct bench_doubling {
    void (*send)(int stage, int to);
    void (*add)(int stage, int from);
    void (*take)(int stage, int from);
};
/* Stages are numbered from 0, the last two are for processes beyond a power of two. Of each there is one message a
 * call. */
int bench_doubling_stages(int n);
void bench_doubling(const struct bench_doubling *d, int me, int n);

#endif
