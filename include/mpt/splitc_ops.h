/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The reductions of Split-C, each once: C type, name, coll's type and operation. The header makes prototypes of it, the
 * library functions.
 */
#ifndef MPT_SPLITC_OPS_H
#define MPT_SPLITC_OPS_H

#define SC_NUMBERS_(X, T, p, t) X(T, p##add, t, SUM) X(T, p##mult, t, PROD) X(T, p##max, t, MAX) X(T, p##min, t, MIN)
#define SC_BITS_(X, T, p, t) X(T, p## or, t, OR) X(T, p##and, t, AND) X(T, p## xor, t, XOR)
#define SC_REDUCTIONS(X)             \
    SC_NUMBERS_(X, int, , I32)       \
    SC_BITS_(X, int, , I32)          \
    SC_NUMBERS_(X, unsigned, u, U32) \
    SC_BITS_(X, unsigned, u, U32)    \
    SC_NUMBERS_(X, long, l, I64)     \
    SC_BITS_(X, long, l, I64) SC_NUMBERS_(X, float, f, FLOAT) SC_NUMBERS_(X, double, d, DOUBLE)

#endif
