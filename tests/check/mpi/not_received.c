/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that nobody receives: on the world communicator, and on one that is freed before.
 * check: message-not-received
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, token = 1;
    MPI_Comm dup;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    for (int i = 0; i < 3; i++)
        MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD); /* found */
    if (rank == 0)
        MPI_Send(&token, 1, MPI_INT, 1, 8, dup);
#ifndef WRONG
    for (int i = 0; i < 3; i++)
        MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Recv(&token, 1, MPI_INT, 0, 8, dup, MPI_STATUS_IGNORE);
#endif
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
