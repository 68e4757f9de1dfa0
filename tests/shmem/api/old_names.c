/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that programs written for other libraries and for SHMEM before 1.2 use: shmalloc and kin, Sandia's shmemx_
 * calls that are standard now, Open MPI's version macro. All of them reach the same functions. */
#include <shmemx.h>

#include "check.h"

#if OSHMEM_SPEC_VERSION != SHMEM_MAJOR_VERSION * 10000 + SHMEM_MINOR_VERSION * 100
#error "the version in one number"
#endif

enum { WORDS = 1000, BIG = 4096 };

static uint64_t signals;

static void heap(void)
{
    int *block = shmalloc(WORDS * sizeof *block);
    char *aligned = shmemalign(BIG, 100);

    CHECK(block && shmem_addr_accessible(block, check_next()), "shmalloc gave %p", (void *)block);
    CHECK(aligned && (uintptr_t)aligned % BIG == 0, "shmemalign(%d) gave %p", BIG, (void *)aligned);
    for (int i = 0; i < WORDS; i++)
        block[i] = check_me + i;
    block = shrealloc(block, 10 * WORDS * sizeof *block);
    shmem_barrier_all();
    CHECK(block && shmem_int_g(&block[WORDS - 1], check_next()) == check_next() + WORDS - 1,
          "shrealloc lost what was there");
    shmem_barrier_all();
    shfree(aligned);
    shfree(block);
}

static void extensions(void)
{
    static long blocks[12], sums[2];
    const long from[6] = {1, 2, 3, 4, 5, 6};
    int initialized = 0;

    shmemx_query_initialized(&initialized);
    CHECK(initialized == 1, "shmemx_query_initialized says %d", initialized);
    shmemx_long_ibput(blocks, from, 4, 2, 2, 3, check_next());
    shmemx_ctx_ibput64(SHMEM_CTX_DEFAULT, blocks + 2, from, 4, 2, 1, 3, check_next());
    shmemx_signal_add(&signals, 7, check_next());
    shmem_barrier_all();
    const long expected[12] = {1, 2, 1, 0, 3, 4, 3, 0, 5, 6, 5, 0};
    CHECK(memcmp(blocks, expected, sizeof expected) == 0, "shmemx_long_ibput and shmemx_ctx_ibput64");
    CHECK(signals == 7, "shmemx_signal_add: %llu", (unsigned long long)signals);

    sums[0] = check_me + 1;
    shmem_barrier_all();
    shmemx_long_sum_inscan(SHMEM_TEAM_WORLD, &sums[1], &sums[0], 1);
    CHECK(sums[1] == (check_me + 1) * (check_me + 2) / 2, "shmemx_long_sum_inscan: %ld", sums[1]);
    shmemx_sum_exscan(SHMEM_TEAM_WORLD, &sums[1], &sums[0], 1);
    CHECK(sums[1] == check_me * (check_me + 1) / 2, "shmemx_sum_exscan: %ld", sums[1]);
}

int main(void)
{
    check_start();
    heap();
    extensions();
    return check_finish();
}
