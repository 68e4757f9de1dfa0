/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both send first: with a buffer of their own they may, in standard mode not.
 * check: relies-on-buffering
 * pes: 2 4
 */
#include <mpi.h>
#include <stddef.h>

static char buffer[1000 + MPI_BSEND_OVERHEAD];

int main(void)
{
    int rank, mine, theirs = 0, n;
    void *place;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank;
    MPI_Buffer_attach(buffer, sizeof buffer);
#ifdef WRONG
    MPI_Send(&mine, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD); /* found */
#else
    MPI_Bsend(&mine, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD);
#endif
    MPI_Recv(&theirs, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&place, &n);
    MPI_Finalize();
    return theirs == (rank ^ 1) ? 0 : 1;
}
