/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Origin and result of an atomic operation are one variable.
 * check: buffer-overlap
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int value = 1, old = 0, *memory;
    MPI_Win win;

    MPI_Init(NULL, NULL);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
#ifdef WRONG
    MPI_Fetch_and_op(&value, &value, MPI_INT, 0, 0, MPI_SUM, win); /* found */
#else
    MPI_Fetch_and_op(&value, &old, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Fetch_and_op(&value, &old, MPI_INT, 0, 0, MPI_SUM, win); /* the first one's result is of no interest */
    MPI_Fetch_and_op(NULL, &old, MPI_INT, 0, 0, MPI_NO_OP, win);
#endif
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return old < 0;
}
