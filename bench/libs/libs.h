/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The mathematics libraries' rates: what the program's files share. A library is a file loaded while the program runs,
 * so that several with the same names stand beside each other.
 */
#ifndef LIBS_H
#define LIBS_H

#include "../common/bench.h"

#include <complex.h>

/* ---- load.c ---- */

struct library {
    const char *name;           /* in the records, and for --library */
    const char *blas, *lapack;  /* files; the second may be NULL, when the first has both */
    double quick_flops, flops;  /* the longest case: where it can't keep up, orders are smaller */
    void *handles[2];
};

/* Ended by a NULL name. */
extern struct library libraries[];
extern const char *const fftw_file; /* or NULL */
/* False when it can't be loaded, with the reason on standard error. */
bool library_open(struct library *l);
/* A routine by its Fortran name; never NULL: what lacks one ends the program. */
void *library_find(const struct library *l, const char *routine);
void *file_open(const char *path);

/* ---- routines.c: how each routine is called ---- */

enum shape { VECTORS, MATRIX_AND_VECTORS, MATRICES };
enum writes { NOTHING, A, B, C };

struct work {
    void *f;
    int n;
    bool is_complex;
    char uplo;
    double *a, *b, *c;            /* operands */
    double *original;             /* of the one that is overwritten, or NULL */
    double *tau, *d, *e, *space;  /* LAPACK's */
    int *pivot, info;
    double complex result;
};

struct routine {
    const char *published, *name; /* in the paper; today's, of 64 bits */
    bool is_complex;
    char uplo;
    enum shape shape;
    enum writes writes;
    bool again;     /* the overwritten operand may be used once more */
    bool hermitian; /* and positive definite */
    void (*call)(struct work *w);
    bool (*right)(const struct work *w); /* after one call with the original operands */
    double multiply[4], add[4]; /* how many, by powers of n */
};

extern const struct routine routines_vectors[], routines_asymptotic[], routines_lapack[];
double routine_flops(const struct routine *r, long n);

/* ---- check.c ---- */

bool right_asum(const struct work *w);
bool right_nrm2(const struct work *w);
bool right_axpy(const struct work *w);
bool right_dot(const struct work *w);
bool right_ger(const struct work *w);
bool right_gemv(const struct work *w);
bool right_trsv(const struct work *w);
bool right_gemm(const struct work *w);
bool right_trsm(const struct work *w);
bool right_getrf(const struct work *w);
bool right_potrf(const struct work *w);
bool right_geqrf(const struct work *w);
bool right_gehrd(const struct work *w);
bool right_sytrd(const struct work *w);
bool right_gebrd(const struct work *w);

/* ---- fft.c ---- */

int fft_cases(int longest);
/* Rates of lengths 64 ... longest, in cache and from memory. False when a result was wrong. */
bool fft_run(int longest);

#endif
