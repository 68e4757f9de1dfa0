/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One rank leaves a collective out.
 * check: collective-mismatch
 * also: deadlock
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, sum;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
    if (rank != 1)
#endif
        MPI_Barrier(MPI_COMM_WORLD); /* found */
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* found */
    MPI_Finalize();
    return 0;
}
