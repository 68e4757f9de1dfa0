/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 *
 * Ranks read and write a counter under an exclusive lock; the last of them takes the lock of another rank. They
 * take so many turns that some meet.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int me, n, *box, other, v = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(sizeof *box, sizeof *box, MPI_INFO_NULL, MPI_COMM_WORLD, &box, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
    *box = 0;
    MPI_Win_unlock(me, win);
    MPI_Barrier(MPI_COMM_WORLD);
    other = 0;
#ifdef WRONG
    if (me == n - 1)
        other = 1;
#endif
    for (int i = 0; i < 5000; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win);
        if (other != 0)
            MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win);
        MPI_Get(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* found */
        MPI_Win_flush(0, win);
        v++;
        MPI_Put(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* found */
        if (other != 0)
            MPI_Win_unlock(0, win);
        MPI_Win_unlock(other, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
