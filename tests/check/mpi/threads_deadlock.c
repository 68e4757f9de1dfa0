/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two threads of each process, all of which receive first.
 * check: deadlock
 * compile: -pthread
 * pes: 2 4
 */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static int other;

static void *exchange(void *tag)
{
    int token = 0, t = *(int *)tag;

#ifdef WRONG
    MPI_Recv(&token, 1, MPI_INT, other, t, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* found */
    MPI_Send(&token, 1, MPI_INT, other, t, MPI_COMM_WORLD);
#else
    MPI_Sendrecv_replace(&token, 1, MPI_INT, other, t, other, t, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    return NULL;
}

int main(void)
{
    int rank, level, one = 1, two = 2;
    pthread_t thread;

    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = rank ^ 1;
    pthread_create(&thread, NULL, exchange, &two);
    exchange(&one);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
