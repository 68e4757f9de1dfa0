/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of half-precision numbers, real and complex.
 */
#include <string.h>

#include "coll/op_loops.h"

static float from_half(coll_half h)
{
    uint32_t sign = (uint32_t)(h.bits & 0x8000) << 16, rest = h.bits & 0x7fff, bits;
    float f;

    if (rest < 0x400) { /* zero or subnormal: exact in float */
        f = (float)rest * 0x1p-24f;
        return sign ? -f : f;
    }
    bits = sign | (rest >= 0x7c00 ? 0x7f800000 | (rest & 0x3ff) << 13 : (rest << 13) + ((127 - 15) << 23));
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* To nearest, ties to even. */
static coll_half to_half(float f)
{
    uint32_t bits, rest, sign, kept;
    int drop;

    memcpy(&bits, &f, sizeof bits);
    sign = bits >> 16 & 0x8000;
    rest = bits & 0x7fffffff;
    if (rest >= 0x7f800000) /* infinite, or not a number */
        return (coll_half){(uint16_t)(sign | 0x7c00 | (rest > 0x7f800000 ? 0x200 | (rest >> 13 & 0x3ff) : 0))};
    if (rest < 0x33000000) /* less than coll_half of the least */
        return (coll_half){(uint16_t)sign};
    drop = rest >= 0x38800000 ? 13 : 126 - (int)(rest >> 23);
    kept = rest >= 0x38800000 ? rest - (112u << 23) : (rest & 0x7fffff) | 0x800000;
    kept = (kept >> drop) + ((kept >> (drop - 1) & 1) && ((kept >> drop & 1) || (kept & ((1u << (drop - 1)) - 1))));
    return (coll_half){(uint16_t)(sign | (kept < 0x7c00 ? kept : 0x7c00))};
}

static float _Complex from_chalf(coll_chalf h)
{
    float _Complex z;

    __real__ z = from_half(h.re);
    __imag__ z = from_half(h.im);
    return z;
}

#define HALF(OP, EXPR)                                                                 \
    static void OP##_HALF(const void *left, const void *right, void *result, size_t n) \
    {                                                                                  \
        const coll_half *a = left, *b = right;                                         \
        coll_half *r = result;                                                         \
        for (size_t i = 0; i < n; i++) {                                               \
            float x = from_half(a[i]), y = from_half(b[i]);                            \
            r[i] = to_half(EXPR);                                                      \
        }                                                                              \
    }
HALF(max, COLL_PICK(float, x, y, x, y, >))
HALF(min, COLL_PICK(float, x, y, x, y, <))
HALF(sum, x + y)
HALF(prod, x *y)

#define COMPLEX_HALF(OP, EXPR)                                                          \
    static void OP##_CHALF(const void *left, const void *right, void *result, size_t n) \
    {                                                                                   \
        const coll_chalf *a = left, *b = right;                                         \
        coll_chalf *r = result;                                                         \
        for (size_t i = 0; i < n; i++) {                                                \
            float _Complex x = from_chalf(a[i]), y = from_chalf(b[i]), z = EXPR;        \
            r[i] = (coll_chalf){to_half(crealf(z)), to_half(cimagf(z))};                \
        }                                                                               \
    }
COMPLEX_HALF(sum, x + y)
COMPLEX_HALF(prod, x *y)

coll_op_row coll_op_halves[COLL_CHALF - COLL_HALF + 1] = {
    {[COLL_MAX] = max_HALF, [COLL_MIN] = min_HALF, [COLL_SUM] = sum_HALF, [COLL_PROD] = prod_HALF},
    {[COLL_SUM] = sum_CHALF, [COLL_PROD] = prod_CHALF},
};
