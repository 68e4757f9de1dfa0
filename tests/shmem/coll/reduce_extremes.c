/* SPDX-License-Identifier: BSD-3-Clause */
/* max and min of floating-point numbers among which are NaNs, infinities and zeros of both signs, into another array
 * and in place; signed sums and products that wrap. Every PE expects the same. */
#include "extremes.h"
#include "typed.h"
#include <limits.h>

enum way { TEAM, ACTIVE, WAYS };
static long sync_words[SHMEM_REDUCE_SYNC_SIZE], work_bytes[4096];
static void *source, *dest;

#define DEFINE(NAME, T)                                                                                                \
    EXTREMES_DEFINE(NAME, T)                                                                                           \
    static void NAME##_call(bool max, enum way way, T *to, const T *from, size_t n)                                    \
    {                                                                                                                  \
        if (way == TEAM)                                                                                               \
            (max ? shmem_##NAME##_max_reduce : shmem_##NAME##_min_reduce)(SHMEM_TEAM_WORLD, to, from, n);              \
        else                                                                                                           \
            (max ? shmem_##NAME##_max_to_all : shmem_##NAME##_min_to_all)(to, from, (int)n, 0, 0, check_npes,          \
                                                                          (void *)work_bytes, sync_words);             \
        shmem_barrier_all();                                                                                           \
    }                                                                                                                  \
    static void NAME##_test(bool max, enum way way, bool in_place, size_t n)                                           \
    {                                                                                                                  \
        T *from = source, *to = in_place ? source : dest;                                                              \
        for (size_t i = 0; i < n; i++)                                                                                 \
            from[i] = NAME##_value(check_me, check_npes, i);                                                           \
        shmem_barrier_all();                                                                                           \
        NAME##_call(max, way, to, from, n);                                                                            \
        for (size_t i = 0; i < n; i++) {                                                                               \
            T right = NAME##_value(0, check_npes, i);                                                                  \
            for (int pe = 1; pe < check_npes; pe++)                                                                    \
                right = NAME##_extreme(max, right, NAME##_value(pe, check_npes, i));                                   \
            CHECK(NAME##_same(to[i], right), #NAME " %s of %zu, way %d%s: [%zu] is %Lg, not %Lg", max ? "max" : "min", \
                  n, way, in_place ? ", in place" : "", i, (long double)to[i], (long double)right);                    \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
    }
DEFINE(float, float)
DEFINE(double, double)
DEFINE(longdouble, long double)

#define WRAPS(NAME, T, U, LIMIT)                                                                        \
    static void NAME##_wraps(size_t n)                                                                  \
    {                                                                                                   \
        T *from = source, *to = dest;                                                                   \
        U sum = 0, product = 1;                                                                         \
        for (size_t i = 0; i < n; i++)                                                                  \
            from[i] = (T)(LIMIT - (T)(i % 3) - check_me);                                               \
        shmem_barrier_all();                                                                            \
        shmem_##NAME##_sum_reduce(SHMEM_TEAM_WORLD, to, from, n);                                       \
        for (size_t i = 0; i < n; i++, sum = 0) {                                                       \
            for (int pe = 0; pe < check_npes; pe++)                                                     \
                sum += (U)(T)(LIMIT - (T)(i % 3) - pe);                                                 \
            CHECK(to[i] == (T)sum, #NAME " sum of %zu: [%zu] is %lld", n, i, (long long)to[i]);         \
        }                                                                                               \
        shmem_barrier_all();                                                                            \
        shmem_##NAME##_prod_reduce(SHMEM_TEAM_WORLD, to, from, n);                                      \
        for (size_t i = 0; i < n; i++, product = 1) {                                                   \
            for (int pe = 0; pe < check_npes; pe++)                                                     \
                product *= (U)(T)(LIMIT - (T)(i % 3) - pe);                                             \
            CHECK(to[i] == (T)product, #NAME " product of %zu: [%zu] is %lld", n, i, (long long)to[i]); \
        }                                                                                               \
        shmem_barrier_all();                                                                            \
    }
WRAPS(short, short, unsigned, SHRT_MAX)
WRAPS(int, int, unsigned, INT_MAX)
WRAPS(long, long, unsigned long, LONG_MAX)

int main(void)
{
    check_start();
    source = typed_symmetric(EXTREMES_MOST * sizeof(long double));
    dest = typed_symmetric(EXTREMES_MOST * sizeof(long double));
    for (size_t i = 0; i < CHECK_COUNT(sync_words); i++)
        sync_words[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    for (int l = 0; l < EXTREMES_LENGTHS; l++) {
        for (int how = 0; how < 8; how++) {
            bool max = how & 1, in_place = how & 2;
            enum way way = how & 4 ? ACTIVE : TEAM;
            size_t n = extremes_lengths[l];

            float_test(max, way, in_place, n);
            double_test(max, way, in_place, n);
            longdouble_test(max, way, in_place, n);
        }
        short_wraps(extremes_lengths[l]);
        int_wraps(extremes_lengths[l]);
        long_wraps(extremes_lengths[l]);
    }
    return check_finish();
}
