/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a routine's result is right, without another library: vectors are computed again; products and factors are
 * applied to a vector; what a similarity or an orthogonal transformation leaves unchanged is compared.
 */
#include "libs.h"

#include <stdlib.h>

#define TOLERANCE 1e-10

enum part { ALL, UPPER, LOWER, UNIT_LOWER };

static inline double complex at(const struct work *w, const double *m, size_t i)
{
    return w->is_complex ? m[2 * i] + m[2 * i + 1] * I : m[i];
}

static bool close_to(double complex got, double complex expected, double scale)
{
    return cabs(got - expected) <= TOLERANCE * scale; /* not for a NAN */
}

/* ---- vectors ---- */

bool right_asum(const struct work *w)
{
    double sum = 0;

    for (int i = 0; i < w->n; i++)
        sum += fabs(w->a[i]);
    return close_to(w->result, sum, sum);
}

bool right_nrm2(const struct work *w)
{
    double sum = 0;

    for (int i = 0; i < w->n; i++)
        sum += w->a[i] * w->a[i];
    return close_to(w->result, sqrt(sum), sqrt(sum));
}

bool right_dot(const struct work *w)
{
    double complex sum = 0;
    double scale = 0;

    for (int i = 0; i < w->n; i++) {
        const double complex p = at(w, w->a, (size_t)i) * at(w, w->b, (size_t)i);

        sum += p;
        scale += cabs(p);
    }
    return close_to(w->result, sum, scale);
}

bool right_axpy(const struct work *w)
{
    for (size_t i = 0; i < (size_t)w->n; i++)
        if (!close_to(at(w, w->b, i), at(w, w->original, i) + 0x1p-20 * at(w, w->a, i), 1))
            return false;
    return true;
}

bool right_ger(const struct work *w)
{
    const size_t n = (size_t)w->n;

    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            if (!close_to(at(w, w->a, i + j * n),
                          at(w, w->original, i + j * n) + 0x1p-20 * at(w, w->b, i) * at(w, w->c, j), 1))
                return false;
    return true;
}

/* ---- matrices times a vector ---- */

static double complex *vector(const struct work *w)
{
    double complex *const v = calloc((size_t)w->n, sizeof *v);

    if (!v) {
        fprintf(stderr, "libs: no memory for a vector of %d\n", w->n);
        exit(2);
    }
    return v;
}

/* A new vector: part of `m`, or its conjugate transpose, times v, which is freed. */
static double complex *times(const struct work *w, const double *m, enum part part, bool adjoint, double complex *v)
{
    const int n = w->n;
    double complex *const out = vector(w);

    for (int j = 0; j < n; j++) {
        const int from = part == LOWER ? j : part == UNIT_LOWER ? j + 1 : 0, to = part == UPPER ? j + 1 : n;

        for (int i = from; i < to; i++) {
            const double complex e = at(w, m, (size_t)i + (size_t)j * (size_t)n);

            if (adjoint)
                out[j] += conj(e) * v[i];
            else
                out[i] += e * v[j];
        }
        if (part == UNIT_LOWER)
            out[j] += v[j];
    }
    free(v);
    return out;
}

/* The vector that all are applied to, or a copy of a real or complex one. */
static double complex *some(const struct work *w, const double *values)
{
    double complex *const v = vector(w);

    for (int i = 0; i < w->n; i++)
        v[i] = values ? at(w, values, (size_t)i) : 1 + 0.5 * (i % 7) - 0.25 * (i % 5);
    return v;
}

/* Frees both. */
static bool same(const struct work *w, double complex *got, double complex *expected)
{
    double scale = 0, off = 0;

    for (int i = 0; i < w->n; i++) {
        scale = fmax(scale, cabs(expected[i]));
        off = fmax(off, isnan(cabs(got[i])) ? INFINITY : cabs(got[i] - expected[i]));
    }
    free(got);
    free(expected);
    return off <= TOLERANCE * scale && w->info == 0;
}

bool right_gemv(const struct work *w)
{
    return same(w, some(w, w->c), times(w, w->a, ALL, false, some(w, w->b)));
}

bool right_trsv(const struct work *w)
{
    return same(w, times(w, w->a, UPPER, false, some(w, w->b)), some(w, w->original));
}

bool right_gemm(const struct work *w)
{
    return same(w, times(w, w->c, ALL, false, some(w, NULL)),
                times(w, w->a, ALL, false, times(w, w->b, ALL, false, some(w, NULL))));
}

bool right_trsm(const struct work *w)
{
    return same(w, times(w, w->a, UPPER, false, times(w, w->b, ALL, false, some(w, NULL))),
                times(w, w->original, ALL, false, some(w, NULL)));
}

/* P L U: exchanges are undone in reverse order. */
bool right_getrf(const struct work *w)
{
    double complex *const v = times(w, w->a, UNIT_LOWER, false, times(w, w->a, UPPER, false, some(w, NULL)));

    for (int i = w->n - 1; i >= 0; i--) {
        const double complex t = v[i];

        v[i] = v[w->pivot[i] - 1];
        v[w->pivot[i] - 1] = t;
    }
    return same(w, v, times(w, w->original, ALL, false, some(w, NULL)));
}

bool right_potrf(const struct work *w)
{
    const enum part part = w->uplo == 'U' ? UPPER : LOWER;

    return same(w, times(w, w->a, part, part == UPPER, times(w, w->a, part, part == LOWER, some(w, NULL))),
                times(w, w->original, ALL, false, some(w, NULL)));
}

/* Q drops out: R'R = A'A. */
bool right_geqrf(const struct work *w)
{
    return same(w, times(w, w->a, UPPER, true, times(w, w->a, UPPER, false, some(w, NULL))),
                times(w, w->original, ALL, true, times(w, w->original, ALL, false, some(w, NULL))));
}

/* ---- what transformations leave unchanged ---- */

static double square(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

/* Sums over the rows 0 ... j + below of each column j: of the diagonal, of the squares, and the trace of the square. */
static void invariants(const struct work *w, const double *m, int below, double complex *trace, double *squares,
                       double complex *trace2)
{
    const int n = w->n;

    *trace = *trace2 = *squares = 0;
    for (int j = 0; j < n; j++) {
        *trace += at(w, m, (size_t)j * (size_t)(n + 1));
        for (int i = 0; i < n && i <= j + below; i++) {
            const double complex e = at(w, m, (size_t)i + (size_t)j * (size_t)n);

            *squares += square(e);
            if (j <= i + below)
                *trace2 += e * at(w, m, (size_t)j + (size_t)i * (size_t)n);
        }
    }
}

bool right_gehrd(const struct work *w)
{
    double complex trace, trace2, trace_h, trace2_h;
    double squares, squares_h;

    invariants(w, w->original, w->n, &trace, &squares, &trace2);
    invariants(w, w->a, 1, &trace_h, &squares_h, &trace2_h);
    return close_to(trace_h, trace, sqrt(squares)) && close_to(squares_h, squares, squares) &&
           close_to(trace2_h, trace2, squares) && w->info == 0;
}

bool right_sytrd(const struct work *w)
{
    double complex trace, trace2;
    double squares, sum = 0, sum2 = 0;

    invariants(w, w->original, w->n, &trace, &squares, &trace2);
    for (int i = 0; i < w->n; i++) {
        sum += w->d[i];
        sum2 += w->d[i] * w->d[i] + (i + 1 < w->n ? 2 * w->e[i] * w->e[i] : 0);
    }
    return close_to(sum, trace, cabs(trace)) && close_to(sum2, squares, squares) && w->info == 0;
}

/* The norm of A, and that of A'A, which is tridiagonal after the transformation. */
bool right_gebrd(const struct work *w)
{
    const size_t n = (size_t)w->n;
    double squares = 0, squares_b = 0, fourth = 0, fourth_b = 0;

    for (size_t i = 0; i < n; i++) {
        const double d = w->d[i], e = i > 0 ? w->e[i - 1] : 0, product = i + 1 < n ? d * w->e[i] : 0;

        squares_b += d * d + e * e;
        fourth_b += (d * d + e * e) * (d * d + e * e) + 2 * product * product;
    }
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k <= j; k++) {
            double complex sum = 0;

            for (size_t i = 0; i < n; i++)
                sum += conj(at(w, w->original, i + j * n)) * at(w, w->original, i + k * n);
            fourth += (j == k ? 1 : 2) * square(sum);
            squares += j == k ? creal(sum) : 0;
        }
    return close_to(squares_b, squares, squares) && close_to(fourth_b, fourth, fourth) && w->info == 0;
}
