/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread level, named by LEVEL when this file is built: it is provided or exceeded, a query says the same, and the
 * level's own kind of use works: calls from the main thread, by turns, or from all threads at once. */
#include "workers.h"

static long counter, words[WORKERS];
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void compute_only(struct worker *self)
{
    for (int i = 0; i < 1000; i++)
        check_random(&self->random);
}

static void use(struct worker *self)
{
    for (int i = 0; i < 50; i++) {
        shmem_long_atomic_inc(&counter, check_next());
        shmem_long_p(&words[self->number], i, check_next());
        shmem_quiet();
        CHECK(shmem_long_g(&words[self->number], check_next()) == i, "thread %d: g returned %ld, expected %d",
              self->number, shmem_long_g(&words[self->number], check_next()), i);
    }
}

static void use_by_turns(struct worker *self)
{
    pthread_mutex_lock(&turn);
    use(self);
    pthread_mutex_unlock(&turn);
}

int main(void)
{
    int queried = -1;
    long expected = 0;

    check_start_thread(LEVEL);
    shmem_query_thread(&queried);
    CHECK(queried >= LEVEL, "shmem_query_thread says %d, expected at least %d", queried, LEVEL);
    CHECK(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED && SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED &&
              SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE,
          "the levels are %d %d %d %d, expected rising numbers", SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED,
          SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE);
    if (LEVEL == SHMEM_THREAD_FUNNELED)
        workers_run(compute_only);
    if (LEVEL == SHMEM_THREAD_SERIALIZED)
        workers_run(use_by_turns);
    if (LEVEL == SHMEM_THREAD_MULTIPLE)
        workers_run(use);
    if (LEVEL >= SHMEM_THREAD_SERIALIZED)
        expected = 50 * WORKERS;
    for (int i = 0; i < 10; i++)
        shmem_long_atomic_inc(&counter, check_next());
    shmem_barrier_all();
    CHECK(counter == expected + 10, "the counter is %ld, expected %ld", counter, expected + 10);
    return check_finish();
}
