/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two messages are received in the other order than they are sent in, by tags.
 * check: relies-on-buffering
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, a = 1, b = 2;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* found */
        MPI_Send(&b, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else if (rank == 1) {
#ifdef WRONG
        MPI_Recv(&b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Request r[2];

        MPI_Irecv(&b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
#endif
    }
    MPI_Finalize();
    return 0;
}
