/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message's buffer is used for the next one before it is complete.
 * check: buffer-in-use
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, out, in[2];
    MPI_Request request;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 2; i++) {
        out = 10 * rank + i;
        MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &request); /* found */
#ifdef WRONG
        out++;
#endif
        MPI_Recv(&in[i], 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        out++;
    }
    MPI_Finalize();
    return 0;
}
