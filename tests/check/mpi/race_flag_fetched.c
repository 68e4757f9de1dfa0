/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 *
 * Rank 1 puts to rank 0 and sets a flag there, which others fetch until it is set. The flag tells nothing of a put that
 * is not flushed.
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int me, v[8] = {0}, one = 1, flag = 0;
    int box[16] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_create(box, sizeof box, sizeof *box, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (me == 1) {
        MPI_Put(v, 8, MPI_INT, 0, 0, 8, MPI_INT, win); /* found */
#ifndef WRONG
        MPI_Win_flush(0, win);
#endif
        MPI_Accumulate(&one, 1, MPI_INT, 0, 8, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
    } else {
        while (!flag) {
            MPI_Fetch_and_op(NULL, &flag, MPI_INT, 0, 8, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        }
        MPI_Get(v, 8, MPI_INT, 0, 0, 8, MPI_INT, win); /* found */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
