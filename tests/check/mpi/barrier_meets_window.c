/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A barrier on one rank, a window on the others.
 * check: collective-mismatch
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, *base;
    MPI_Win win;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD); /* found */
#endif
    MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&base, &win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
