/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The face of the Livermore kernels' program, in reading order: facts, data, variants, statistics, text.
 */
#ifndef LFK_H
#define LFK_H

#include "../common/bench.h"
#include "memory.h"

#define LFK_DIGITS 12    /* of a checksum that must be right, the test's own rule */
#define LFK_EXACT 16.90  /* what the test prints when all are */

/* ---- facts.c: spans, repetitions, flops, checksums ---- */

struct lfk_run {
    int span, weight, loop; /* `loop` repetitions lie between fresh data and the checksum */
    double checksum;
};

/* Sum over k = 1.. of k times the k-th double from `from` (its place in struct lfk, in doubles) on, for per*span + more
 * of them. */
struct lfk_sum {
    int from, per, more;
};

struct lfk_fact {
    const char *name;
    int flops; /* of one credited iteration */
    struct lfk_run run[LFK_SPANS]; /* long, medium, short */
    struct lfk_sum sums[3];
};
extern const struct lfk_fact lfk_facts[LFK_KERNELS];

/* Kernels count from 1. Flops of the run in `m`, all repetitions together: kernel 16 counts them itself. */
double lfk_flops(int kernel, const struct lfk_run *run, const struct lfk *m);
double lfk_checksum(int kernel, const struct lfk_run *run, const struct lfk *m);
/* Digits of `got` that are right, as the test prints them: LFK_EXACT when all are. */
double lfk_precision(double got, double right);

/* ---- data.c ---- */

/* The data with which a kernel begins at this span. */
void lfk_data(struct lfk *m, int kernel, int span);
/* Kernel 4's official checksum only sees its input: what it leaves in X(6), X(503) and X(1000), found another way. */
void lfk_expect_four(const struct lfk *fresh, const struct lfk_run *run, double x[3]);

/* ---- variants.c: who computes ---- */

struct lfk_variant {
    const char *name;     /* compiler and options */
    const char *language; /* C, Fortran */
    const char *beside;   /* options of the paper that this stands beside, or NULL */
    lfk_kernel *kernels[LFK_KERNELS];
};
extern const struct lfk_variant lfk_variants[];
extern const int lfk_variant_count;
/* False when C and Fortran don't agree about struct lfk. */
bool lfk_variants_agree(void);

/* ---- hand.c: kernels made faster by hand ---- */

struct lfk_hand {
    int kernel;
    const char *name; /* as published */
    const char *how;
    lfk_kernel *run;
};
extern const struct lfk_hand lfk_hands[];
extern const int lfk_hand_count;

/* ---- stats.c ---- */

struct lfk_sample {
    double rate; /* Mflop/s */
    double weight;
};

struct lfk_summary {
    double max, q3, mean, geometric, median, harmonic, q1, min;
};
/* Over LFK_KERNELS * LFK_SPANS samples, weighted. */
struct lfk_summary lfk_summary(const struct lfk_sample samples[LFK_KERNELS * LFK_SPANS]);

/* ---- text.c: as the paper prints it ---- */

struct lfk_row {
    int kernel;
    const struct lfk_run *run;
    double flops, time_us, rate, checksum, precision;
    struct bench_series times; /* us */
    enum bench_stop stop;
};
void lfk_print_head(FILE *f, const char *options);
void lfk_print_row(FILE *f, const struct lfk_row *r);
void lfk_print_summary(FILE *f, const struct lfk_summary *s);

#endif
