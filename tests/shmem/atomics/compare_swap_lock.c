/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock made of compare_swap guards a record changed with plain gets and puts: with the swap atomic and quiet
 * before the release, no increment is lost. On heap and global, 4 and 8 bytes. */
#include "../../check.h"
#include <sched.h>

#define SECTIONS 60

static uint32_t lock_word;
static struct {
    long count;
    long copies[7];
} record;

static void take_32(void)
{
    while (shmem_uint32_atomic_compare_swap(&lock_word, 0, (uint32_t)check_me + 1, 0) != 0)
        sched_yield();
}

static void release_32(void)
{
    uint32_t owner = shmem_uint32_atomic_swap(&lock_word, 0, 0);
    CHECK(owner == (uint32_t)check_me + 1, "the lock was held by %u, expected %d", owner, check_me + 1);
}

static void take_64(long *lock)
{
    while (shmem_long_atomic_compare_swap(lock, -1, check_me, 0) != -1)
        sched_yield();
}

static void release_64(long *lock)
{
    long owner = shmem_long_atomic_compare_swap(lock, check_me, -1, 0);
    CHECK(owner == check_me, "the lock was held by %ld, expected %d", owner, check_me);
}

static void critical_section(void)
{
    long copy[8];

    shmem_getmem(copy, &record, sizeof copy, 0);
    for (int i = 1; i < 8; i++)
        CHECK(copy[i] == copy[0], "copy %d is %ld inside the critical section, expected %ld", i, copy[i], copy[0]);
    for (int i = 0; i < 8; i++)
        copy[i]++;
    shmem_putmem(&record, copy, sizeof copy, 0);
    shmem_quiet();
}

int main(void)
{
    long *lock;

    check_start();
    lock = shmem_malloc(sizeof *lock);
    REQUIRE(lock, "no memory for a lock");
    *lock = -1;
    shmem_barrier_all();
    for (int i = 0; i < SECTIONS; i++) {
        take_32();
        critical_section();
        release_32();
    }
    shmem_barrier_all();
    for (int i = 0; i < SECTIONS; i++) {
        take_64(lock);
        critical_section();
        release_64(lock);
    }
    shmem_barrier_all();
    if (check_me == 0)
        CHECK(record.count == 2L * SECTIONS * check_npes, "the count is %ld, expected %ld", record.count,
              2L * SECTIONS * check_npes);
    shmem_free(lock);
    return check_finish();
}
