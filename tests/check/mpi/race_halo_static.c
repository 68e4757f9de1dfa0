/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 *
 * Each rank puts its edge into the halos of both neighbours, which are static arrays; a slip puts both to the same
 * side.
 */
#include <mpi.h>

enum { N = 64, STEPS = 5 };
static double halo[2 * N], edge[N];

#ifdef WRONG
enum { SIDE = 0 };
#else
enum { SIDE = N };
#endif

int main(int argc, char **argv)
{
    MPI_Win win;
    int me, n, left, right;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    left = (me + n - 1) % n;
    right = (me + 1) % n;
    MPI_Win_create(halo, sizeof halo, sizeof *halo, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int step = 0; step < STEPS; step++) {
        MPI_Win_fence(0, win);
        MPI_Put(edge, N, MPI_DOUBLE, right, 0, N, MPI_DOUBLE, win);   /* found */
        MPI_Put(edge, N, MPI_DOUBLE, left, SIDE, N, MPI_DOUBLE, win); /* found */
        MPI_Win_fence(0, win);
        edge[0] += halo[0] + halo[N];
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
