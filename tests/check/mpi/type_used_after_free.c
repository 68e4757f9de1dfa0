/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A datatype is used by a copy of its handle after it was freed.
 * check: use-after-free
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, out[2] = {1, 2}, in[2];
    MPI_Datatype pair, copy;
    MPI_Request r;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    copy = pair;
    MPI_Irecv(in, 2, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r);
    MPI_Type_free(&pair);
#ifdef WRONG
    MPI_Send(out, 1, copy, (rank + size - 1) % size, 0, MPI_COMM_WORLD); /* found */
#else
    (void)copy;
    MPI_Send(out, 2, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
#endif
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
