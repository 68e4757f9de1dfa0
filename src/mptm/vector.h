/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The vector functions as a table, one for each instruction set.
 */
#ifndef MPTM_VECTOR_H
#define MPTM_VECTOR_H

#include <stddef.h>

struct mptm_vectors {
    const char *method;
    void (*exp)(size_t n, const double *x, double *y);
    void (*log)(size_t n, const double *x, double *y);
    void (*sin)(size_t n, const double *x, double *y);
    void (*cos)(size_t n, const double *x, double *y);
    void (*sqrt)(size_t n, const double *x, double *y);
    void (*rsqrt)(size_t n, const double *x, double *y);
    void (*recip)(size_t n, const double *x, double *y);
    void (*pow)(size_t n, const double *x, const double *y, double *z);
};
extern const struct mptm_vectors mptm_vectors_avx512, mptm_vectors_avx2, mptm_vectors_base;

#endif
