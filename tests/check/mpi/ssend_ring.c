/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A ring of synchronous sends, each before its receive.
 * check: deadlock
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, mine, theirs = 0;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = rank;
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
#ifdef WRONG
    MPI_Ssend(&mine, 1, MPI_INT, next, 0, MPI_COMM_WORLD); /* found */
    MPI_Recv(&theirs, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Request r;

    MPI_Issend(&mine, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &r);
    MPI_Recv(&theirs, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return theirs == before ? 0 : 1;
}
