/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A shift in place by a call that wants two buffers.
 * check: buffer-overlap
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, values[3] = {1, 2, 3};

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef WRONG
    MPI_Sendrecv(values, 2, MPI_INT, (rank + 1) % size, 0, /* found */
                 values + 1, 2, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Sendrecv(values, 1, MPI_INT, (rank + 1) % size, 0, values + 1, 2, MPI_INT, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(values, 2, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
