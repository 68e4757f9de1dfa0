/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first two ranks wait for each other while the last one computes for long.
 * check: deadlock
 * pes: 3 4
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

int main(void)
{
    int rank, size, token = 0;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank < 2) {
#ifdef WRONG
        MPI_Recv(&token, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* found */
        MPI_Send(&token, 1, MPI_INT, 1 - rank, 5, MPI_COMM_WORLD);
#else
        if (rank == 0)
            MPI_Send(&token, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        else
            MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    } else if (rank == size - 1) {
#ifdef WRONG
        sleep(60);
#else
        sleep(1);
#endif
    }
    MPI_Finalize();
    return 0;
}
