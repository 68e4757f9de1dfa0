/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The seed's loops in plain C: what a compiler makes of them is what is measured. STREAM's four kernels are held to
 * its rules: no assembly, no library calls in the source.
 */
#include "memory.h"

#include "loops.h"

#define KERNEL(name, statement)                                                                      \
    CLONES void name(double *restrict a, double *restrict b, double *restrict c, double s, size_t n) \
    {                                                                                                \
        for (size_t i = 0; i < n; i++)                                                               \
            statement;                                                                               \
        (void)a, (void)b, (void)c, (void)s;                                                          \
    }
KERNEL(mem_copy, c[i] = a[i])
KERNEL(mem_scale, b[i] = s * c[i])
KERNEL(mem_add, c[i] = a[i] + b[i])
KERNEL(mem_triad, a[i] = b[i] + s * c[i])

CLONES void mem_plain_copy(double *restrict y, const double *restrict x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i];
}

CLONES void mem_plain_set(double *x, double value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = value;
}

/* Column by column as Fortran stores them: b(i,j) = a(j,i). */
CLONES void mem_plain_transpose(double *restrict b, const double *restrict a, size_t lda, size_t n)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            b[j * lda + i] = a[i * lda + j];
}

CLONES void mem_plain_in_place(double *a, size_t lda, size_t n)
{
    for (size_t j = 0; j + 1 < n; j++)
        for (size_t i = j + 1; i < n; i++) {
            const double kept = a[j * lda + i];

            a[j * lda + i] = a[i * lda + j];
            a[i * lda + j] = kept;
        }
}

CLONES void mem_plain_gather(double *restrict x, const double *restrict a, const int64_t *restrict index, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = a[index[i]];
}
