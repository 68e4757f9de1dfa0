/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of one process is exposed by MPI_Win_post while another one locks it.
 * check: epoch
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, value = 1, *memory;
    MPI_Win win;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Group all, next, last;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &right, &next);
    MPI_Group_incl(all, 1, &left, &last);
    MPI_Win_post(last, 0, win);
#ifndef WRONG
    MPI_Win_start(next, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win); /* found */
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
    MPI_Win_unlock(right, win);
    MPI_Barrier(MPI_COMM_WORLD);
#ifdef WRONG
    MPI_Win_start(next, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
#endif
    MPI_Group_free(&all);
    MPI_Group_free(&next);
    MPI_Group_free(&last);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
