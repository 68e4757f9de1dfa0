/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same for Fortran, arguments by reference. Counts are read as 4-byte integers, which on little-endian machines
 * suits 8-byte ones (-fdefault-integer-8), too, as far as they go; for vectors of indexes there are two names.
 */
#include <benchlib.h>

#include "benchlib/kernels.h"

#include <string.h>

#pragma GCC visibility push(default)

void lgetv_(const void *x, const int *inc, const int *n)
{
    lgetv(x, *inc, *n);
}

void lgetvo_(const void *x, const int *inc, const int *n, const int *offset)
{
    lgetvo(x, *inc, *n, *offset);
}

void lputv_(void *y, const int *inc, const int *n)
{
    lputv(y, *inc, *n);
}

void lputvo_(void *y, const int *inc, const int *n, const int *offset)
{
    lputvo(y, *inc, *n, *offset);
}

void lsetv_(void *x, const int *inc, const int *n, const double *value)
{
    lsetv(x, *inc, *n, *value);
}

int lputp_(void)
{
    return (int)lputp();
}

void lgath8_(const void *a, const int64_t *index, const int *n)
{
    lgath(a, index, *n);
}

void lscat8_(void *a, const int64_t *index, const int *n)
{
    lscat(a, index, *n);
}

#pragma GCC visibility pop

/* Indexes of the default INTEGER, widened. */
static const int64_t *widened(const char *call, int64_t wide[BENCHLIB_REGISTERS], const int32_t *index, int n)
{
    if (n > BENCHLIB_REGISTERS)
        bl_fatal(call, "n", n, "is more than the 480 registers");
    for (int i = 0; i < n; i++)
        wide[i] = index[i];
    return wide;
}

#pragma GCC visibility push(default)

void lgath_(const void *a, const int32_t *index, const int *n)
{
    int64_t wide[BENCHLIB_REGISTERS];
    lgath(a, widened("lgath", wide, index, *n), *n);
}

void lscat_(void *a, const int32_t *index, const int *n)
{
    int64_t wide[BENCHLIB_REGISTERS];
    lscat(a, widened("lscat", wide, index, *n), *n);
}

#pragma GCC visibility pop
