/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 *
 * Each rank reads and then writes a counter of rank 0 under a lock that others may have at the same time.
 */
#include <mpi.h>

#ifdef WRONG
enum { LOCK = MPI_LOCK_SHARED };
#else
enum { LOCK = MPI_LOCK_EXCLUSIVE };
#endif

int main(int argc, char **argv)
{
    MPI_Win win;
    int me, *box, v = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(sizeof *box, sizeof *box, MPI_INFO_NULL, MPI_COMM_WORLD, &box, &win);
    if (me == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        *box = 0;
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 10; i++) {
        MPI_Win_lock(LOCK, 0, 0, win);
        MPI_Get(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* found */
        MPI_Win_flush(0, win);
        v++;
        MPI_Put(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* found */
        MPI_Win_unlock(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
