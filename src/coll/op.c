/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise combination for reductions and scans: one loop for each pair of
 * type and operation that is defined, found by table.
 */
#include <complex.h>

#include "coll/coll.h"

#define INTEGERS(X)                                                                                                    \
    X(I8, int8_t) X(I16, int16_t) X(I32, int32_t) X(I64, int64_t) X(U8, uint8_t) X(U16, uint16_t) X(U32, uint32_t)     \
    X(U64, uint64_t)
#define REALS(X) X(FLOAT, float) X(DOUBLE, double) X(LONGDOUBLE, long double)
#define COMPLEXES(X) X(CFLOAT, float _Complex) X(CDOUBLE, double _Complex)

/* Signed sums wrap as they do on the machines these programs come from: the
 * library is compiled with -fwrapv. */
#define LOOP(OP, NAME, T, EXPR)                                                                                        \
    static void OP##_##NAME(void *acc, const void *in, size_t count)                                                   \
    {                                                                                                                  \
        T *restrict a = acc;                                                                                           \
        const T *restrict b = in;                                                                                      \
        for (size_t i = 0; i < count; i++)                                                                             \
            a[i] = (T)(EXPR);                                                                                          \
    }
#define AND(N, T) LOOP(and, N, T, a[i] & b[i])
#define OR(N, T) LOOP(or, N, T, a[i] | b[i])
#define XOR(N, T) LOOP(xor, N, T, a[i] ^ b[i])
#define MAX(N, T) LOOP(max, N, T, a[i] < b[i] ? b[i] : a[i])
#define MIN(N, T) LOOP(min, N, T, b[i] < a[i] ? b[i] : a[i])
#define SUM(N, T) LOOP(sum, N, T, a[i] + b[i])
#define PROD(N, T) LOOP(prod, N, T, a[i] * b[i])

INTEGERS(AND) INTEGERS(OR) INTEGERS(XOR)
INTEGERS(MAX) INTEGERS(MIN) INTEGERS(SUM) INTEGERS(PROD)
REALS(MAX) REALS(MIN) REALS(SUM) REALS(PROD)
COMPLEXES(SUM) COMPLEXES(PROD)

#define SIZE_ROW(N, T) [COLL_##N] = sizeof(T),
static const size_t sizes[COLL_TYPES] = {INTEGERS(SIZE_ROW) REALS(SIZE_ROW) COMPLEXES(SIZE_ROW)};

#define INTEGER_ROW(N, T)                                                                                              \
    [COLL_##N] = {[COLL_AND] = and_##N, [COLL_OR] = or_##N, [COLL_XOR] = xor_##N, [COLL_MAX] = max_##N,                \
                  [COLL_MIN] = min_##N, [COLL_SUM] = sum_##N, [COLL_PROD] = prod_##N},
#define REAL_ROW(N, T)                                                                                                 \
    [COLL_##N] = {[COLL_MAX] = max_##N, [COLL_MIN] = min_##N, [COLL_SUM] = sum_##N, [COLL_PROD] = prod_##N},
#define COMPLEX_ROW(N, T) [COLL_##N] = {[COLL_SUM] = sum_##N, [COLL_PROD] = prod_##N},
static coll_combine *const combiners[COLL_TYPES][COLL_OPS] = {
    INTEGERS(INTEGER_ROW) REALS(REAL_ROW) COMPLEXES(COMPLEX_ROW)};

size_t coll_type_size(enum coll_type type)
{
    return (unsigned)type < COLL_TYPES ? sizes[type] : 0;
}

coll_combine *coll_combiner(enum coll_type type, enum coll_op op)
{
    return (unsigned)type < COLL_TYPES && (unsigned)op < COLL_OPS ? combiners[type][op] : NULL;
}
