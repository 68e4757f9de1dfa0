// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc send_first.c -o framed
// $ mpiexec -n 4 ./framed
// $ MPI_BUFFER_MAX=0 mpiexec --timeout 1 -n 4 ./framed || [ $? -ne 0 ]
// $ mpiexec --check -n 4 ./framed || [ $? -eq 86 ]
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, passing = 0, next, before;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    // LISTING
    MPI_Finalize();
    return 0;
}
