/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Another thread than the one that initialized MPI finalizes it.
 * check: thread-level
 */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static void *finalize(void *arg)
{
    MPI_Finalize(); // found
    return arg;
}

int main(void)
{
    pthread_t thread;
    int provided;

    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Barrier(MPI_COMM_WORLD);
#ifdef WRONG
    pthread_create(&thread, NULL, finalize, NULL);
    pthread_join(thread, NULL);
#else
    (void)thread;
    finalize(NULL);
#endif
    return 0;
}
