/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Matrices as spread arrays of blocks: each block lies whole on one processor. For its blocks of C a processor gets the
 * blocks of A and B that it needs by split-phase copies: while it multiplies two, the next two are on their way.
 * B is the matrix that counts columns down, so C is A with its columns reversed.
 *
 *   scc -O2 matmul.sc -o matmul && mptrun -n 4 ./matmul
 */
#include <split-c/split-c.h>
#include <stdio.h>

#define N 8  /* blocks of a side */
#define Q 24 /* numbers of a block's side */

double A[N][N]::[Q][Q], B[N][N]::[Q][Q], C[N][N]::[Q][Q];

static double element(int i, int j)
{
    return i + 1000.0 * j;
}

static void multiply_add(double c[Q][Q], double a[Q][Q], double b[Q][Q])
{
    int i, j, k;

    for (i = 0; i < Q; i++)
        for (k = 0; k < Q; k++)
            for (j = 0; j < Q; j++)
                c[i][j] += a[i][k] * b[k][j];
}

static void multiply(void)
{
    static double a[2][Q][Q], b[2][Q][Q];
    int i, j, k;

    for_my_2D(i, j, N, N) {
        double (*c)[Q] = tolocal(C[i][j]);

        bulk_get(a[0], A[i][0], sizeof a[0]);
        bulk_get(b[0], B[0][j], sizeof b[0]);
        for (k = 0; k < N; k++) {
            sync();
            if (k + 1 < N) {
                bulk_get(a[(k + 1) % 2], A[i][k + 1], sizeof a[0]);
                bulk_get(b[(k + 1) % 2], B[k + 1][j], sizeof b[0]);
            }
            multiply_add(c, a[k % 2], b[k % 2]);
        }
    }
}

splitc_main()
{
    int bi, bj, i, j, wrong = 0;

    for_my_2D(bi, bj, N, N) {
        double (*a)[Q] = tolocal(A[bi][bj]), (*b)[Q] = tolocal(B[bi][bj]), (*c)[Q] = tolocal(C[bi][bj]);

        for (i = 0; i < Q; i++)
            for (j = 0; j < Q; j++) {
                a[i][j] = element(bi * Q + i, bj * Q + j);
                b[i][j] = bi * Q + i + bj * Q + j == N * Q - 1;
                c[i][j] = 0;
            }
    }
    barrier();
    multiply();
    barrier();

    for_my_2D(bi, bj, N, N) {
        double (*c)[Q] = tolocal(C[bi][bj]);

        for (i = 0; i < Q; i++)
            for (j = 0; j < Q; j++)
                wrong += c[i][j] != element(bi * Q + i, N * Q - 1 - (bj * Q + j));
    }
    wrong = all_reduce_to_all_add(wrong);
    on_one {
        printf("%d x %d matrices multiplied by %d processors, %d elements are wrong\n", N * Q, N * Q, PROCS, wrong);
    }
    return wrong != 0;
}
