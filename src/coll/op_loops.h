/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of loops share: the C type of each kind of element, and the
 * loop. Plain loops, so that the compiler vectorises them. A file of a family
 * (op_integer.c, op_real.c, op_half.c, op_pair.c) gives a row of loops for each of
 * its elements; op.c has the table.
 */
#ifndef COLL_OP_LOOPS_H
#define COLL_OP_LOOPS_H

#include <complex.h>
#include <stdint.h>

#include "coll/op.h"

/* Elements of 16 bytes and more may lie at any multiple of 8. */
typedef __int128 coll_i128 __attribute__((aligned(8)));
typedef long double coll_ldouble __attribute__((aligned(8)));
typedef long double _Complex coll_cldouble __attribute__((aligned(8)));
typedef unsigned __int128 coll_u128;
#if defined(__x86_64__)
typedef __float128 coll_quad __attribute__((aligned(8)));
typedef _Complex float __attribute__((mode(TC), aligned(8))) coll_cquad;
#else /* long double is that format there */
typedef coll_ldouble coll_quad;
typedef coll_cldouble coll_cquad;
#endif

/* Half precision is held in 16 bits and computed in float: not every compiler has the type. */
typedef struct {
    uint16_t bits;
} coll_half;
typedef struct {
    coll_half re, im;
} coll_chalf;

/* Element, its C type, and the unsigned type that sums and products of it are formed in, which wraps. */
#define COLL_NARROW(X)         \
    X(I8, int8_t, unsigned)    \
    X(I16, int16_t, unsigned)  \
    X(I32, int32_t, unsigned)  \
    X(I64, int64_t, uint64_t)  \
    X(U8, uint8_t, unsigned)   \
    X(U16, uint16_t, unsigned) \
    X(U32, uint32_t, unsigned) \
    X(U64, uint64_t, uint64_t)
#define COLL_WIDE(X) X(I128, coll_i128, coll_u128)
/* Elements that have loops of another's: which one's, C type. */
#define COLL_BYTES(X) X(BYTE, U8, uint8_t)
#define COLL_LOGICALS(X)  \
    X(L8, U8, uint8_t)    \
    X(L16, U16, uint16_t) \
    X(L32, U32, uint32_t) \
    X(L64, U64, uint64_t)
#define COLL_WIDE_LOGICALS(X) X(L128, I128, coll_i128)
/* Element, C type. Vectors help the first. */
#define COLL_SHORT_REALS(X) X(FLOAT, float) X(DOUBLE, double)
#define COLL_LONG_REALS(X) X(LONGDOUBLE, coll_ldouble) X(QUAD, coll_quad)
/* Element, C type, and, of those that have an order by modulus, a real type with room for its square. */
#define COLL_SHORT_COMPLEXES(X) X(CFLOAT, float _Complex, double) X(CDOUBLE, double _Complex, long double)
#define COLL_LONG_COMPLEXES(X) X(CLONGDOUBLE, coll_cldouble) X(CQUAD, coll_cquad)
#define COLL_HALVES(X) X(HALF, coll_half) X(CHALF, coll_chalf)
/* Element, types of value and index. */
#define COLL_PAIRS(X)                   \
    X(FLOAT_INT, float, int)            \
    X(DOUBLE_INT, double, int)          \
    X(LONG_INT, long, int)              \
    X(INT_INT, int, int)                \
    X(SHORT_INT, short, int)            \
    X(LONGDOUBLE_INT, long double, int) \
    X(FLOAT_FLOAT, float, float)        \
    X(DOUBLE_DOUBLE, double, double)

/* An operand may be the result, element by element: no iteration depends on another. Two vectors a turn, and
 * (CMakeLists.txt) from a new line on, else the place of a loop can double its time. */
#if defined(__clang__)
#define COLL_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define COLL_INDEPENDENT _Pragma("GCC ivdep") _Pragma("GCC unroll 2")
#endif

/* EXPR: of x, the left element, and y. */
#define COLL_LOOP_NAMED(NAME, TARGET, HINT, T, EXPR)                                     \
    TARGET static void NAME(const void *left, const void *right, void *result, size_t n) \
    {                                                                                    \
        const T *a = left, *b = right;                                                   \
        T *r = result;                                                                   \
        HINT for (size_t i = 0; i < n; i++)                                              \
        {                                                                                \
            const T x = a[i], y = b[i];                                                  \
            r[i] = (T)(EXPR);                                                            \
        }                                                                                \
    }
#define COLL_LOOP(OP, N, T, EXPR) COLL_LOOP_NAMED(OP##_##N, , , T, EXPR)

/* A loop of vectors. A build serves every processor of its architecture: twice, where newer ones have longer vectors.
 * No contraction to multiply-add comes with them: results are the same everywhere. */
#if defined(__x86_64__)
#define COLL_VECTOR_LOOP(OP, N, T, EXPR)                   \
    COLL_LOOP_NAMED(OP##_##N, , COLL_INDEPENDENT, T, EXPR) \
    COLL_LOOP_NAMED(OP##_##N##_longer, __attribute__((target("avx2"))), COLL_INDEPENDENT, T, EXPR)
#define COLL_LONGER(loop) loop##_longer
#else
#define COLL_VECTOR_LOOP(OP, N, T, EXPR) COLL_LOOP_NAMED(OP##_##N, , COLL_INDEPENDENT, T, EXPR)
#define COLL_LONGER(loop) loop
#endif
#define COLL_PLAIN(loop) loop

/* The extreme of two Ts x and y, whose keys are compared: y when its key is a NaN, or beyond x's. A NaN of x is beyond
 * nothing and nothing is beyond it. In two steps it is three instructions of vectors: maximum, comparison, choice. */
#define COLL_PICK(T, x, y, key_x, key_y, beyond)         \
    __extension__({                                      \
        const T pick = (key_y)beyond(key_x) ? (y) : (x); \
        (key_y) != (key_y) ? (y) : pick;                 \
    })

/* Rows of loops by element of a family: [0] for every processor, [1] for those with longer vectors. */
typedef coll_op_fn *const coll_op_row[COLL_OPS];
extern coll_op_row coll_op_integers[2][COLL_L128 - COLL_I8 + 1];
extern coll_op_row coll_op_reals[2][COLL_CQUAD - COLL_FLOAT + 1]; /* and complex ones */
extern coll_op_row coll_op_halves[COLL_CHALF - COLL_HALF + 1];
extern coll_op_row coll_op_pairs[COLL_DOUBLE_DOUBLE - COLL_FLOAT_INT + 1];

#endif
