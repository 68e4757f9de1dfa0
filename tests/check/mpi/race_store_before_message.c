/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 * compile: --check
 *
 * Rank 0 writes its window after the message that tells others that it is ready.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int me, n, *box, v = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(sizeof *box, sizeof *box, MPI_INFO_NULL, MPI_COMM_WORLD, &box, &win);
    MPI_Win_lock_all(0, win);
    if (me == 0) {
#ifndef WRONG
        *box = 5;
        MPI_Win_sync(win);
#endif
        for (int i = 1; i < n; i++)
            MPI_Send(&v, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
#ifdef WRONG
        MPI_Recv(&v, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* of another matter */
        *box = 5; /* found */
#endif
    } else {
#ifdef WRONG
        if (me == 1)
            MPI_Send(&v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
        MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* found */
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
