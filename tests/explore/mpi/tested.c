/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A receive that is tested until it is complete. Wrong: tested once.
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 10 };

int main(void)
{
    int me, n, bad = 0;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int round = 1; round <= ROUNDS; round++) {
        int in = 0, done = 0;
        MPI_Request request;

        MPI_Irecv(&in, 1, MPI_INT, (me + n - 1) % n, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&round, 1, MPI_INT, (me + 1) % n, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
#ifndef WRONG
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
#endif
        bad += !done || in != round;
        if (!done)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (bad)
        fprintf(stderr, "rank %d: %d receives were not complete\n", me, bad);
    MPI_Finalize();
    return bad != 0;
}
