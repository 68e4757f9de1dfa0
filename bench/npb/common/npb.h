/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the NAS parallel benchmarks share: the random numbers, memory, small reductions, and the frame that
 * runs a kernel, times it, has it verify itself and writes its records. See ../README.md for the method.
 */
#ifndef NPB_H
#define NPB_H

#include "../../common/job.h"

#include <stdbool.h>
#include <stdint.h>

enum npb_class { NPB_S, NPB_W, NPB_A, NPB_B, NPB_C, NPB_CLASSES };

/* ---- program.c ---- */

struct npb_kernel {
    const char *name, *purpose;  /* name as in the test's, "EP" */
    enum npb_class quick, usual; /* the class without --class, with and without --quick */
    const char *also;            /* another test whose time the one of class A is, or NULL */
    /* Why so many PEs can't run that class, or NULL when they can. NULL itself: any number can. */
    const char *(*unfit)(enum npb_class c, int npes);
    /* Once, untimed: memory, tables, one run to touch them where that matters. */
    void (*setup)(enum npb_class c);
    /* Before each run, untimed: the state to start from. */
    void (*prepare)(void);
    /* Timed, on all PEs after a barrier. */
    void (*run)(void);
    /* After each run, untimed: whether this PE's results are right; what is wrong goes to stderr. */
    bool (*verify)(void);
    /* Operations of a run as NPB 2 and 3 count them. */
    double (*operations)(enum npb_class c);
};

/* All members but `also`, `unfit` and `prepare` must be there. Returns the exit status. */
int npb_main(int argc, char **argv, const struct npb_kernel *k);
/* The same within a relative error. PE 0 says on stderr what differs. */
bool npb_same(const char *what, double got, double expected, double tolerance);

/* ---- memory.c: zeroed, aligned to pages; ends the job when there is none ---- */

/* Symmetric: the same size on all PEs. Collective. */
void *npb_symmetric(size_t bytes);
void *npb_private(size_t bytes);

/* ---- share.c ---- */

/* The part of 0 … n - 1 that PE `part` of `parts` has: *from and how many. The first parts are at most one larger. */
long npb_part(long n, int parts, int part, long *from);
/* Whose part element i is in. */
int npb_part_of(long n, int parts, long i);

#define NPB_SUMS 128
/* v[i] := its sum over all PEs, the same on each. n <= NPB_SUMS. Collective, and no PE leaves before all have come. */
void npb_sum(double *v, int n);
double npb_sum1(double v);

/* ---- random.c: x := a x mod 2^46, a number of (0, 1) is x / 2^46 ---- */

#define NPB_RANDOM_A 1220703125ull /* 5^13 */
#define NPB_RANDOM_MASK ((1ull << 46) - 1)
#define NPB_RANDOM_SEED 314159265ull /* of all kernels but EP */

static inline uint64_t npb_random_times(uint64_t a, uint64_t x)
{
    return a * x & NPB_RANDOM_MASK; /* 2^46 divides 2^64 */
}

/* The next of the sequence; x is the state. */
static inline double npb_random(uint64_t *x)
{
    *x = npb_random_times(NPB_RANDOM_A, *x);
    return (double)*x * 0x1p-46;
}

/* a^n mod 2^46 */
uint64_t npb_random_power(uint64_t n);
/* The state after n more numbers. */
uint64_t npb_random_skip(uint64_t x, uint64_t n);

#endif
