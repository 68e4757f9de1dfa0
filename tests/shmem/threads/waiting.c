/* SPDX-License-Identifier: BSD-3-Clause */
/* THREAD_MULTIPLE: several threads of a PE wait at the same time, each for its own word and in its own way, while the
 * main thread is in a barrier. They are woken in random order by the previous PE and each wakes its successor there,
 * so a wake-up that reaches the wrong thread of a PE would hang the ring. */
#include "workers.h"

#define LAPS 60

static long words[WORKERS];
static uint64_t signals[WORKERS];

static void await(int i, long lap)
{
    if (i == 0) {
        shmem_long_wait_until(&words[i], SHMEM_CMP_GE, lap);
    } else if (i == 1) {
        shmem_signal_wait_until(&signals[i], SHMEM_CMP_GE, (uint64_t)lap);
    } else if (i == 2) {
        CHECK(shmem_long_wait_until_any(&words[i], 1, NULL, SHMEM_CMP_GE, lap) == 0, "wait_until_any is not 0");
    } else {
        while (!shmem_long_test(&words[i], SHMEM_CMP_GE, lap))
            continue;
    }
}

static void send(int i, long lap, int pe)
{
    if (i == 1)
        shmem_signal_set(&signals[i], (uint64_t)lap, pe);
    else
        shmem_long_p(&words[i], lap, pe);
}

/* Thread i's token goes round the ring of PEs; lap ends at PE 0. */
static void ring(struct worker *self)
{
    int i = self->number;

    for (long lap = 1; lap <= LAPS; lap++) {
        if (check_me == 0) {
            if (check_random_below(&self->random, 8) == 0)
                check_sleep(0.0005);
            send(i, lap, check_next());
        }
        await(i, lap);
        if (check_me != 0)
            send(i, lap, check_next());
    }
}

/* One thread wakes another of its own PE: a put to oneself is a write like any other. */
static void own_ring(struct worker *self)
{
    int i = self->number, next = (i + 1) % WORKERS;

    for (long lap = LAPS + 1; lap <= 2 * LAPS; lap++) {
        if (i == 0)
            send(next, lap, check_me);
        await(i, lap);
        if (i != 0)
            send(next, lap, check_me);
    }
}

int main(void)
{
    check_start_thread(SHMEM_THREAD_MULTIPLE);
    shmem_barrier_all();
    workers_start(ring);
    shmem_barrier_all();
    workers_join();
    shmem_barrier_all();
    workers_run(own_ring);
    for (int i = 0; i < WORKERS; i++)
        CHECK(i == 1 ? signals[i] == 2 * LAPS : words[i] == 2 * LAPS, "word %d is %ld, signal %llu, expected %d", i,
              words[i], (unsigned long long)signals[i], 2 * LAPS);
    return check_finish();
}
