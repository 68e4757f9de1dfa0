/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests that are begun and never completed: a send, a receive, a persistent one that was started.
 * check: request-leak
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, out[3] = {1, 2, 3}, in[3], one;
    MPI_Request r[4];

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(in, 3, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(out, 1, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD, &r[2]); /* found */
    MPI_Start(&r[2]);
    MPI_Isend(out, 3, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[1]); /* found */
    MPI_Recv(&one, 1, MPI_INT, (rank + size - 1) % size, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
#ifndef WRONG
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    MPI_Wait(&r[2], MPI_STATUS_IGNORE);
    MPI_Request_free(&r[2]);
#endif
    MPI_Finalize();
    return 0;
}
