/* SPDX-License-Identifier: BSD-3-Clause */
/* Whoever ends another PE's wait wakes it: after each kind of write PE 0 measures how soon the last PE, long asleep,
 * answers. A write that rings no bell would be found only when the sleeper next looks by itself, which is 20 ms later.
 * Plain stores through shmem_ptr are allowed that. A slow answer is tried again: the machine may be busy. */
#include "writes.h"

#define PAUSE 0.028
#define LIMIT 0.006
#define TRIES 25

static long answer, again;

static double answer_time(size_t i, int pe, long number)
{
    double start;

    check_sleep(PAUSE);
    start = check_seconds();
    writes[i].write(pe);
    shmem_ctx_quiet(ctx);
    shmem_long_wait_until(&answer, SHMEM_CMP_EQ, number);
    return check_seconds() - start;
}

static void ask(size_t i, int pe)
{
    double best = 1e9;

    for (long try = 1; try <= TRIES; try ++) {
        double time = answer_time(i, pe, try);
        best = time < best ? time : best;
        shmem_long_p(&again, best > LIMIT && try < TRIES ? try : -1, pe);
        if (best <= LIMIT)
            break;
    }
    CHECK(best <= LIMIT, "%s: the sleeper answers after %.1f ms, expected less than %.0f", writes[i].name, 1e3 * best,
          1e3 * LIMIT);
}

static void reply(void)
{
    for (long try = 1; again != -1; try ++) {
        shmem_long_wait_until(MIDDLE, SHMEM_CMP_NE, 0);
        memset(word, 0, WORDS * sizeof *word);
        shmem_long_p(&answer, try, 0);
        shmem_long_wait_until(&again, SHMEM_CMP_NE, try - 1);
    }
}

static void run(size_t i, int pe)
{
    memset(word, 0, WORDS * sizeof *word);
    answer = again = 0;
    shmem_barrier_all();
    if (check_me == 0)
        ask(i, pe);
    else if (check_me == pe)
        reply();
    shmem_barrier_all();
}

int main(void)
{
    long *heap;

    check_start();
    if (check_npes < 2)
        check_skip("a PE cannot wake itself");
    heap = writes_start();
    for (size_t i = 0; i < CHECK_COUNT(writes); i++) {
        word = i % 2 ? heap : global;
        if (writes[i].write != by_store)
            run(i, check_npes - 1);
    }
    writes_finish(heap);
    return check_finish();
}
