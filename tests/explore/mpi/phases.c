/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 receives a message of each other rank in one phase, and again in the next. Wrong: without the
 * barrier between the phases, a fast rank may come twice in the first.
 */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    int me, n, bad = 0;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int phase = 0; phase < 5; phase++) {
        if (me > 0)
            MPI_Send(&phase, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        for (int i = 1; me == 0 && i < n; i++) {
            int got = -1;

            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            bad += got != phase;
        }
#ifndef WRONG
        MPI_Barrier(MPI_COMM_WORLD);
#endif
    }
    if (bad)
        fprintf(stderr, "%d messages are of another phase\n", bad);
    MPI_Finalize();
    return bad != 0;
}
