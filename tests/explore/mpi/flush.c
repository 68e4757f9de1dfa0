/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts of a passive epoch, then a barrier, then the window is read. Wrong: without the flush.
 */
#include <mpi.h>
#include <stdio.h>

enum { N = 10 };

int main(void)
{
    int me, n, bad = 0, *got, mine[N];
    MPI_Win win;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(sizeof mine, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &got, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < N; i++) {
        got[i] = -1;
        mine[i] = me * 100 + i;
    }
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Put(mine, N, MPI_INT, (me + 1) % n, 0, N, MPI_INT, win);
#ifndef WRONG
    MPI_Win_flush((me + 1) % n, win);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    for (int i = 0; i < N; i++)
        bad += got[i] != (me + n - 1) % n * 100 + i;
    if (bad)
        fprintf(stderr, "rank %d: %d numbers are wrong\n", me, bad);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return bad != 0;
}
