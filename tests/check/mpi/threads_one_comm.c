/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two threads of each process call collectives on one communicator at the same time.
 * check: collective-mismatch
 * also: deadlock
 */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static MPI_Comm comm;

static void *sums(void *unused)
{
    int value = 1;

    (void)unused;
    for (int i = 0; i < 100; i++)
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, comm); /* found */
    return NULL;
}

int main(int argc, char **argv)
{
    int level, rank;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    comm = MPI_COMM_WORLD;
#ifndef WRONG
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#endif
    if (rank == 0)
        usleep(300000); /* both threads of the others wait for it */
    pthread_create(&thread, NULL, sums, NULL);
    for (int i = 0; i < 100; i++)
        MPI_Allreduce(MPI_IN_PLACE, &level, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); /* found */
    pthread_join(thread, NULL);
    if (comm != MPI_COMM_WORLD)
        MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
