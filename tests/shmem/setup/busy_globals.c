/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads that write to global variables while shmem_init makes these shared
 * lose no store.
 */
#include <pthread.h>
#include <time.h>

#include "check.h"

enum { THREADS = 3, APART = 4096 / sizeof(long) };
static volatile long counts[THREADS * APART]; /* a page each, in .bss */
static volatile long data_counts[THREADS] = {1000, 1000, 1000};
static int stop;

struct worker {
    pthread_t thread;
    int index;
    volatile long done; /* on the stack of main: private */
};

static void *count(void *arg)
{
    struct worker *w = arg;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        counts[w->index * APART]++;
        data_counts[w->index]++;
        w->done++;
    }
    return NULL;
}

int main(void)
{
    struct worker workers[THREADS];
    const struct timespec moment = {.tv_nsec = 3000000};
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.index = i};
        if (pthread_create(&workers[i].thread, NULL, count, &workers[i]) != 0)
            return 77;
    }
    for (int i = 0; i < THREADS; i++)
        while (workers[i].done == 0) /* all are at it */
            nanosleep(&moment, NULL);
    check_start();
    nanosleep(&moment, NULL);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        CHECK(counts[i * APART] == workers[i].done, ".bss: %ld of %ld increments", counts[i * APART], workers[i].done);
        CHECK(data_counts[i] - 1000 == workers[i].done, ".data: %ld of %ld increments", data_counts[i] - 1000, workers[i].done);
    }
    return check_finish();
}
