/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A probe for messages that nobody sends.
 * check: deadlock
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, token = 0, others;
    MPI_Status s;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    others = size - 1;
#ifdef WRONG
    others++; /* one more than there are */
#endif
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < others; i++) {
        MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s); /* found */
        MPI_Recv(&token, 1, MPI_INT, s.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
