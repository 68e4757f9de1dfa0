// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc -g halo.c -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int row[11], out[6] = {0}, left, right;
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    // LISTING
    MPI_Isend(out, 6, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out, 6, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
