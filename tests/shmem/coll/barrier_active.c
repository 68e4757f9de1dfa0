/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_barrier and shmem_sync over every active set, the same pSync used again and again as the standard allows
 * while the set does not change: members wait for each other, others go on. */
#include "typed.h"

enum { ROUNDS = 12 };

static long barrier_sync[SHMEM_BARRIER_SYNC_SIZE], sync_sync[SHMEM_SYNC_SIZE];
static volatile long arrived;
static long inbox;

static void check_arrivals(const struct active_set *s, long round)
{
    for (int i = 0; i < s->size; i++) {
        long seen = shmem_long_g((const long *)&arrived, active_member(s, i));
        CHECK(seen == round, "set (%d, %d, %d), round %ld: PE %d has come %ld times", s->start, s->log_stride, s->size,
              round, active_member(s, i), seen);
    }
}

static void use_set(const struct active_set *s, uint64_t *random)
{
    int index = active_index(s, check_me);
    int next, previous;

    if (index < 0)
        return;
    next = active_member(s, (index + 1) % s->size);
    previous = active_member(s, (index + s->size - 1) % s->size);
    for (long round = 1; round <= ROUNDS; round++) {
        typed_delay(random);
        arrived = round;
        shmem_long_p(&inbox, round * 1000 + check_me, next);
        shmem_barrier(s->start, s->log_stride, s->size, barrier_sync);
        CHECK(inbox == round * 1000 + previous, "set (%d, %d, %d), round %ld: inbox is %ld, expected %ld", s->start,
              s->log_stride, s->size, round, inbox, round * 1000 + previous);
        check_arrivals(s, round);
        shmem_sync(s->start, s->log_stride, s->size, sync_sync);
    }
    sync_restored(barrier_sync, SHMEM_BARRIER_SYNC_SIZE, "shmem_barrier");
    sync_restored(sync_sync, SHMEM_SYNC_SIZE, "shmem_sync");
}

int main(void)
{
    static struct active_set sets[ACTIVE_MAX];
    check_start();
    uint64_t random = check_seed(2) + (uint64_t)check_me;
    int count = active_sets(check_npes, sets);

    sync_clear(barrier_sync, SHMEM_BARRIER_SYNC_SIZE);
    sync_clear(sync_sync, SHMEM_SYNC_SIZE);
    shmem_barrier_all();
    for (int i = 0; i < count; i++) {
        use_set(&sets[i], &random);
        shmem_barrier_all();
    }
    return check_finish();
}
