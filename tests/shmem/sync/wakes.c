/* SPDX-License-Identifier: BSD-3-Clause */
/* A PE that has waited long enough to sleep is woken by every kind of write there is: puts of each form, atomics,
 * signals, and a plain store through shmem_ptr. PE 0 writes, all PEs wait, in each way of waiting by turns. */
#include "writes.h"

#define PAUSE 0.004
#define LIMIT 1.0

static void wait_for_it(size_t way)
{
    size_t index;

    if (way % 4 == 0) {
        shmem_long_wait_until(MIDDLE, SHMEM_CMP_NE, 0);
    } else if (way % 4 == 1) {
        CHECK(shmem_signal_wait_until(SIGNAL, SHMEM_CMP_GE, 1) == 1, "the signal is %ld, expected 1", *MIDDLE);
    } else if (way % 4 == 2) {
        index = shmem_long_wait_until_any(word + WORDS / 2 - 1, 3, (int[]){1, 0, 1}, SHMEM_CMP_EQ, 1);
        CHECK(index == 1, "shmem_long_wait_until_any returned %zu, expected 1", index);
    } else {
        shmem_long_wait_until_all(MIDDLE, 1, NULL, SHMEM_CMP_GT, 0);
    }
}

static void run(size_t i, size_t way)
{
    double start;

    memset(word, 0, WORDS * sizeof *word);
    shmem_barrier_all();
    if (check_me == 0) {
        check_sleep(PAUSE);
        start = check_seconds();
        for (int pe = 0; pe < check_npes; pe++)
            writes[i].write(pe);
        shmem_ctx_quiet(ctx);
        wait_for_it(way);
        shmem_barrier_all();
        CHECK(check_seconds() - start < LIMIT, "%s, way of waiting %zu: woken after %.3f s, expected at once",
              writes[i].name, way % 4, check_seconds() - start);
    } else {
        wait_for_it(way);
        shmem_barrier_all();
    }
    CHECK(*MIDDLE == 1, "%s: the word is %ld, expected 1", writes[i].name, *MIDDLE);
    shmem_barrier_all();
}

int main(void)
{
    long *heap;

    check_start();
    heap = writes_start();
    for (size_t i = 0; i < CHECK_COUNT(writes); i++)
        for (size_t way = 0; way < 4; way++) {
            word = (i + way) % 2 ? heap : global;
            run(i, way);
        }
    writes_finish(heap);
    return check_finish();
}
