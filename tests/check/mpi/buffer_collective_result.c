/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a nonblocking broadcast has brought is changed before the wait for it, after a test of another request has made
 * progress.
 * check: buffer-in-use
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, value, flag = 0;
    MPI_Request request;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    value = rank == 0 ? 42 : 0;
    MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request); /* found */
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 100; i++)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
#ifdef WRONG
    value++;
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
