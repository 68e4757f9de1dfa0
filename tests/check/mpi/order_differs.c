/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks call two collectives in different orders; errors are returned, and nobody looks at them.
 * check: collective-mismatch
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, sum = 0, token = 3;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#ifdef WRONG
    if (rank == 0) {
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* found */
        MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else
#endif
    {
        MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
