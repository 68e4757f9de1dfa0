/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The public vector functions: the table of this processor, chosen when the program starts; and their Fortran names.
 */
#include <mptm.h>

#include "mptm/vector.h"

static const struct mptm_vectors *chosen = &mptm_vectors_base;

__attribute__((constructor)) static void choose(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        chosen = &mptm_vectors_avx512;
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        chosen = &mptm_vectors_avx2;
#endif
}

const char *mptm_method(void)
{
    return chosen->method;
}

/* Fortran passes the count by reference. */
#define VECTOR(name)                                                                                       \
    void mptm_v##name(size_t n, const double *x, double *y)                                                \
    {                                                                                                      \
        chosen->name(n, x, y);                                                                             \
    }                                                                                                      \
    __attribute__((visibility("default"))) void mptm_v##name##_(const int *n, const double *x, double *y); \
    void mptm_v##name##_(const int *n, const double *x, double *y)                                         \
    {                                                                                                      \
        if (*n > 0)                                                                                        \
            chosen->name((size_t)*n, x, y);                                                                \
    }
VECTOR(exp)
VECTOR(log)
VECTOR(sin)
VECTOR(cos)
VECTOR(sqrt)
VECTOR(rsqrt)
VECTOR(recip)

void mptm_vpow(size_t n, const double *x, const double *y, double *z)
{
    chosen->pow(n, x, y, z);
}

__attribute__((visibility("default"))) void mptm_vpow_(const int *n, const double *x, const double *y, double *z);
void mptm_vpow_(const int *n, const double *x, const double *y, double *z)
{
    if (*n > 0)
        chosen->pow((size_t)*n, x, y, z);
}
