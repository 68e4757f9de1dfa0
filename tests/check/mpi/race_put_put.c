/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 *
 * All ranks but 0 put to the same element of rank 0 in one epoch of fences.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int me, n, *box, v;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(n * (MPI_Aint)sizeof *box, sizeof *box, MPI_INFO_NULL, MPI_COMM_WORLD, &box, &win);
    v = me;
    MPI_Win_fence(0, win);
#ifdef WRONG
    MPI_Put(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* found */
#else
    MPI_Put(&v, 1, MPI_INT, 0, me, 1, MPI_INT, win);
#endif
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
