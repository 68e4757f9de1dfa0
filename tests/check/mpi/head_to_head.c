/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pairs of processes that send to each other first, and receive then.
 * check: relies-on-buffering
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
    int other = (rank ^ 1) < size ? rank ^ 1 : MPI_PROC_NULL;
    for (int i = 0; i < 3; i++) {
#ifdef WRONG
        MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD); /* found */
        MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        if (rank % 2) {
            MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
        } else {
            MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
            MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
#endif
    }
    MPI_Finalize();
    return 0;
}
