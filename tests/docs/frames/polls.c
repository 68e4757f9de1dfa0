// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc -g polls.c -o framed
// $ mptrun --check --timeout 2 -n 2 ./framed
// status 124
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, flag = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        // LISTING
    }
    MPI_Finalize();
    return 0;
}
