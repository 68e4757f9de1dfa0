/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_TYPE_p and shmem_TYPE_g, with and without a context, for all 24 types: extreme values keep every bit,
 * and a p changes one element only. */
#include "../../check.h"
#include "../../types.h"
#include <float.h>
#include <math.h>

static shmem_ctx_t ctx;

static const uint64_t integers[] = {0,      1,          UINT64_MAX,  0x80,       0x7f,      0x8000,
                                    0x7fff, 0x80000000, 0x7fffffffu, 1ull << 63, INT64_MAX, 0x0123456789abcdefu};
static const double reals[] = {0.0,     1.0,     -0.0,    -1.5,  INFINITY, -INFINITY,
                               FLT_MAX, FLT_MIN, 1.0 / 3, 1e-42, DBL_MAX,  DBL_MIN / 8};

enum { VALUES = CHECK_COUNT(integers) };
_Static_assert(CHECK_COUNT(reals) == VALUES, "both tables serve one loop");

/* An x87 long double has six bytes of padding whose content nobody promises. */
static bool same(const void *a, const void *b, size_t size, bool real)
{
    return memcmp(a, b, real && size == 16 && LDBL_MANT_DIG == 64 ? 10 : size) == 0;
}

static void compare(const char *call, const void *seen, const void *expected, size_t size, bool real, int i)
{
    uint64_t a = 0, b = 0;

    memcpy(&a, seen, size < 8 ? size : 8);
    memcpy(&b, expected, size < 8 ? size : 8);
    CHECK(same(seen, expected, size, real), "%s, value %d: bits 0x%llx, expected 0x%llx", call, i,
          (unsigned long long)a, (unsigned long long)b);
}

#define IS_REAL(TYPE) ((TYPE)0.5 != 0)
#define PICK(TYPE, i) (IS_REAL(TYPE) ? (TYPE)reals[i] : (TYPE)integers[i])
/* What PE `pe` writes as number i: every PE another, so that a wrong PE shows. */
#define VALUE(TYPE, pe, i) PICK(TYPE, ((i) + (pe)) % VALUES)

/* Two elements for every value, one for each form of p; the one after the last must stay as it was. */
#define TEST(NAME, TYPE)                                                                                         \
    static TYPE NAME##_memory[2 * VALUES + 1];                                                                   \
    static void test_##NAME(void)                                                                                \
    {                                                                                                            \
        TYPE rest = VALUE(TYPE, check_me, 1), got;                                                               \
        for (int i = 0; i <= 2 * VALUES; i++)                                                                    \
            NAME##_memory[i] = rest;                                                                             \
        shmem_barrier_all();                                                                                     \
        for (int i = 0; i < VALUES; i++) {                                                                       \
            shmem_##NAME##_p(&NAME##_memory[2 * i], VALUE(TYPE, check_me, i), check_next());                     \
            shmem_ctx_##NAME##_p(ctx, &NAME##_memory[2 * i + 1], VALUE(TYPE, check_me, i), check_next());        \
        }                                                                                                        \
        shmem_ctx_quiet(ctx);                                                                                    \
        shmem_barrier_all();                                                                                     \
        for (int i = 0; i < 2 * VALUES; i++) {                                                                   \
            TYPE expected = VALUE(TYPE, check_previous(), i / 2);                                                \
            compare("after shmem_" #NAME "_p", &NAME##_memory[i], &expected, sizeof(TYPE), IS_REAL(TYPE), i);    \
            expected = VALUE(TYPE, (check_previous() + check_npes - 1) % check_npes, i / 2);                     \
            got = shmem_##NAME##_g(&NAME##_memory[i], check_previous());                                         \
            compare("shmem_" #NAME "_g", &got, &expected, sizeof(TYPE), IS_REAL(TYPE), i);                       \
            expected = VALUE(TYPE, check_me, i / 2);                                                             \
            got = shmem_ctx_##NAME##_g(ctx, &NAME##_memory[i], check_next());                                    \
            compare("shmem_ctx_" #NAME "_g", &got, &expected, sizeof(TYPE), IS_REAL(TYPE), i);                   \
        }                                                                                                        \
        compare("beside shmem_" #NAME "_p", &NAME##_memory[2 * VALUES], &rest, sizeof(TYPE), IS_REAL(TYPE), -1); \
    }
TYPES_RMA(TEST)

#define CALL(NAME, TYPE) test_##NAME();

int main(void)
{
    int status;

    check_start();
    status = shmem_ctx_create(0, &ctx);
    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    TYPES_RMA(CALL)
    shmem_ctx_destroy(ctx);
    return check_finish();
}
