/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pairs of processes that both receive before they send.
 * check: deadlock
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, mine, token = 0;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = rank;
    int other = (rank ^ 1) < size ? rank ^ 1 : MPI_PROC_NULL;
#ifdef WRONG
    MPI_Recv(&token, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* found */
    MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
#else
    MPI_Sendrecv(&mine, 1, MPI_INT, other, 0, &token, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
