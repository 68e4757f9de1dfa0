/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The smallest program: what starting and ending a job costs (timed from outside by launch).
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
