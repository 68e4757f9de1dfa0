/* SPDX-License-Identifier: BSD-3-Clause
 *
 * More calls than the recorder's ring holds, by several threads, within regions that begin long before they end, for
 * ring.py. Arguments: threads, calls of each, and "kill": the PE kills itself at the end.
 */
#include <mpt/trace.h>
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static long words[64], calls;

static void *work(void *arg)
{
    long *mine = arg;

    mpt_region_begin("long");
    for (long i = 1; i <= calls; i++) {
        if (i % 1000 == 1)
            mpt_region_begin("short");
        shmem_long_p(mine, i, 0);
        if (i % 1000 == 0)
            mpt_region_end();
    }
    mpt_region_end();
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1, got;
    pthread_t t[64];

    calls = argc > 2 ? atol(argv[2]) : 1000;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    for (int i = 1; i < threads; i++)
        pthread_create(&t[i], NULL, work, &words[i]);
    work(&words[0]);
    for (int i = 1; i < threads; i++)
        pthread_join(t[i], NULL);
    if (argc > 3 && strcmp(argv[3], "kill") == 0)
        raise(SIGKILL);
    shmem_finalize();
    return 0;
}
