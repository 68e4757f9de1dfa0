/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One buffer for messages to all. Wrong: it is filled anew before the send is complete.
 */
#include <mpi.h>
#include <stdio.h>

enum { N = 100 };

int main(void)
{
    int me, n, bad = 0, out[N], in[N];
    MPI_Request request;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int step = 1; step < n; step++) {
        const int to = (me + step) % n, from = (me + n - step) % n;

        for (int i = 0; i < N; i++)
            out[i] = me * 1000 + to * 100 + i;
        MPI_Isend(out, N, MPI_INT, to, 0, MPI_COMM_WORLD, &request);
#ifdef WRONG
        for (int i = 0; i < N; i++)
            out[i] = -1;
#endif
        MPI_Recv(in, N, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < N; i++)
            bad += in[i] != from * 1000 + me * 100 + i;
    }
    if (bad)
        fprintf(stderr, "rank %d: %d numbers are wrong\n", me, bad);
    MPI_Finalize();
    return bad != 0;
}
