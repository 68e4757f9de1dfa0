/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What MPI_Get brings is used. Wrong: before the flush.
 */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    int me, n, next, bad, *mine, theirs = -1;
    MPI_Win win;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    next = (me + 1) % n;
    MPI_Win_allocate(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(0, win);
    *mine = me * 7;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Get(&theirs, 1, MPI_INT, next, 0, 1, MPI_INT, win);
#ifndef WRONG
    MPI_Win_flush(next, win);
#endif
    bad = theirs != next * 7;
    if (bad)
        fprintf(stderr, "rank %d: %d, not %d\n", me, theirs, next * 7);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return bad;
}
