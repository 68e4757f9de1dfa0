// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc shrink.c -o framed
// $ mpiexec --ft -n 4 ./framed || [ $? -eq 137 ]
#include <mpi.h>
#include <mpi-ext.h>
#include <signal.h>

int main(int argc, char **argv)
{
    enum { n = 4 };
    double in[n] = {0}, out[n];
    int err, rank, size;
    MPI_Comm comm, smaller = MPI_COMM_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Barrier(comm); // all have it now
    if (rank == 1)
        raise(SIGKILL);
    // LISTING
    MPI_Comm_size(smaller, &size);
    if (size != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
