/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The local phase of the matrix multiply. A header so that each language's own compiler compiles it, scc and plain C.
 */
#ifndef BENCH_APP_MM_LOCAL_H
#define BENCH_APP_MM_LOCAL_H

/* c += a * b; n is a multiple of 4. Four rows of b at once: c's row is loaded and stored a fourth as often. */
static void mm_local(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k += 4) {
            const double w = a[i][k], x = a[i][k + 1], y = a[i][k + 2], z = a[i][k + 3];

            for (int j = 0; j < n; j++)
                c[i][j] += w * b[k][j] + x * b[k + 1][j] + (y * b[k + 2][j] + z * b[k + 3][j]);
        }
}

#endif
