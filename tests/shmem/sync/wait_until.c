/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_TYPE_wait_until of all 14 types returns when the previous PE writes a value for which the comparison holds,
 * and not before: each row writes one that doesn't first. Writers are late by turns, so that others really wait. */
#include "../../check.h"
#include "../../types.h"

static const struct row {
    int cmp;
    const char *name;
    int64_t initial, compared, not_yet, last;
} rows[] = {
    {SHMEM_CMP_EQ, "EQ", 1, 5, 4, 5}, {SHMEM_CMP_NE, "NE", 5, 5, 5, 6}, {SHMEM_CMP_GT, "GT", 5, 5, 4, 6},
    {SHMEM_CMP_GE, "GE", 4, 5, 3, 5}, {SHMEM_CMP_LT, "LT", 6, 5, 5, 4}, {SHMEM_CMP_LE, "LE", 6, 5, 7, 5},
};

static void delay(size_t turn)
{
    if (turn % (size_t)check_npes == (size_t)check_me)
        check_sleep(0.001);
}

#define TEST(NAME, TYPE)                                                                                              \
    static TYPE NAME##_word;                                                                                          \
    static void test_##NAME(const struct row *row, size_t turn)                                                       \
    {                                                                                                                 \
        NAME##_word = (TYPE)row->initial;                                                                             \
        shmem_barrier_all();                                                                                          \
        delay(turn);                                                                                                  \
        shmem_##NAME##_p(&NAME##_word, (TYPE)row->not_yet, check_next());                                             \
        shmem_quiet();                                                                                                \
        shmem_##NAME##_p(&NAME##_word, (TYPE)row->last, check_next());                                                \
        shmem_##NAME##_wait_until(&NAME##_word, row->cmp, (TYPE)row->compared);                                       \
        CHECK(NAME##_word == (TYPE)row->last, "shmem_%s_wait_until %s %lld returned with %lld, expected %lld", #NAME, \
              row->name, (long long)row->compared, (long long)NAME##_word, (long long)row->last);                     \
        shmem_barrier_all();                                                                                          \
    }
TYPES_SYNC_ALL(TEST)

#define CALL(NAME, TYPE) test_##NAME(&rows[i], turn++);

int main(void)
{
    size_t turn = 0;

    check_start();
    for (size_t i = 0; i < CHECK_COUNT(rows); i++) {
        TYPES_SYNC_ALL(CALL)
    }
    return check_finish();
}
