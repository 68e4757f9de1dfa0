/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_barrier_all and shmem_sync_all thousands of times, with random delays: nobody leaves before everybody has
 * come; a barrier also completes the puts before it, a sync makes local stores visible. */
#include "typed.h"

enum { ROUNDS = 3000, WORDS = 64 };

static volatile long arrived;
static long inbox[WORDS], outbox[WORDS];

static void check_arrivals(long round, const char *what)
{
    for (int pe = 0; pe < check_npes; pe++) {
        long seen = shmem_long_g((const long *)&arrived, pe);
        CHECK(seen == round, "%s %ld: PE %d has come %ld times", what, round, pe, seen);
    }
}

/* Everything put before a barrier is there after it, blocking or not, through the default context. */
static void with_puts(long round)
{
    for (int i = 0; i < WORDS; i++)
        outbox[i] = round * 1000 + check_me * WORDS + i;
    shmem_long_put_nbi(inbox, outbox, WORDS / 2, check_next());
    shmem_long_put(inbox + WORDS / 2, outbox + WORDS / 2, WORDS / 2, check_next());
    shmem_barrier_all();
    for (int i = 0; i < WORDS; i++) {
        long expected = round * 1000 + check_previous() * WORDS + i;
        CHECK(inbox[i] == expected, "round %ld: word %d is %ld after the barrier, expected %ld", round, i, inbox[i],
              expected);
    }
    shmem_barrier_all();
}

int main(void)
{
    check_start();
    uint64_t random = check_seed(1) + (uint64_t)check_me;

    for (long round = 1; round <= ROUNDS; round++) {
        typed_delay(&random);
        arrived = round;
        if (round % 2)
            shmem_barrier_all();
        else
            shmem_sync_all();
        if (round % 10 < 2)
            check_arrivals(round, round % 2 ? "barrier" : "sync");
        if (round % 10 == 5)
            with_puts(round);
        shmem_sync_all();
    }
    for (long i = 0; i < ROUNDS; i++) /* and back to back */
        shmem_barrier_all();
    return check_finish();
}
