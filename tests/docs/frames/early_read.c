// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc --check -g early_read.c -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, theirs = 0, other;
    MPI_Request request, out;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Isend(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &out);
    // LISTING
    MPI_Wait(&out, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
