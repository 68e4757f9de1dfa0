/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 waits for a message of each other rank; the last one sends none.
 * check: deadlock
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, got[64];
    MPI_Request r[64];

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Irecv(&got[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &r[i - 1]);
        MPI_Waitall(size - 1, r, MPI_STATUSES_IGNORE); /* found */
    } else {
#ifdef WRONG
        if (rank < size - 1)
#endif
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
