// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc -g finalized.c -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    // LISTING
    return 0;
}
