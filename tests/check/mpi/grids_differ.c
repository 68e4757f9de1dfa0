/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks make grids of different periods.
 * check: collective-mismatch
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, periodic = 1;
    MPI_Comm grid;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef WRONG
    periodic = rank == 0;
#endif
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &grid); /* found */
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
