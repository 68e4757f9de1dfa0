# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# A program that runs for a second.
cat > prog.c <<'END'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++) {
        usleep(10000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
mpicc -g prog.c -o prog
