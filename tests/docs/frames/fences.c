// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc -g fences.c -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int value = 0, next;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    int *box;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &box, &win);
    // LISTING
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
