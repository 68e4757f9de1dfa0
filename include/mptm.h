/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libmptm: fast mathematics. Linked before libm (-lmptm -lm) it gives exp, log, sin, cos and sqrt of <math.h> faster
 * bodies, without a change to the program; and these functions work on whole vectors. Errors and rates:
 * docs/benchlib.md.
 */
#ifndef MPTM_H
#define MPTM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* y[i] <- f(x[i]) for i < n. y may be x, but must not overlap it otherwise. errno is left alone. */
void mptm_vexp(size_t n, const double *x, double *y);
void mptm_vlog(size_t n, const double *x, double *y);
void mptm_vsin(size_t n, const double *x, double *y);
void mptm_vcos(size_t n, const double *x, double *y);
void mptm_vsqrt(size_t n, const double *x, double *y);
void mptm_vrsqrt(size_t n, const double *x, double *y); /* 1 / sqrt(x) */
void mptm_vrecip(size_t n, const double *x, double *y); /* 1 / x */
/* z[i] <- x[i] to the power y[i]. */
void mptm_vpow(size_t n, const double *x, const double *y, double *z);

/* How the vectors are computed: "libmvec, 8 at a time", "libmvec, 4 at a time", "libmvec, 2 at a time" or "libm". */
const char *mptm_method(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
