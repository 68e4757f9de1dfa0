/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A nonblocking receive whose data is used. Wrong: before the wait.
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 20 };

int main(void)
{
    int me, n, bad = 0;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int round = 1; round <= ROUNDS; round++) {
        int in = 0, out = round * n + me, sum;
        MPI_Request request[2];

        MPI_Irecv(&in, 1, MPI_INT, (me + n - 1) % n, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&out, 1, MPI_INT, (me + 1) % n, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Barrier(MPI_COMM_WORLD); /* "the message is there by now" */
#ifdef WRONG
        sum = in + 1;
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
#else
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        sum = in + 1;
#endif
        bad += sum != round * n + (me + n - 1) % n + 1;
    }
    if (bad)
        fprintf(stderr, "rank %d: %d sums are wrong\n", me, bad);
    MPI_Finalize();
    return bad != 0;
}
