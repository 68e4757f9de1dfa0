/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two receives under way into parts of one array that overlap by one element; the right program's are the interleaved
 * columns of a matrix.
 * check: buffer-overlap
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, in[10], out[10] = {0}, left, right;
    MPI_Request requests[4];
    MPI_Datatype column;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    MPI_Type_vector(5, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
#ifdef WRONG
    MPI_Irecv(in, 6, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in + 5, 5, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]); /* found */
#else
    MPI_Irecv(in, 1, column, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in + 1, 1, column, right, 1, MPI_COMM_WORLD, &requests[1]);
#endif
    MPI_Isend(out, 5, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out, 5, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[3]); /* senders may share */
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
