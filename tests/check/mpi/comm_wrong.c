/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message goes on one communicator, its receive is on another one.
 * check: deadlock
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, token = 7;
    MPI_Comm other;

    MPI_Init(NULL, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_set_name(other, "other");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&token, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    } else if (rank == 1) {
#ifdef WRONG
        MPI_Recv(&token, 1, MPI_INT, 0, 3, other, MPI_STATUS_IGNORE); /* found */
#else
        MPI_Recv(&token, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
