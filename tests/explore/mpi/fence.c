/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What others have put is read. Wrong: after a barrier in place of the fence that ends the epoch.
 */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    int me, n, bad = 0, *got;
    MPI_Win win;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate((MPI_Aint)sizeof(int) * n, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &got, &win);
    for (int i = 0; i < n; i++)
        got[i] = -1;
    MPI_Win_fence(0, win);
    for (int to = 0; to < n; to++)
        MPI_Put(&me, 1, MPI_INT, to, me, 1, MPI_INT, win);
#ifdef WRONG
    MPI_Barrier(MPI_COMM_WORLD);
#else
    MPI_Win_fence(0, win);
#endif
    for (int i = 0; i < n; i++)
        bad += got[i] != i;
    if (bad)
        fprintf(stderr, "rank %d: %d numbers are wrong\n", me, bad);
#ifdef WRONG
    MPI_Win_fence(0, win);
#endif
    MPI_Win_free(&win);
    MPI_Finalize();
    return bad != 0;
}
