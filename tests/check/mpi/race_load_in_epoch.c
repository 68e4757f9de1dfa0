/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 * compile: --check
 *
 * A rank loads from its window while another may put there.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int me, n, v;
    long sum = 0, box[64] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_create(box, sizeof box, sizeof *box, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    long mine[64];
    for (int i = 0; i < 64; i++)
        mine[i] = me;
    v = (me + 1) % n;
    MPI_Win_fence(0, win);
    MPI_Put(mine, 64, MPI_LONG, v, 0, 64, MPI_LONG, win); /* found */
#ifndef WRONG
    MPI_Win_fence(0, win);
#endif
    for (int i = 0; i < 64; i++)
        sum += box[i]; /* found */
    MPI_Win_fence(0, win);
    if (sum == -1)
        puts("never");
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
