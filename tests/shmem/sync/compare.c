/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_TYPE_test with all six comparisons of values that tell signed from unsigned and narrow from wide, for all 14
 * types; where the comparison holds, shmem_TYPE_wait_until returns at once. */
#include "../../check.h"
#include "../../types.h"

#define SIX(X) \
    X(EQ, ==)  \
    X(NE, !=)  \
    X(GT, >)   \
    X(GE, >=)  \
    X(LT, <)   \
    X(LE, <=)

#define ROW(CMP, OPERATOR) {SHMEM_CMP_##CMP, "SHMEM_CMP_" #CMP},
static const struct {
    int code;
    const char *name;
} comparisons[] = {SIX(ROW)};

static const uint64_t values[] = {
    0,          1,          2,         UINT64_MAX, 0x7fff,      0x8000,  0x7fffffff,
    0x80000000, 0x80000001, INT64_MAX, 1ull << 63, 0x100000000, 0x10000,
};

#define EXPECTED(CMP, OPERATOR) a OPERATOR b,
#define TEST(NAME, TYPE)                                                          \
    static TYPE NAME##_word;                                                      \
    static void test_##NAME(size_t i, size_t j)                                   \
    {                                                                             \
        TYPE a = (TYPE)values[i], b = (TYPE)values[j];                            \
        const int expected[] = {SIX(EXPECTED)};                                   \
        NAME##_word = a;                                                          \
        for (size_t k = 0; k < CHECK_COUNT(comparisons); k++) {                   \
            int seen = shmem_##NAME##_test(&NAME##_word, comparisons[k].code, b); \
            report(#NAME, comparisons[k].name, i, j, seen, expected[k]);          \
            if (expected[k])                                                      \
                shmem_##NAME##_wait_until(&NAME##_word, comparisons[k].code, b);  \
        }                                                                         \
    }

static void report(const char *type, const char *comparison, size_t i, size_t j, int seen, int expected)
{
    CHECK((seen != 0) == expected, "shmem_%s_test of 0x%llx %s 0x%llx is %d, expected %d", type,
          (unsigned long long)values[i], comparison, (unsigned long long)values[j], seen, expected);
}

TYPES_SYNC_ALL(TEST)

#define CALL(NAME, TYPE) test_##NAME(i, j);

int main(void)
{
    check_start();
    for (size_t i = 0; i < CHECK_COUNT(values); i++)
        for (size_t j = 0; j < CHECK_COUNT(values); j++) {
            TYPES_SYNC_ALL(CALL)
        }
    return check_finish();
}
