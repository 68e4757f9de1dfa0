/* SPDX-License-Identifier: BSD-3-Clause */
/* All PEs add to one word by compare_swap in a loop, for 12 types: a swap that succeeds without comparing the value
 * it replaces would lose somebody's addition. */
#include "../../check.h"
#include "../../types.h"

#define ADDITIONS 1500

#define TEST(NAME, TYPE)                                                                                    \
    static TYPE NAME##_word;                                                                                \
    static void test_##NAME(void)                                                                           \
    {                                                                                                       \
        TYPE seen = 0;                                                                                      \
        shmem_barrier_all();                                                                                \
        for (int done = 0; done < ADDITIONS;) {                                                             \
            TYPE old = shmem_##NAME##_atomic_compare_swap(&NAME##_word, seen, (TYPE)(seen + 1), 0);         \
            done += old == seen;                                                                            \
            seen = old == seen ? (TYPE)(seen + 1) : old;                                                    \
        }                                                                                                   \
        shmem_barrier_all();                                                                                \
        if (check_me == 0)                                                                                  \
            CHECK(NAME##_word == (TYPE)(ADDITIONS * check_npes), "%s: the sum is %lld, expected %d", #NAME, \
                  (long long)NAME##_word, ADDITIONS * check_npes);                                          \
    }
TYPES_AMO(TEST)

#define CALL(NAME, TYPE) test_##NAME();

int main(void)
{
    check_start();
    TYPES_AMO(CALL)
    return check_finish();
}
