/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message is passed on before it has been waited for.
 * check: buffer-overlap
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, token = 0, back;
    MPI_Request request, ring;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&back, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &ring);
    MPI_Irecv(&token, 1, MPI_INT, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    if (rank == 0) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        token = 1;
    }
#ifndef WRONG
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    MPI_Send(&token, 1, MPI_INT, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD); /* found */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&ring, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
