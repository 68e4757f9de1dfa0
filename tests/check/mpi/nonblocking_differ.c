/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks begin two nonblocking collectives in different orders.
 * check: collective-mismatch
 * also: request-leak
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, sum = 0, token = 3;
    MPI_Request r[2];

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
    if (rank == 1) {
        MPI_Ibcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[0]); /* found */
        MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[1]); /* found */
    } else
#endif
    {
        MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[1]);
        MPI_Ibcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[0]);
    }
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
