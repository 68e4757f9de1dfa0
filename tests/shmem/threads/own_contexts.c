/* SPDX-License-Identifier: BSD-3-Clause */
/* THREAD_MULTIPLE: several threads of every PE hammer all PEs, each on a context of its own, with puts, gets, strided
 * forms and atomics, its results checked at once; contexts are made and destroyed meanwhile. */
#include "workers.h"

#define ROUNDS 60
#define WORDS 128
#define LARGEST_JOB 64

static long area[LARGEST_JOB][WORKERS][WORDS]; /* at each PE a part for every thread of the job */
static long counters[WORKERS], total;

static const long options[WORKERS] = {SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED, 0, SHMEM_CTX_PRIVATE};

static void round_trip(struct worker *self, shmem_ctx_t ctx, int pe, long round)
{
    long *mine = area[check_me][self->number], source[WORDS], got[WORDS];
    size_t n = 1 + check_random_below(&self->random, WORDS);

    for (size_t i = 0; i < n; i++)
        source[i] = (long)(check_random(&self->random) >> 1);
    if (round % 3 == 0)
        shmem_ctx_long_put(ctx, mine, source, n, pe);
    else if (round % 3 == 1)
        shmem_ctx_long_put_nbi(ctx, mine, source, n, pe);
    else
        for (size_t i = 0; i < n; i++)
            shmem_ctx_long_p(ctx, &mine[i], source[i], pe);
    shmem_ctx_quiet(ctx);
    if (round % 2)
        shmem_ctx_long_get(ctx, got, mine, n, pe);
    else
        shmem_ctx_long_get_nbi(ctx, got, mine, n, pe);
    shmem_ctx_quiet(ctx);
    for (size_t i = 0; i < n; i++)
        if (!CHECK(got[i] == source[i], "thread %d, round %ld, PE %d: word %zu of %zu is %ld, expected %ld",
                   self->number, round, pe, i, n, got[i], source[i]))
            return;
}

static void hammer(struct worker *self)
{
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;

    for (long round = 0; round < ROUNDS; round++) {
        int pe = (int)check_random_below(&self->random, (uint64_t)check_npes);

        if (round % 20 == 0) {
            int status = shmem_ctx_create(options[self->number], &ctx);
            REQUIRE(status == 0, "shmem_ctx_create(%ld) returned %d, expected 0", options[self->number], status);
        }
        round_trip(self, ctx, pe, round);
        shmem_ctx_long_atomic_inc(ctx, &counters[self->number], pe);
        shmem_ctx_long_atomic_fetch_add(ctx, &total, self->number + 1, 0);
        if (round % 20 == 19)
            shmem_ctx_destroy(ctx);
    }
}

int main(void)
{
    long expected;

    check_start_thread(SHMEM_THREAD_MULTIPLE);
    if (check_npes > LARGEST_JOB)
        check_skip("more PEs than this test has room for");
    shmem_barrier_all();
    workers_run(hammer);
    shmem_barrier_all();
    expected = (long)check_npes * ROUNDS * WORKERS * (WORKERS + 1) / 2;
    if (check_me == 0)
        CHECK(total == expected, "the total is %ld, expected %ld", total, expected);
    for (int i = 0; check_me == 0 && i < WORKERS; i++) {
        long sum = 0;
        for (int pe = 0; pe < check_npes; pe++)
            sum += shmem_long_g(&counters[i], pe);
        CHECK(sum == (long)check_npes * ROUNDS, "thread %d: all counters make %ld, expected %ld", i, sum,
              (long)check_npes * ROUNDS);
    }
    return check_finish();
}
