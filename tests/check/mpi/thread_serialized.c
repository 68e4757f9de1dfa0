/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two threads receive at the same time at a level at which they must take turns.
 * check: thread-level
 */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

#ifdef WRONG
enum { LEVEL = MPI_THREAD_SERIALIZED };
#else
enum { LEVEL = MPI_THREAD_MULTIPLE };
#endif

static void *receive(void *arg)
{
    int in;

    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* found */
    return arg;
}

int main(void)
{
    int provided, rank, size, token = 0, in;
    pthread_t thread;
    MPI_Request request;

    MPI_Init_thread(NULL, NULL, LEVEL, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_create(&thread, NULL, receive, NULL);
    MPI_Ssend(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD); /* found */
    MPI_Isend(&token, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &request);
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* found */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
