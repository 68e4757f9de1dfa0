/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that nobody receives: on the world communicator, and on one that is freed before.
 * check: message-not-received
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, token = 1, got[3];
    MPI_Comm dup;
#ifndef WRONG
    MPI_Request r[3];
#endif

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
#ifndef WRONG
    for (int i = 0; i < 3; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &r[i]);
#endif
    for (int i = 0; i < 3; i++)
        MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD); /* found */
    if (rank == 0)
        MPI_Send(&token, 1, MPI_INT, 1, 8, dup);
#ifndef WRONG
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    if (rank == 1)
        MPI_Recv(got, 1, MPI_INT, 0, 8, dup, MPI_STATUS_IGNORE);
#else
    (void)got;
#endif
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
