/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a get brings is sent on before the fence that completes the get.
 * check: buffer-overlap
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, value = 0, *memory, in;
    MPI_Win win;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = rank;
    MPI_Win_fence(0, win);
    MPI_Get(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
#ifndef WRONG
    MPI_Win_fence(0, win);
#endif
    MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0, /* found */
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef WRONG
    MPI_Win_fence(0, win);
#endif
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
