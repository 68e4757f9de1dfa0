/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One rank splits the communicator while the others duplicate it.
 * check: collective-mismatch
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank;
    MPI_Comm new;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
    if (rank == 1)
        MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &new); /* found */
    else
#endif
        MPI_Comm_dup(MPI_COMM_WORLD, &new);
    MPI_Comm_free(&new);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, -rank, &new);
    if (new != MPI_COMM_NULL)
        MPI_Comm_free(&new);
    MPI_Finalize();
    return 0;
}
