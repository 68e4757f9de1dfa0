/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A blocking broadcast on one rank, a nonblocking one on the others: these do not match (6.12).
 * check: collective-mismatch
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, token = 3;
    MPI_Request r;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
    if (rank == 1) {
        MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD); /* found */
    } else
#endif
    {
        MPI_Ibcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
