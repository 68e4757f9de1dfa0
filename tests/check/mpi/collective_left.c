/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A nonblocking collective that is never completed, and a persistent one that is never freed.
 * check: request-leak
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, sum;
    MPI_Request r, p;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r); /* found */
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &p);                  /* found */
    MPI_Start(&p);
    MPI_Wait(&p, MPI_STATUS_IGNORE);
#ifndef WRONG
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&p);
#endif
    MPI_Finalize();
    return 0;
}
