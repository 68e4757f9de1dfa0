/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A receive's buffer is prepared after the receive has been begun.
 * check: buffer-in-use
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, in[100] = {0}, out[100] = {0};
    MPI_Request requests[2];

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifndef WRONG
    in[99] = -1;
#endif
    MPI_Irecv(in, 100, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]); /* found */
#ifdef WRONG
    in[99] = -1;
#endif
    MPI_Isend(out, 99, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return in[99] != -1;
}
