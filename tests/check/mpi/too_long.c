/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message is longer than its receive.
 * check: truncation
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, a[8] = {0};
    MPI_Request r;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(a, 8, MPI_INT, 1, 1, MPI_COMM_WORLD); /* found */
    } else if (rank == 1) {
#ifdef WRONG
        MPI_Irecv(a, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
#else
        MPI_Irecv(a, 8, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
#endif
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
