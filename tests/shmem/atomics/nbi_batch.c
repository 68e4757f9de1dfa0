/* SPDX-License-Identifier: BSD-3-Clause */
/* Many nonblocking fetching atomics in flight before one quiet: every one happens once, and after the quiet every
 * result is in place. */
#include "../../check.h"

#define BATCH 500

static uint64_t counter[4];
static uint64_t fetched[BATCH], swapped[BATCH], compared[BATCH], read_back[BATCH];
static uint32_t words[BATCH], xored[BATCH];

static void issue(shmem_ctx_t ctx, int pe)
{
    for (int i = 0; i < BATCH; i++) {
        shmem_ctx_uint64_atomic_fetch_add_nbi(ctx, &fetched[i], &counter[0], 2, pe);
        shmem_ctx_uint64_atomic_swap_nbi(ctx, &swapped[i], &counter[1], (uint64_t)i + 1, pe);
        shmem_ctx_uint64_atomic_compare_swap_nbi(ctx, &compared[i], &counter[2], 0, 7, pe);
        shmem_ctx_uint64_atomic_fetch_nbi(ctx, &read_back[i], &counter[3], pe);
        shmem_ctx_uint32_atomic_fetch_xor_nbi(ctx, &xored[i], &words[i], (uint32_t)i, pe);
    }
    shmem_ctx_quiet(ctx);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Nonblocking operations have no order among themselves, so results are judged as a set. */
static void verify(uint64_t before)
{
    size_t zeros = 0, sevens = 0;

    qsort(fetched, BATCH, sizeof fetched[0], compare);
    qsort(swapped, BATCH, sizeof swapped[0], compare);
    for (int i = 0; i < BATCH; i++) {
        uint64_t expected = before + 2 * (uint64_t)i;
        CHECK(fetched[i] == expected, "fetch_add %d: %llu, expected %llu", i, (unsigned long long)fetched[i],
              (unsigned long long)expected);
        CHECK(i == 0 || swapped[i] != swapped[i - 1], "swap returned %llu twice", (unsigned long long)swapped[i]);
        CHECK(xored[i] == (before == 0 ? 0 : (uint32_t)i), "fetch_xor %d: %u, expected %d", i, xored[i],
              before == 0 ? 0 : i);
        CHECK(read_back[i] == 99, "fetch %d: %llu, expected 99", i, (unsigned long long)read_back[i]);
        zeros += compared[i] == 0;
        sevens += compared[i] == 7;
    }
    CHECK(before == 0 ? zeros == 1 && sevens == BATCH - 1 : sevens == BATCH,
          "compare_swap returned %zu times 0 and %zu times 7", zeros, sevens);
}

int main(void)
{
    shmem_ctx_t ctx;
    int status;

    check_start();
    counter[3] = 99;
    status = shmem_ctx_create(0, &ctx);
    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    shmem_barrier_all();
    issue(SHMEM_CTX_DEFAULT, check_next());
    verify(0);
    shmem_uint64_atomic_set(&counter[1], 0, check_next());
    shmem_quiet();
    issue(ctx, check_next());
    verify(2 * BATCH);
    shmem_barrier_all();
    for (int i = 0; i < BATCH; i++)
        CHECK(words[i] == 0, "a word xored twice with %d is %u, expected 0", i, words[i]);
    shmem_ctx_destroy(ctx);
    return check_finish();
}
