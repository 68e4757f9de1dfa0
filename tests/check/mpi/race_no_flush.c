/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 *
 * A put is not flushed before the barrier after which another rank gets the same.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int me, n, *box, v = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(sizeof *box, sizeof *box, MPI_INFO_NULL, MPI_COMM_WORLD, &box, &win);
    MPI_Win_lock_all(0, win);
    if (me == n - 1)
        MPI_Put(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* found */
#ifndef WRONG
    MPI_Win_flush(0, win);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        MPI_Get(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* found */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
