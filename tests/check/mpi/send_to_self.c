/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each process sends to itself before it receives that.
 * check: relies-on-buffering
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, value = 3, got;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
    MPI_Send(&value, 1, MPI_INT, rank, 0, MPI_COMM_WORLD); /* found */
    MPI_Recv(&got, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Sendrecv(&value, 1, MPI_INT, rank, 0, &got, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return got == value ? 0 : 1;
}
