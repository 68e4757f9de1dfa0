/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message to a rank that is not there.
 * check: argument
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, token = 0;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef WRONG
    MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); /* found */
#else
    MPI_Send(&token, 1, MPI_INT, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD);
#endif
    MPI_Recv(&token, 1, MPI_INT, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
