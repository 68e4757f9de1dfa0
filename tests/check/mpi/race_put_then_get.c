/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 *
 * A rank gets what it has just put, without a flush between: nothing orders the two.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int me, n, *box, v = 7, w = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(sizeof *box, sizeof *box, MPI_INFO_NULL, MPI_COMM_WORLD, &box, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (me + 1) % n, 0, win);
    MPI_Put(&v, 1, MPI_INT, (me + 1) % n, 0, 1, MPI_INT, win); /* found */
#ifndef WRONG
    MPI_Win_flush((me + 1) % n, win);
#endif
    MPI_Get(&w, 1, MPI_INT, (me + 1) % n, 0, 1, MPI_INT, win); /* found */
    MPI_Win_unlock((me + 1) % n, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
