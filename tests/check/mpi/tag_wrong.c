/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 sends with one tag, the others receive with another one.
 * check: deadlock
 */
#include <mpi.h>
#include <stddef.h>

enum { WORK = 8, RESULT };

int main(void)
{
    int rank, size, token = 7;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Send(&token, 1, MPI_INT, i, WORK, MPI_COMM_WORLD);
    if (rank > 0) {
#ifdef WRONG
        MPI_Recv(&token, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* found */
#else
        MPI_Recv(&token, 1, MPI_INT, 0, WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Finalize();
    return 0;
}
