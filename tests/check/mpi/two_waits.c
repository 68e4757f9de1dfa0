/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two threads wait for one request.
 * check: request-misuse
 */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static MPI_Request request;

static void *wait_too(void *unused)
{
    MPI_Request same = request;

    (void)unused;
    MPI_Wait(&same, MPI_STATUS_IGNORE); /* found */
    return NULL;
}

int main(int argc, char **argv)
{
    int level, rank, size, value = 0, got;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    if (rank != 0)
        MPI_Send(&value, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
#ifdef WRONG
    if (rank == 1)
        pthread_create(&thread, NULL, wait_too, NULL);
#endif
    if (rank == 0) {
        usleep(500000); /* both threads of rank 1 wait for it */
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* found */
#ifdef WRONG
    if (rank == 1)
        pthread_join(thread, NULL);
#endif
    MPI_Finalize();
    return 0;
}
