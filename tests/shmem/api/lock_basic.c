/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_test_lock and friends: 0 when it got the lock, 1 when another PE has it; clearing completes the holder's puts
 * before the next holder enters; a lock array works lock by lock; locks can be taken while holding others. */
#include "check.h"

enum { LOCKS = 64 };

static long lock, locks[LOCKS], owner_word, counters[LOCKS], phase;

/* PE `holder` takes the lock; everybody else is told it is busy, whichever way asked. */
static void busy_and_free(int holder)
{
    int got;

    shmem_barrier_all();
    if (check_me == holder) {
        got = shmem_test_lock(&lock);
        CHECK(got == 0, "test_lock of a free lock returned %d, expected 0", got);
    }
    shmem_barrier_all();
    if (check_me != holder) {
        got = shmem_test_lock(&lock);
        CHECK(got == 1, "test_lock of a lock PE %d has returned %d, expected 1", holder, got);
    }
    shmem_barrier_all();
    if (check_me == holder)
        shmem_clear_lock(&lock);
    shmem_barrier_all();
    for (int pe = 0; pe < check_npes; pe++) {
        if (pe == check_me) {
            got = shmem_test_lock(&lock);
            CHECK(got == 0, "test_lock of a lock PE %d has cleared returned %d, expected 0", holder, got);
            shmem_clear_lock(&lock);
        }
        shmem_barrier_all();
    }
}

/* The token goes round: who enters must see all that earlier holders put, without a quiet of theirs. */
static void clearing_completes_puts(void)
{
    int home = check_npes / 2;

    owner_word = 0;
    shmem_barrier_all();
    for (int i = 0; i < 200; i++) {
        long seen;
        shmem_set_lock(&lock);
        seen = shmem_long_g(&owner_word, home);
        shmem_long_p(&owner_word, seen + 1, home);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    if (check_me == home)
        CHECK(owner_word == 200L * check_npes, "word is %ld, expected %ld", owner_word, 200L * check_npes);
}

static void array_of_locks(void)
{
    uint64_t random = check_seed(6) + (uint64_t)check_me;
    long mine = 0, everybody;

    for (int i = 0; i < 600; i++) {
        size_t which = check_random_below(&random, LOCKS);
        int pe = (int)which % check_npes;
        shmem_set_lock(&locks[which]);
        shmem_long_p(&counters[which], shmem_long_g(&counters[which], pe) + 1, pe);
        shmem_clear_lock(&locks[which]);
        mine++;
    }
    shmem_barrier_all();
    everybody = 0;
    for (size_t which = 0; which < LOCKS; which++)
        everybody += shmem_long_g(&counters[which], (int)which % check_npes);
    CHECK(everybody == mine * check_npes, "%ld turns counted, expected %ld", everybody, mine * check_npes);
    shmem_barrier_all();
}

/* Always in the same order, so that nobody waits for ever. */
static void several_at_once(void)
{
    shmem_barrier_all();
    for (int i = 0; i < 30; i++) {
        for (int k = 0; k < 4; k++)
            shmem_set_lock(&locks[k]);
        shmem_long_p(&phase, shmem_long_g(&phase, 0) + 1, 0);
        for (int k = 0; k < 4; k++)
            shmem_clear_lock(&locks[k]);
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(&phase, 0) == 30L * check_npes, "%ld turns with four locks, expected %ld",
          shmem_long_g(&phase, 0), 30L * check_npes);
}

int main(void)
{
    check_start();
    for (int holder = 0; holder < check_npes; holder++)
        busy_and_free(holder);
    clearing_completes_puts();
    array_of_locks();
    several_at_once();
    return check_finish();
}
