/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutual exclusion under contention: all PEs add to plain words on the last PE under a lock in the heap and under one
 * in a global; nothing is lost, nobody is in there with somebody else, and everybody gets his turns. */
#include "check.h"
#include <sched.h>

static long global_lock, total, inside, shared[3];

static void critical(long *lock, int i, uint64_t *random)
{
    int home = check_npes - 1;
    long in;

    shmem_set_lock(lock);
    in = shmem_long_atomic_fetch_inc(&inside, home);
    CHECK(in == 0, "turn %d: %ld other PEs are inside", i, in);
    /* plain reads and writes of another PE's memory: the lock makes them one step */
    for (int k = 0; k < 3; k++) {
        long old = shmem_long_g(&shared[k], home);
        if (check_random_below(random, 50) == 0)
            sched_yield();
        shmem_long_p(&shared[k], old + 1 + k, home);
    }
    shmem_quiet();
    shmem_long_atomic_add(&inside, -1, home);
    shmem_quiet();
    shmem_clear_lock(lock);
}

static void contend(long *lock, int turns, const char *what)
{
    uint64_t random = check_seed(8) + (uint64_t)check_me;
    double begun = check_seconds(), took;

    shmem_barrier_all();
    for (int i = 0; i < turns; i++)
        critical(lock, i, &random);
    shmem_long_atomic_add(&total, turns, check_npes - 1);
    shmem_barrier_all();
    took = check_seconds() - begun;
    if (check_me == check_npes - 1) {
        for (int k = 0; k < 3; k++)
            CHECK(shared[k] == total * (1 + k), "%s: word %d is %ld after %ld turns, expected %ld", what, k, shared[k],
                  total, total * (1 + k));
    }
    if (check_me == 0) {
        CHECK(shmem_test_lock(lock) == 0, "%s: not free after %ld turns", what, total);
        shmem_clear_lock(lock);
    }
    shmem_barrier_all();
    CHECK(took < 30, "%s: %d turns of %d PEs took %.1f s", what, turns, check_npes, took);
}

int main(void)
{
    check_start();
    long *heap_lock = shmem_calloc(1, sizeof *heap_lock);

    REQUIRE(heap_lock != NULL, "shmem_calloc of a lock returned NULL on PE %d", check_me);
    contend(heap_lock, 400, "lock in the heap");
    contend(&global_lock, 400, "lock in a global");
    return check_finish();
}
