/* SPDX-License-Identifier: BSD-3-Clause */
/* The atomic names of OpenSHMEM 1.3 and before, which old codes call: fetch, set, swap of 5 types, cswap, inc, finc,
 * add, fadd of 3. */
#include "../../check.h"
#include "../../types.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define GIVES(call, value)                                                       \
    do {                                                                         \
        double seen = (double)(call), expected = (double)(value);                \
        CHECK(seen == expected, "%s is %g, expected %g", #call, seen, expected); \
    } while (0)

#define TEST_EXTENDED(NAME, TYPE)                                    \
    static TYPE NAME##_word = 3;                                     \
    static void test_extended_##NAME(int pe)                         \
    {                                                                \
        GIVES(shmem_##NAME##_fetch(&NAME##_word, pe), 3);            \
        shmem_##NAME##_set(&NAME##_word, (TYPE) - 17, pe);           \
        shmem_quiet();                                               \
        GIVES(shmem_##NAME##_swap(&NAME##_word, (TYPE)20, pe), -17); \
        GIVES(shmem_##NAME##_fetch(&NAME##_word, pe), 20);           \
    }
TYPES_OLD_AMO_EXTENDED(TEST_EXTENDED)

#define TEST(NAME, TYPE)                                                       \
    static void test_##NAME(int pe)                                            \
    {                                                                          \
        GIVES(shmem_##NAME##_cswap(&NAME##_word, (TYPE)21, (TYPE)5, pe), 20);  \
        GIVES(shmem_##NAME##_cswap(&NAME##_word, (TYPE)20, (TYPE)30, pe), 20); \
        GIVES(shmem_##NAME##_finc(&NAME##_word, pe), 30);                      \
        shmem_##NAME##_inc(&NAME##_word, pe);                                  \
        shmem_quiet();                                                         \
        GIVES(shmem_##NAME##_fadd(&NAME##_word, (TYPE) - 40, pe), 32);         \
        shmem_##NAME##_add(&NAME##_word, (TYPE)100, pe);                       \
        shmem_quiet();                                                         \
        GIVES(shmem_##NAME##_fetch(&NAME##_word, pe), 92);                     \
    }
TYPES_OLD_AMO(TEST)

#define CALL_EXTENDED(NAME, TYPE) test_extended_##NAME(check_next());
#define CALL(NAME, TYPE) test_##NAME(check_next());

int main(void)
{
    check_start();
    TYPES_OLD_AMO_EXTENDED(CALL_EXTENDED)
    TYPES_OLD_AMO(CALL)
    return check_finish();
}
