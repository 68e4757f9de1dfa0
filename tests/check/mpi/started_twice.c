/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A persistent request is started again before it was completed.
 * check: request-misuse
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, in, out = 3;
    MPI_Request r;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Recv_init(&in, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&r); /* found */
        MPI_Send(&out, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
#ifndef WRONG
        MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
    MPI_Finalize();
    return 0;
}
