// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc -g all_send.c -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int values[100] = {0}, got[100], next, before;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    // LISTING
    MPI_Finalize();
    return 0;
}
