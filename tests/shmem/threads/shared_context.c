/* SPDX-License-Identifier: BSD-3-Clause */
/* THREAD_MULTIPLE: all threads use the default context, and one other, at the same time. Each thread's own quiet
 * completes its own operations, however many others are under way. */
#include "workers.h"

#define ROUNDS 100
#define WORDS 64
#define LARGEST_JOB 64

static long area[LARGEST_JOB][WORKERS][WORDS];
static long counter;
static shmem_ctx_t shared;

static void hammer(struct worker *self)
{
    long *mine = area[check_me][self->number], source[WORDS];

    for (long round = 0; round < ROUNDS; round++) {
        shmem_ctx_t ctx = round % 2 ? shared : SHMEM_CTX_DEFAULT;
        int pe = (int)check_random_below(&self->random, (uint64_t)check_npes);
        long old;

        for (int i = 0; i < WORDS; i++)
            source[i] = round * 1000 + i;
        shmem_ctx_long_put_nbi(ctx, mine, source, WORDS, pe);
        shmem_ctx_quiet(ctx);
        for (int i = 0; i < WORDS; i += 21)
            CHECK(shmem_ctx_long_g(ctx, &mine[i], pe) == source[i], "thread %d, PE %d: word %d is %ld, expected %ld",
                  self->number, pe, i, shmem_ctx_long_g(ctx, &mine[i], pe), source[i]);
        old = shmem_ctx_long_atomic_fetch_inc(ctx, &counter, pe);
        CHECK(old >= 0 && old < ROUNDS * WORKERS * check_npes, "fetch_inc returned %ld", old);
    }
}

int main(void)
{
    int status;
    long sum = 0;

    check_start_thread(SHMEM_THREAD_MULTIPLE);
    if (check_npes > LARGEST_JOB)
        check_skip("more PEs than this test has room for");
    status = shmem_ctx_create(0, &shared);
    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    shmem_barrier_all();
    workers_run(hammer);
    shmem_barrier_all();
    for (int pe = 0; pe < check_npes; pe++)
        sum += shmem_long_g(&counter, pe);
    CHECK(sum == (long)ROUNDS * WORKERS * check_npes, "all counters make %ld, expected %ld", sum,
          (long)ROUNDS * WORKERS * check_npes);
    shmem_ctx_destroy(shared);
    return check_finish();
}
