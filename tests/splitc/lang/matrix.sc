/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A blocked matrix product with spread arrays as parameters, against the plain one.
 */
#include "check.h"

#define N 4
#define B 5

double X[N][N]::[B][B], Y[N][N]::[B][B], Z[N][N]::[B][B];

static void add_product(int b, double (*c)[b], double x[b][b], double y[b][b])
{
    int i, j, k;
    for (i = 0; i < b; i++)
        for (j = 0; j < b; j++)
            for (k = 0; k < b; k++)
                c[i][j] += x[i][k] * y[k][j];
}

static void multiply(int n, int b, double C[n][n]::[b][b], double A[n][n]::[b][b], double D[n][n]::[b][b])
{
    int i, j, k;
    double a[b][b], d[b][b];
    for_my_2D(i, j, n, n) {
        for (k = 0; k < n; k++) {
            bulk_get(a, A[i][k], sizeof a);
            bulk_get(d, D[k][j], sizeof d);
            sync();
            add_product(b, tolocal(C[i][j]), a, d);
        }
    }
    barrier();
}

static double entry(int which, int i, int j)
{
    return (which ? 3 * i - j : i + 2 * j) % 7;
}

splitc_main()
{
    int i, j, k;
    for_my_2D(i, j, N * B, N * B) {
        X[i / B][j / B][i % B][j % B] = entry(0, i, j);
        Y[i / B][j / B][i % B][j % B] := entry(1, i, j);
    }
    sync();
    barrier();
    multiply(N, B, Z, X, Y);
    for (i = 0; i < N * B; i++)
        for (j = MYPROC; j < N * B; j += PROCS) {
            double sum = 0;
            for (k = 0; k < N * B; k++)
                sum += entry(0, i, k) * entry(1, k, j);
            CHECK(Z[i / B][j / B][i % B][j % B] == sum);
        }
    barrier();
    on_one printf("matrix: right\n");
    return 0;
}
