/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 *
 * Ranks add to an element of rank 0 by accumulates, which exclude each other; the last puts there.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int me, n, v = 7;
    long place[16] = {0}, add = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_create(place, sizeof place, sizeof *place, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < v; i++)
        MPI_Accumulate(&add, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win); /* found */
#ifdef WRONG
    if (me == n - 1)
        MPI_Put(&add, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win); /* found */
#endif
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
