# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
cat > hello.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
END
mpicc hello.c -o solver
