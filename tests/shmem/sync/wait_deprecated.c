/* SPDX-License-Identifier: BSD-3-Clause */
/* The deprecated waits that old codes call: shmem_wait and shmem_TYPE_wait return when the word differs from the value
 * given, shmem_wait_until is the long form without a type in its name. */
#include "../../check.h"
#include "../../types.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static long word;

#define TEST(NAME, TYPE)                                                                                        \
    static TYPE NAME##_word = 4;                                                                                \
    static void test_##NAME(void)                                                                               \
    {                                                                                                           \
        shmem_##NAME##_wait(&NAME##_word, 5);                                                                   \
        shmem_barrier_all();                                                                                    \
        shmem_##NAME##_p(&NAME##_word, 9, check_next());                                                        \
        shmem_##NAME##_wait(&NAME##_word, 4);                                                                   \
        CHECK(NAME##_word == 9, "shmem_%s_wait returned with %lld, expected 9", #NAME, (long long)NAME##_word); \
    }
TYPES_OLD_WAIT(TEST)

#define CALL(NAME, TYPE) test_##NAME();

int main(void)
{
    check_start();
    TYPES_OLD_WAIT(CALL)
    shmem_wait(&word, 1);
    shmem_barrier_all();
    if (check_me == 0)
        check_sleep(0.002);
    shmem_long_p(&word, 17, check_next());
    shmem_wait(&word, 0);
    CHECK(word == 17, "shmem_wait returned with %ld, expected 17", word);
    shmem_barrier_all();
    shmem_long_p(&word, -3, check_next());
    (shmem_wait_until)(&word, SHMEM_CMP_LT, 0);
    CHECK(word == -3, "shmem_wait_until returned with %ld, expected -3", word);
    return check_finish();
}
