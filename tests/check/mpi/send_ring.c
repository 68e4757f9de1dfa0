/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A ring in which all send to the next one first.
 * check: relies-on-buffering
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, values[100] = {0}, got[100];

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
#ifdef WRONG
    MPI_Send(values, 100, MPI_INT, next, 1, MPI_COMM_WORLD); /* found */
    MPI_Recv(got, 100, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Request r;

    MPI_Irecv(got, 100, MPI_INT, before, 1, MPI_COMM_WORLD, &r);
    MPI_Send(values, 100, MPI_INT, next, 1, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
