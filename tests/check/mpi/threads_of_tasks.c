/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All wait for each other, in tasks of one process that has a thread of the program, too.
 * check: deadlock
 * options: --tasks=1
 */
#include <mpi.h>
#include <pthread.h>

static void *serve(void *unused)
{
    int question;
    MPI_Status status;

    MPI_Recv(&question, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status); /* found */
    MPI_Send(&question, 1, MPI_INT, status.MPI_SOURCE, 8, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char **argv)
{
    int level, rank, value = 0, with = 1;
    pthread_t server;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        pthread_create(&server, NULL, serve, NULL);
#ifdef WRONG
    with = 9;
#endif
    if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, with == 1 ? 7 : 6, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* found */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        pthread_join(server, NULL);
    MPI_Finalize();
    return 0;
}
