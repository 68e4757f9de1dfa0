/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages longer than their receives, which calls for several requests complete; and partitions.
 * check: truncation
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, a[8] = {0}, b[8], n = 4;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef WRONG
    n = 2;
#endif
    if (size == 4) { /* with 4 PEs only, as the first ends the job */
        MPI_Psend_init(a, 2, 2, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
        MPI_Precv_init(b, 1, n, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_INFO_NULL, /* found */
                       &requests[1]);
        MPI_Startall(2, requests);
        MPI_Pready_range(0, 1, requests[0]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
    }
    MPI_Irecv(b, n, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[0]); /* found */
    MPI_Isend(a, 4, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
