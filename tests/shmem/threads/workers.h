/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and joins the threads of a test: each runs the same function with its number and its own random state.
 * Thread 0 is a thread of its own too, so that the main thread may do something else meanwhile. */
#ifndef TESTS_THREADS_WORKERS_H
#define TESTS_THREADS_WORKERS_H

#include "../../check.h"
#include <pthread.h>

#define WORKERS 4

struct worker {
    int number;
    uint64_t random;
    void (*work)(struct worker *self);
    pthread_t thread;
};

static struct worker workers[WORKERS];

static inline void *workers_enter(void *self)
{
    struct worker *worker = (struct worker *)self;
    worker->work(worker);
    return NULL;
}

static inline void workers_start(void (*work)(struct worker *self))
{
    for (int i = 0; i < WORKERS; i++) {
        int status;

        workers[i].number = i;
        workers[i].random = check_seed(17) + (uint64_t)(check_me * WORKERS + i) * 1000003u;
        workers[i].work = work;
        status = pthread_create(&workers[i].thread, NULL, workers_enter, &workers[i]);
        REQUIRE(status == 0, "pthread_create returned %d", status);
    }
}

static inline void workers_join(void)
{
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i].thread, NULL);
}

static inline void workers_run(void (*work)(struct worker *self))
{
    workers_start(work);
    workers_join();
}

#endif
