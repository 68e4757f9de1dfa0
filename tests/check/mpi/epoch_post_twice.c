/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An exposure epoch is opened again before its MPI_Win_wait.
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
    MPI_Group all;

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Win_post(all, 0, win);
#ifdef WRONG
    MPI_Win_post(all, 0, win); /* found */
#endif
    MPI_Win_start(all, 0, win);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
