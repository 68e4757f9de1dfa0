/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A second thread communicates at a level at which only the first one may.
 * check: thread-level
 */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

#ifdef WRONG
enum { LEVEL = MPI_THREAD_FUNNELED };
#else
enum { LEVEL = MPI_THREAD_SERIALIZED };
#endif

static void *other(void *arg)
{
    int flag, main_thread;

    MPI_Initialized(&flag);
    MPI_Is_thread_main(&main_thread);
    MPI_Barrier(MPI_COMM_SELF); /* found */
    return arg;
}

int main(void)
{
    int provided;
    pthread_t thread;

    MPI_Init_thread(NULL, NULL, LEVEL, &provided);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
