/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One process alone asserts at a fence that no operations follow.
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
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
#ifdef WRONG
    MPI_Win_fence(rank == 0 ? MPI_MODE_NOSUCCEED : 0, win); /* found */
#else
    MPI_Win_fence(rank == 0 ? MPI_MODE_NOSTORE : 0, win); /* may differ */
#endif
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
