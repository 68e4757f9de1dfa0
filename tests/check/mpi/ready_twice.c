/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A partition is said to be ready twice.
 * check: request-misuse
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, data[2] = {1, 2};
    MPI_Request r = MPI_REQUEST_NULL;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Psend_init(data, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    else if (rank == 1)
        MPI_Precv_init(data, 1, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    if (rank < 2)
        MPI_Start(&r);
    if (rank == 0) {
        MPI_Pready(0, r);
#ifdef WRONG
        MPI_Pready(0, r); /* found */
#endif
        MPI_Pready(1, r);
    }
    if (rank < 2) {
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Request_free(&r);
    }
    MPI_Finalize();
    return 0;
}
