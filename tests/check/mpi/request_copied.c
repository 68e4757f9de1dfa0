/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A request is waited for again by a copy of its handle, and other requests are made between.
 * check: use-after-free
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, in, out = 3;
    MPI_Request r, copy, more;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&in, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r);
    copy = r;
    MPI_Send(&out, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Irecv(&in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &more);
    MPI_Wait(&more, MPI_STATUS_IGNORE);
#ifdef WRONG
    MPI_Wait(&copy, MPI_STATUS_IGNORE); /* found */
#else
    (void)copy;
#endif
    MPI_Finalize();
    return 0;
}
