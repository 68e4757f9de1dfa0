/* SPDX-License-Identifier: BSD-3-Clause */
/* All PEs swap the token in their hand with the one on a shared table: whatever the order, no token is lost and none
 * is there twice. For every type with a swap; small integers are exact in all of them. */
#include "../../check.h"
#include "../../types.h"

#define SWAPS 100
#define LARGEST_JOB 64

static long seen[LARGEST_JOB + 1];

static void count(long token, const char *type)
{
    if (CHECK(token >= 0 && token <= check_npes, "%s: token %ld was never given out", type, token))
        shmem_long_atomic_inc(&seen[token], 0);
}

static void expect_all(const char *type)
{
    for (int i = 0; i <= check_npes; i++) {
        CHECK(seen[i] == 1, "%s: token %d is there %ld times, expected once", type, i, seen[i]);
        seen[i] = 0;
    }
}

/* PE i starts with token i + 1; token 0 lies on the table of PE 0. */
#define TEST(NAME, TYPE)                                               \
    static TYPE NAME##_table;                                          \
    static void test_##NAME(void)                                      \
    {                                                                  \
        TYPE hand = (TYPE)(check_me + 1);                              \
        shmem_barrier_all();                                           \
        for (int i = 0; i < SWAPS; i++)                                \
            hand = shmem_##NAME##_atomic_swap(&NAME##_table, hand, 0); \
        shmem_barrier_all();                                           \
        count((long)hand, #NAME);                                      \
        if (check_me == 0)                                             \
            count((long)NAME##_table, #NAME);                          \
        shmem_barrier_all();                                           \
        if (check_me == 0)                                             \
            expect_all(#NAME);                                         \
    }
TYPES_AMO_EXTENDED(TEST)

#define CALL(NAME, TYPE) test_##NAME();

int main(void)
{
    check_start();
    if (check_npes > LARGEST_JOB)
        check_skip("more PEs than this test has room for");
    TYPES_AMO_EXTENDED(CALL)
    return check_finish();
}
