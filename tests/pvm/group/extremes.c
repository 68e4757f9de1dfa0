/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PvmMax and PvmMin of floating-point numbers among which are NaNs, infinities and zeros
 * of both signs, at every root: its own data come first, then the others' by instance.
 * Complex numbers of NaN modulus; integers that wrap.
 */
#include <limits.h>

#include "extremes.h"
#include "pcheck.h"

enum { MOST = 1023, FULL = 33 };
static int instance; /* in the group: PE numbers, as all join in their order */

#define DEFINE(NAME, T, TYPE)                                                                                         \
    EXTREMES_DEFINE(NAME, T)                                                                                          \
    static void NAME##_test(int root, bool max, size_t n)                                                             \
    {                                                                                                                 \
        static T x[MOST];                                                                                             \
        for (size_t i = 0; i < n; i++)                                                                                \
            x[i] = NAME##_value(instance, pc_size, i);                                                                \
        GIVES(pvm_reduce(max ? PvmMax : PvmMin, x, (int)n, TYPE, 3, "extremes", root), 0);                            \
        for (size_t i = 0; i < n && instance == root; i++) {                                                          \
            T right = NAME##_value(root, pc_size, i);                                                                 \
            for (int k = 0; k < pc_size; k++)                                                                         \
                right = k == root ? right : NAME##_extreme(max, right, NAME##_value(k, pc_size, i));                  \
            CHECK(NAME##_same(x[i], right), #NAME ", root %d, max %d, %zu elements: [%zu] is %g, not %g", root, max,  \
                  n, i, (double)x[i], (double)right);                                                                 \
        }                                                                                                             \
    }                                                                                                                 \
    static void NAME##_orders(bool max)                                                                               \
    {                                                                                                                 \
        T x[FULL], y[FULL];                                                                                           \
        int type = TYPE, n = FULL, info = 5;                                                                          \
        for (int order = 0; order < 2; order++) {                                                                     \
            for (int i = 0; i < FULL; i++)                                                                            \
                x[i] = NAME##_value(order, 2, (size_t)i), y[i] = NAME##_value(!order, 2, (size_t)i);                  \
            (max ? PvmMax : PvmMin)(&type, x, y, &n, &info);                                                          \
            for (int i = 0; i < FULL; i++) {                                                                          \
                T right = NAME##_extreme(max, NAME##_value(order, 2, (size_t)i), NAME##_value(!order, 2, (size_t)i)); \
                CHECK(info == 0 && NAME##_same(x[i], right), #NAME ", order %d: [%d] is %g", order, i, (double)x[i]); \
            }                                                                                                         \
        }                                                                                                             \
    }
DEFINE(float, float, PVM_FLOAT)
DEFINE(double, double, PVM_DOUBLE)

/* A complex number with a NaN part has no modulus, and wins; of equal moduli x stays. */
#define MODULI(NAME, T, TYPE)                                                                            \
    static void NAME##_moduli(void)                                                                      \
    {                                                                                                    \
        const T nan = (T)__builtin_nan("");                                                              \
        for (int max = 0; max < 2; max++) {                                                              \
            T x[] = {1, 2, nan, 0, 5, 5, 3, 4, -4, 3}, y[] = {0, nan, 7, 7, nan, 1, 4, 3, 6, 8};         \
            int type = TYPE, n = 5, info = 5;                                                            \
            (max ? PvmMax : PvmMin)(&type, x, y, &n, &info);                                             \
            CHECK(info == 0 && x[0] == 0 && x[1] != x[1], "y's NaN: %g %g", (double)x[0], (double)x[1]); \
            CHECK(x[2] != x[2] && x[3] == 0, "x's NaN: %g %g", (double)x[2], (double)x[3]);              \
            CHECK(x[4] != x[4] && x[5] == 1, "y's NaN: %g %g", (double)x[4], (double)x[5]);              \
            CHECK(x[6] == 3 && x[7] == 4, "equal: %g %g", (double)x[6], (double)x[7]);                   \
            CHECK(x[8] == (max ? 6 : -4) && x[9] == (max ? 8 : 3), "%g %g", (double)x[8], (double)x[9]); \
        }                                                                                                \
    }
MODULI(cplx, float, PVM_CPLX)
MODULI(dcplx, double, PVM_DCPLX)

#define WRAPS(NAME, T, U, TYPE, LIMIT)                                                                  \
    static void NAME##_wraps(int root)                                                                  \
    {                                                                                                   \
        T x[FULL], y[FULL];                                                                             \
        for (int i = 0; i < FULL; i++)                                                                  \
            x[i] = y[i] = (T)(LIMIT - i - instance);                                                    \
        GIVES(pvm_reduce(PvmSum, x, FULL, TYPE, 4, "extremes", root), 0);                               \
        GIVES(pvm_reduce(PvmProduct, y, FULL, TYPE, 5, "extremes", root), 0);                           \
        for (int i = 0; i < FULL && instance == root; i++) {                                            \
            U s = 0, p = 1;                                                                             \
            for (int k = 0; k < pc_size; k++)                                                           \
                s += (U)(T)(LIMIT - i - k), p *= (U)(T)(LIMIT - i - k);                                 \
            CHECK(x[i] == (T)s && y[i] == (T)p, #NAME " [%d]: %ld and %ld", i, (long)x[i], (long)y[i]); \
        }                                                                                               \
    }
WRAPS(short, short, unsigned, PVM_SHORT, SHRT_MAX)
WRAPS(int, int, unsigned, PVM_INT, INT_MAX)
WRAPS(long, long, unsigned long, PVM_LONG, LONG_MAX)

int main(void)
{
    pc_start();
    for (int turn = 0; turn < pc_size; turn++) {
        if (turn == pc_me)
            GIVES(instance = pvm_joingroup("extremes"), turn);
        GIVES(pvm_barrier(NULL, -1), 0);
    }
    for (int max = 0; max < 2; max++) {
        float_orders(max);
        double_orders(max);
        for (int root = 0; root < pc_size; root++)
            for (int l = 0; l < EXTREMES_LENGTHS && extremes_lengths[l] <= MOST; l++) {
                float_test(root, max, extremes_lengths[l]);
                double_test(root, max, extremes_lengths[l]);
            }
    }
    cplx_moduli();
    dcplx_moduli();
    for (int root = 0; root < pc_size; root++) {
        short_wraps(root);
        int_wraps(root);
        long_wraps(root);
    }
    GIVES(pvm_barrier(NULL, -1), 0); /* who leaves is no member any more */
    return pc_finish();
}
