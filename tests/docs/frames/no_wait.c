// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc -g no_wait.c -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int out[3] = {0}, in[3], right;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    if (rank == 1) {
        MPI_Recv(in, 3, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return MPI_Finalize();
    }
    // LISTING
    return 0;
}
