/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks reduce by different operations, in a persistent collective.
 * check: collective-mismatch
 * also: request-leak
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, result;
    MPI_Op op = MPI_SUM;
    MPI_Request r;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
    if (rank == 1)
        op = MPI_MAX;
#endif
    MPI_Allreduce_init(&rank, &result, 1, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL, &r); /* found */
    for (int i = 0; i < 2; i++) {
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&r);
    MPI_Finalize();
    return 0;
}
