/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How work is divided over the PEs, and sums over all of them.
 */
#include "npb.h"

long npb_part(long n, int parts, int part, long *from)
{
    const long each = n / parts, over = n % parts;

    *from = part * each + (part < over ? part : over);
    return each + (part < over);
}

int npb_part_of(long n, int parts, long i)
{
    const long each = n / parts, over = n % parts, large = over * (each + 1);

    return (int)(i < large ? i / (each + 1) : over + (i - large) / each);
}

void npb_sum(double *v, int n)
{
    static double mine[2][NPB_SUMS], sum[2][NPB_SUMS];
    static unsigned turn;
    const unsigned t = turn++ % 2; /* who reads the last result isn't overtaken by the next */

    for (int i = 0; i < n; i++)
        mine[t][i] = v[i];
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, sum[t], mine[t], (size_t)n);
    for (int i = 0; i < n; i++)
        v[i] = sum[t][i];
}

double npb_sum1(double v)
{
    npb_sum(&v, 1);
    return v;
}
