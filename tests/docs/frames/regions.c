// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc regions.c -o framed
// $ mptrun --trace regions -n 2 ./framed
// $ mpt trace regions --region assemble > /dev/null
#include <mpi.h>
#include <mpt/trace.h>

static void assemble(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    // LISTING
    MPI_Finalize();
    return 0;
}
