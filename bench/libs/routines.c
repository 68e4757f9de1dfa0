/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How each routine is called by its Fortran name, and what it counts: multiplications and additions by powers of n, as
 * LAPACK's own timing counts them (LAPACK working note 41). Real and complex routines take the same arguments.
 */
#include "libs.h"

/* The lengths of text arguments come last. */
typedef double norm_f(const int *, const double *, const int *);
typedef void axpy_f(const int *, const double *, const double *, const int *, double *, const int *);
typedef double ddot_f(const int *, const double *, const int *, const double *, const int *);
typedef double complex zdotu_f(const int *, const double *, const int *, const double *, const int *);
typedef void ger_f(const int *, const int *, const double *, const double *, const int *, const double *, const int *,
                   double *, const int *);
typedef void gemv_f(const char *, const int *, const int *, const double *, const double *, const int *, const double *,
                    const int *, const double *, double *, const int *, size_t);
typedef void trsv_f(const char *, const char *, const char *, const int *, const double *, const int *, double *,
                    const int *, size_t, size_t, size_t);
typedef void gemm_f(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
                    const int *, const double *, const int *, const double *, double *, const int *, size_t, size_t);
typedef void trsm_f(const char *, const char *, const char *, const char *, const int *, const int *, const double *,
                    const double *, const int *, double *, const int *, size_t, size_t, size_t, size_t);
typedef void getrf_f(const int *, const int *, double *, const int *, int *, int *);
typedef void potrf_f(const char *, const int *, double *, const int *, int *, size_t);
typedef void geqrf_f(const int *, const int *, double *, const int *, double *, double *, const int *, int *);
typedef void gehrd_f(const int *, const int *, const int *, double *, const int *, double *, double *, const int *,
                     int *);
typedef void sytrd_f(const char *, const int *, double *, const int *, double *, double *, double *, double *,
                     const int *, int *, size_t);
typedef void gebrd_f(const int *, const int *, double *, const int *, double *, double *, double *, double *, double *,
                     const int *, int *);

static const int one = 1;
static const double unit[2] = {1, 0}, zero[2] = {0, 0};
static const double small[2] = {0x1p-20, 0}; /* sums over many calls must not overflow */

/* Enough for blocks of 64 columns and what GEHRD keeps beside them. */
static int space(const struct work *w)
{
    return 64 * 2 * w->n + 8192;
}

static void call_norm(struct work *w)
{
    w->result = ((norm_f *)w->f)(&w->n, w->a, &one);
}

static void call_axpy(struct work *w)
{
    ((axpy_f *)w->f)(&w->n, small, w->a, &one, w->b, &one);
}

static void call_dot(struct work *w)
{
    if (w->is_complex)
        w->result = ((zdotu_f *)w->f)(&w->n, w->a, &one, w->b, &one);
    else
        w->result = ((ddot_f *)w->f)(&w->n, w->a, &one, w->b, &one);
}

static void call_ger(struct work *w)
{
    ((ger_f *)w->f)(&w->n, &w->n, small, w->b, &one, w->c, &one, w->a, &w->n);
}

static void call_gemv(struct work *w)
{
    ((gemv_f *)w->f)("N", &w->n, &w->n, unit, w->a, &w->n, w->b, &one, zero, w->c, &one, 1);
}

static void call_trsv(struct work *w)
{
    ((trsv_f *)w->f)("U", "N", "N", &w->n, w->a, &w->n, w->b, &one, 1, 1, 1);
}

static void call_gemm(struct work *w)
{
    ((gemm_f *)w->f)("N", "N", &w->n, &w->n, &w->n, unit, w->a, &w->n, w->b, &w->n, zero, w->c, &w->n, 1, 1);
}

static void call_trsm(struct work *w)
{
    ((trsm_f *)w->f)("L", "U", "N", "N", &w->n, &w->n, unit, w->a, &w->n, w->b, &w->n, 1, 1, 1, 1);
}

static void call_getrf(struct work *w)
{
    ((getrf_f *)w->f)(&w->n, &w->n, w->a, &w->n, w->pivot, &w->info);
}

static void call_potrf(struct work *w)
{
    ((potrf_f *)w->f)(&w->uplo, &w->n, w->a, &w->n, &w->info, 1);
}

static void call_geqrf(struct work *w)
{
    const int length = space(w);

    ((geqrf_f *)w->f)(&w->n, &w->n, w->a, &w->n, w->tau, w->space, &length, &w->info);
}

static void call_gehrd(struct work *w)
{
    const int length = space(w);

    ((gehrd_f *)w->f)(&w->n, &one, &w->n, w->a, &w->n, w->tau, w->space, &length, &w->info);
}

static void call_sytrd(struct work *w)
{
    const int length = space(w);

    ((sytrd_f *)w->f)(&w->uplo, &w->n, w->a, &w->n, w->d, w->e, w->tau, w->space, &length, &w->info, 1);
}

static void call_gebrd(struct work *w)
{
    const int length = space(w);

    ((gebrd_f *)w->f)(&w->n, &w->n, w->a, &w->n, w->d, w->e, w->tau, w->tau + 2 * w->n, w->space, &length, &w->info);
}

/* Complex: 6 for a multiplication, 2 for an addition. */
double routine_flops(const struct routine *r, long n)
{
    double multiply = 0, add = 0, power = 1;

    for (int i = 0; i < 4; i++, power *= (double)n) {
        multiply += r->multiply[i] * power;
        add += r->add[i] * power;
    }
    return r->is_complex ? 6 * multiply + 2 * add : multiply + add;
}

#define N1 {0, 1}
#define N2 {0, 0, 1}
#define N3 {0, 0, 0, 1}
#define HALF_N2 {0, 0, 0.5}
#define HALF_N3 {0, 0, 0, 0.5}
#define END {NULL, NULL, false, 0, VECTORS, NOTHING, false, false, NULL, NULL, {0}, {0}}

const struct routine routines_vectors[] = {
    {"SASUM", "dasum_", false, 0, VECTORS, NOTHING, true, false, call_norm, right_asum, N1, N1},
    {"SNRM2", "dnrm2_", false, 0, VECTORS, NOTHING, true, false, call_norm, right_nrm2, N1, N1},
    {"SAXPY", "daxpy_", false, 0, VECTORS, B, true, false, call_axpy, right_axpy, N1, N1},
    {"CAXPY", "zaxpy_", true, 0, VECTORS, B, true, false, call_axpy, right_axpy, N1, N1},
    {"SDOT", "ddot_", false, 0, VECTORS, NOTHING, true, false, call_dot, right_dot, N1, N1},
    {"CDOTU", "zdotu_", true, 0, VECTORS, NOTHING, true, false, call_dot, right_dot, N1, N1},
    END,
};

const struct routine routines_asymptotic[] = {
    {"SNRM2", "dnrm2_", false, 0, VECTORS, NOTHING, true, false, call_norm, right_nrm2, N1, N1},
    {"SAXPY", "daxpy_", false, 0, VECTORS, B, true, false, call_axpy, right_axpy, N1, N1},
    {"CAXPY", "zaxpy_", true, 0, VECTORS, B, true, false, call_axpy, right_axpy, N1, N1},
    {"SDOT", "ddot_", false, 0, VECTORS, NOTHING, true, false, call_dot, right_dot, N1, N1},
    {"CDOTU", "zdotu_", true, 0, VECTORS, NOTHING, true, false, call_dot, right_dot, N1, N1},
    {"SGER", "dger_", false, 0, MATRIX_AND_VECTORS, A, true, false, call_ger, right_ger, N2, N2},
    {"SGEMV", "dgemv_", false, 0, MATRIX_AND_VECTORS, C, true, false, call_gemv, right_gemv, N2, N2},
    {"STRSV", "dtrsv_", false, 'U', MATRIX_AND_VECTORS, B, false, true, call_trsv, right_trsv, HALF_N2, HALF_N2},
    {"SGEMM", "dgemm_", false, 0, MATRICES, C, true, false, call_gemm, right_gemm, N3, N3},
    {"STRSM", "dtrsm_", false, 'U', MATRICES, B, false, true, call_trsm, right_trsm, HALF_N3, HALF_N3},
    END,
};

#define GETRF {0, 2.0 / 3, 0, 1.0 / 3}, {0, 1.0 / 6, -0.5, 1.0 / 3}
#define POTRF {0, 1.0 / 3, 0.5, 1.0 / 6}, {0, -1.0 / 6, 0, 1.0 / 6}
#define GEQRF {0, 23.0 / 6, 1.5, 2.0 / 3}, {0, 5.0 / 6, 0.5, 2.0 / 3}
#define GEHRD {-13, -7.0 / 6, 0.5, 5.0 / 3}, {-8, -2.0 / 3, -1, 5.0 / 3}
#define SYTRD {-15, -1.0 / 6, 2.5, 2.0 / 3}, {-4, -8.0 / 3, 1, 2.0 / 3}
#define GEBRD {0, 20.0 / 3, 2, 4.0 / 3}, {0, 5.0 / 3, 0, 4.0 / 3}

const struct routine routines_lapack[] = {
    {"SGEMM", "dgemm_", false, 0, MATRICES, C, true, false, call_gemm, right_gemm, N3, N3},
    {"SGETRF", "dgetrf_", false, 0, MATRICES, A, false, false, call_getrf, right_getrf, GETRF},
    {"SPOTRF(U)", "dpotrf_", false, 'U', MATRICES, A, false, true, call_potrf, right_potrf, POTRF},
    {"SPOTRF(L)", "dpotrf_", false, 'L', MATRICES, A, false, true, call_potrf, right_potrf, POTRF},
    {"SGEQRF", "dgeqrf_", false, 0, MATRICES, A, false, false, call_geqrf, right_geqrf, GEQRF},
    {"SGEHRD", "dgehrd_", false, 0, MATRICES, A, false, false, call_gehrd, right_gehrd, GEHRD},
    {"SSYTRD(U)", "dsytrd_", false, 'U', MATRICES, A, false, true, call_sytrd, right_sytrd, SYTRD},
    {"SSYTRD(L)", "dsytrd_", false, 'L', MATRICES, A, false, true, call_sytrd, right_sytrd, SYTRD},
    {"SGEBRD", "dgebrd_", false, 0, MATRICES, A, false, false, call_gebrd, right_gebrd, GEBRD},
    {"CGEMM", "zgemm_", true, 0, MATRICES, C, true, false, call_gemm, right_gemm, N3, N3},
    {"CGETRF", "zgetrf_", true, 0, MATRICES, A, false, false, call_getrf, right_getrf, GETRF},
    {"CPOTRF(U)", "zpotrf_", true, 'U', MATRICES, A, false, true, call_potrf, right_potrf, POTRF},
    {"CPOTRF(L)", "zpotrf_", true, 'L', MATRICES, A, false, true, call_potrf, right_potrf, POTRF},
    {"CGEQRF", "zgeqrf_", true, 0, MATRICES, A, false, false, call_geqrf, right_geqrf, GEQRF},
    {"CGEHRD", "zgehrd_", true, 0, MATRICES, A, false, false, call_gehrd, right_gehrd, GEHRD},
    {"CHETRD(U)", "zhetrd_", true, 'U', MATRICES, A, false, true, call_sytrd, right_sytrd, SYTRD},
    {"CHETRD(L)", "zhetrd_", true, 'L', MATRICES, A, false, true, call_sytrd, right_sytrd, SYTRD},
    {"CGEBRD", "zgebrd_", true, 0, MATRICES, A, false, false, call_gebrd, right_gebrd, GEBRD},
    END,
};
