/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 * compile: --check
 *
 * The target of an exposure epoch uses its window before MPI_Win_wait.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Group world, others;
    MPI_Win win;
    int me, n, v, left, right;
    int box[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    v = me;
    left = (me + n - 1) % n;
    right = (me + 1) % n;
    MPI_Win_create(box, sizeof box, sizeof *box, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    box[0] = -1;
    MPI_Group_incl(world, 1, &left, &others);
    MPI_Win_post(others, 0, win);
    MPI_Group_free(&others);
    MPI_Group_incl(world, 1, &right, &others);
    MPI_Win_start(others, 0, win);
    MPI_Group_free(&others);
    MPI_Put(&v, 1, MPI_INT, right, 0, 1, MPI_INT, win); /* found */
    MPI_Win_complete(win);
#ifdef WRONG
    v += box[0]; /* found */
#endif
    MPI_Win_wait(win);
    v += box[0];
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return v == 1000;
}
