/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fence within an epoch of locks.
 * check: epoch
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, value = 1, *memory;
    MPI_Win win;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
#ifndef WRONG
    MPI_Win_unlock_all(win);
#endif
    MPI_Win_fence(0, win); /* found */
#ifdef WRONG
    MPI_Win_unlock_all(win);
#endif
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
