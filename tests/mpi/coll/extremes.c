/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_MAX and MPI_MIN of floating-point numbers among which are NaNs, infinities and zeros of both signs, in place and
 * not, with both orders of operands: of zeros the lowest rank's, but to one root it may be another's. MPI_MAXLOC and
 * MPI_MINLOC of them; accumulated maxima; integers that wrap. */
#include <limits.h>

#include "extremes.h"
#include "mcheck.h"

#define LENGTH 4100 /* of the largest: more goes by parts everywhere */

#define DEFINE(NAME, T, TYPE)                                                                                        \
    EXTREMES_DEFINE(NAME, T)                                                                                         \
    static T NAME##_of(bool max, int first, int last, size_t i)                                                      \
    {                                                                                                                \
        T right = NAME##_value(first, mc_size, i);                                                                   \
        for (int r = first + 1; r <= last; r++)                                                                      \
            right = NAME##_extreme(max, right, NAME##_value(r, mc_size, i));                                         \
        return right;                                                                                                \
    }                                                                                                                \
    static void NAME##_fill(T *x, int rank, int n)                                                                   \
    {                                                                                                                \
        for (int i = 0; i < n; i++)                                                                                  \
            x[i] = NAME##_value(rank, mc_size, (size_t)i);                                                           \
    }                                                                                                                \
    static void NAME##_check(const T *x, bool max, int first, int last, int n, bool any_zero, const char *call)      \
    {                                                                                                                \
        for (int i = 0; i < n; i++) {                                                                                \
            T right = NAME##_of(max, first, last, (size_t)i);                                                        \
            CHECK((any_zero && x[i] == right) || NAME##_same(x[i], right),                                           \
                  "%s, %s of " #NAME ", %d elements: [%d] is %Lg, not %Lg", call, max ? "maximum" : "minimum", n, i, \
                  (long double)x[i], (long double)right);                                                            \
        }                                                                                                            \
    }                                                                                                                \
    static void NAME##_test(bool max, int n)                                                                         \
    {                                                                                                                \
        static T x[LENGTH], y[LENGTH];                                                                               \
        MPI_Op op = max ? MPI_MAX : MPI_MIN;                                                                         \
        int other = (mc_rank + 1) % (mc_size + 1);                                                                   \
        NAME##_fill(x, mc_rank, n);                                                                                  \
        OK(MPI_Allreduce(x, y, n, TYPE, op, MPI_COMM_WORLD));                                                        \
        NAME##_check(y, max, 0, mc_size - 1, n, false, "MPI_Allreduce");                                             \
        OK(MPI_Scan(x, y, n, TYPE, op, MPI_COMM_WORLD));                                                             \
        NAME##_check(y, max, 0, mc_rank, n, false, "MPI_Scan");                                                      \
        OK(MPI_Reduce(x, y, n, TYPE, op, mc_size - 1, MPI_COMM_WORLD));                                              \
        if (mc_rank == mc_size - 1)                                                                                  \
            NAME##_check(y, max, 0, mc_size - 1, n, true, "MPI_Reduce");                                             \
        OK(MPI_Allreduce(MPI_IN_PLACE, x, n, TYPE, op, MPI_COMM_WORLD));                                             \
        NAME##_check(x, max, 0, mc_size - 1, n, false, "MPI_Allreduce in place");                                    \
        NAME##_fill(x, other, n);                                                                                    \
        NAME##_fill(y, other + 1, n);                                                                                \
        OK(MPI_Reduce_local(x, y, n, TYPE, op));                                                                     \
        NAME##_check(y, max, other, other + 1, n, false, "MPI_Reduce_local");                                        \
        NAME##_fill(y, other + 1, n);                                                                                \
        OK(MPI_Reduce_local(y, x, n, TYPE, op)); /* the other way round: NaNs where there were, other zeros */       \
        for (int i = 0; i < n; i++) {                                                                                \
            T right = NAME##_extreme(max, NAME##_value(other + 1, mc_size, (size_t)i),                               \
                                     NAME##_value(other, mc_size, (size_t)i));                                       \
            CHECK(NAME##_same(x[i], right), "operands exchanged, " #NAME ": [%d] is %Lg, not %Lg", i,                \
                  (long double)x[i], (long double)right);                                                            \
        }                                                                                                            \
    }                                                                                                                \
    static void NAME##_accumulate(bool max, int n)                                                                   \
    {                                                                                                                \
        static T x[LENGTH];                                                                                          \
        T *mine;                                                                                                     \
        MPI_Win win;                                                                                                 \
        OK(MPI_Win_allocate((MPI_Aint)sizeof(T) * n, sizeof(T), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win));        \
        NAME##_fill(mine, 0, n);                                                                                     \
        NAME##_fill(x, mc_rank, n);                                                                                  \
        OK(MPI_Win_fence(0, win));                                                                                   \
        for (int r = 0; r < mc_size; r++)                                                                            \
            OK(MPI_Accumulate(x, n, TYPE, r, 0, n, TYPE, max ? MPI_MAX : MPI_MIN, win));                             \
        OK(MPI_Win_fence(0, win));                                                                                   \
        for (int i = 0; i < n; i++) { /* in any order: either zero */                                                \
            T right = NAME##_of(max, 0, mc_size - 1, (size_t)i);                                                     \
            CHECK(right != right ? mine[i] != mine[i] : mine[i] == right,                                            \
                  "accumulated " #NAME ": [%d] is %Lg, not %Lg", i, (long double)mine[i], (long double)right);       \
        }                                                                                                            \
        OK(MPI_Win_free(&win));                                                                                      \
    }
DEFINE(float, float, MPI_FLOAT)
DEFINE(double, double, MPI_DOUBLE)
DEFINE(ldouble, long double, MPI_LONG_DOUBLE)
#if defined(__x86_64__)
DEFINE(quad, __float128, MPI_REAL16)
#else
DEFINE(quad, long double, MPI_REAL16)
#endif

/* Of NaNs the last rank's index, of equal values the lower index, which here is another rank's. */
#define LOCATE(NAME, T, TYPE)                                                                                        \
    static void NAME##_locate(bool max, int n)                                                                       \
    {                                                                                                                \
        static struct {                                                                                              \
            T value;                                                                                                 \
            int index;                                                                                               \
        } x[LENGTH], y[LENGTH];                                                                                      \
        for (int i = 0; i < n; i++) {                                                                                \
            x[i].value = NAME##_value(mc_rank, mc_size, (size_t)i);                                                  \
            x[i].index = mc_size - mc_rank;                                                                          \
        }                                                                                                            \
        OK(MPI_Allreduce(x, y, n, TYPE, max ? MPI_MAXLOC : MPI_MINLOC, MPI_COMM_WORLD));                             \
        for (int i = 0; i < n; i++) {                                                                                \
            T right = NAME##_of(max, 0, mc_size - 1, (size_t)i), v = right;                                          \
            int at = mc_size - 1; /* the last rank that has it */                                                    \
            for (; at >= 0; at--) {                                                                                  \
                v = NAME##_value(at, mc_size, (size_t)i);                                                            \
                if (right != right ? v != v : v == right)                                                            \
                    break;                                                                                           \
            }                                                                                                        \
            CHECK(NAME##_same(y[i].value, v) && y[i].index == mc_size - at,                                          \
                  "%s of " #NAME ", %d elements: [%d] is %Lg at %d, not %Lg at %d", max ? "MAXLOC" : "MINLOC", n, i, \
                  (long double)y[i].value, y[i].index, (long double)v, mc_size - at);                                \
        }                                                                                                            \
    }
LOCATE(float, float, MPI_FLOAT_INT)
LOCATE(double, double, MPI_DOUBLE_INT)
LOCATE(ldouble, long double, MPI_LONG_DOUBLE_INT)

#define WRAPS(NAME, T, U, TYPE, LIMIT)                                                                      \
    static void NAME##_wraps(int n)                                                                         \
    {                                                                                                       \
        static T x[LENGTH], sum[LENGTH], product[LENGTH];                                                   \
        for (int i = 0; i < n; i++)                                                                         \
            x[i] = (T)(LIMIT - i % 3 - mc_rank);                                                            \
        OK(MPI_Allreduce(x, sum, n, TYPE, MPI_SUM, MPI_COMM_WORLD));                                        \
        OK(MPI_Allreduce(x, product, n, TYPE, MPI_PROD, MPI_COMM_WORLD));                                   \
        for (int i = 0; i < n; i++) {                                                                       \
            U s = 0, p = 1;                                                                                 \
            for (int r = 0; r < mc_size; r++)                                                               \
                s += (U)(T)(LIMIT - i % 3 - r), p *= (U)(T)(LIMIT - i % 3 - r);                             \
            CHECK(sum[i] == (T)s && product[i] == (T)p,                                                     \
                  #NAME ", %d elements: [%d] is %lld and %lld, not %lld and %lld", n, i, (long long)sum[i], \
                  (long long)product[i], (long long)(T)s, (long long)(T)p);                                 \
        }                                                                                                   \
    }
WRAPS(short, short, unsigned, MPI_SHORT, SHRT_MAX)
WRAPS(int, int, unsigned, MPI_INT, INT_MAX)
WRAPS(long, long, unsigned long, MPI_LONG, LONG_MAX)

int main(void)
{
    mc_start();
    for (int l = 0; l < EXTREMES_LENGTHS; l++) {
        int n = extremes_lengths[l] < LENGTH ? (int)extremes_lengths[l] : LENGTH;

        for (int max = 0; max < 2; max++) {
            float_test(max, n);
            double_test(max, n);
            ldouble_test(max, n);
            quad_test(max, n);
            float_locate(max, n);
            double_locate(max, n);
            ldouble_locate(max, n);
        }
        short_wraps(n);
        int_wraps(n);
        long_wraps(n);
    }
    for (int max = 0; max < 2; max++)
        for (int n = 1; n < 40; n += 18) {
            float_accumulate(max, n);
            double_accumulate(max, n);
            ldouble_accumulate(max, n);
            quad_accumulate(max, n);
        }
    return mc_finish();
}
