// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc -g changed.c -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int value = 0, got, next;
    MPI_Request request, receive;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &receive);
    // LISTING
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
