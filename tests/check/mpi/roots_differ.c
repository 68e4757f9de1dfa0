/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks broadcast from different roots.
 * check: collective-mismatch
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, token = 3;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
    MPI_Bcast(&token, 1, MPI_INT, rank % 2, MPI_COMM_WORLD); /* found */
#else
    MPI_Bcast(&token, 1, MPI_INT, 1, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
