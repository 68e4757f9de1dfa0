/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The smallest MPI program: what `launch --library MPI` starts, to tell what starting and ending a job costs. It says
 * who it is, so that the launcher can be seen to have started the right number of ranks in one job.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int me, n, length;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Get_library_version(name, &length);
    printf("hello from PE %d of %d: %s\n", me, n, name);
    MPI_Finalize();
    return 0;
}
