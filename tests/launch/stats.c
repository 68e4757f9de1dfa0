/* SPDX-License-Identifier: BSD-3-Clause */
/* For stats.py: calls whose counts are known. PE 1 comes late to the last message, or ends early. */
#include <mpi.h>
#include <shmem.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static long cell;
    char data[100] = "";
    int me, n;

    MPI_Init(&argc, &argv);
    shmem_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 0; i < 7; i++) {
        if (me == 0)
            MPI_Send(data, 100, MPI_CHAR, 1, i, MPI_COMM_WORLD);
        if (me == 1)
            MPI_Recv(data, 100, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 5; i++)
        shmem_long_p(&cell, i, (me + 1) % n);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1 && strcmp(argv[1], "killed") == 0 && me == 1)
        raise(SIGKILL);
    if (me == 1)
        usleep(400000);
    if (me == 1)
        MPI_Send(data, 1, MPI_CHAR, 0, 9, MPI_COMM_WORLD);
    if (me == 0)
        MPI_Recv(data, 1, MPI_CHAR, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    shmem_finalize();
    MPI_Finalize();
    return 0;
}
