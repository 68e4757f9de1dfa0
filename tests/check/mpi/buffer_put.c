/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The origin of a put is changed before a call has completed the put.
 * check: buffer-in-use
 * also: race
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, value, *memory;
    MPI_Win win;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 2; i++) {
        value = 10 * rank + i;
        MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, i, 1, MPI_INT, win); /* found */
#ifndef WRONG
        MPI_Win_flush_local((rank + 1) % size, win);
#endif
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
