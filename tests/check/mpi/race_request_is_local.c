/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 *
 * The request of MPI_Rput says that the buffer is free, not that the data are there.
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Win win;
    int me, n, *box, v = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(sizeof *box, sizeof *box, MPI_INFO_NULL, MPI_COMM_WORLD, &box, &win);
    MPI_Win_lock_all(0, win);
    if (me == 1) {
        MPI_Rput(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request); /* found */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifndef WRONG
        MPI_Win_flush(0, win);
#endif
        MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* it ends no epoch before */
    } else if (me == 0) {
        MPI_Recv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* found */
        MPI_Win_flush(0, win);
        MPI_Send(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
