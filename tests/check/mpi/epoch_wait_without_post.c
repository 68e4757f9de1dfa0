/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The target waits for the end of an epoch that it has not opened.
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
    MPI_Group all;

    MPI_Comm_group(MPI_COMM_WORLD, &all);
#ifndef WRONG
    MPI_Win_post(all, 0, win);
    MPI_Win_start(all, 0, win);
    MPI_Win_complete(win);
#endif
    MPI_Win_wait(win); /* found */
    MPI_Group_free(&all);
    (void)value;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
