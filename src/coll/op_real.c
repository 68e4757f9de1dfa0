/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of real and complex numbers. Those longer than a double are computed by
 * software or one by one.
 */
#include "coll/op_loops.h"

#define SHORT_LOOPS(N, T)                                    \
    COLL_VECTOR_LOOP(max, N, T, COLL_PICK(T, x, y, x, y, >)) \
    COLL_VECTOR_LOOP(min, N, T, COLL_PICK(T, x, y, x, y, <)) \
    COLL_VECTOR_LOOP(sum, N, T, x + y)                       \
    COLL_VECTOR_LOOP(prod, N, T, x *y)
/* One comparison mostly: of quadruple precision each is a call. */
#define LONG_LOOPS(N, T)                           \
    COLL_LOOP(max, N, T, x >= y || x != x ? x : y) \
    COLL_LOOP(min, N, T, x <= y || x != x ? x : y) \
    COLL_LOOP(sum, N, T, x + y)                    \
    COLL_LOOP(prod, N, T, x *y)
COLL_SHORT_REALS(SHORT_LOOPS)
COLL_LONG_REALS(LONG_LOOPS)

/* The modulus, squared: the library does without libm. */
#define SQUARE(R, v) ((R)(v) * (R)(v))
#define MODULUS(R, z) (SQUARE(R, __real__(z)) + SQUARE(R, __imag__(z)))

#define SHORT_COMPLEX_LOOPS(N, T, R)                                             \
    COLL_VECTOR_LOOP(sum, N, T, x + y)                                           \
    COLL_VECTOR_LOOP(prod, N, T, x *y)                                           \
    COLL_LOOP(maxabs, N, T, COLL_PICK(T, x, y, MODULUS(R, x), MODULUS(R, y), >)) \
    COLL_LOOP(minabs, N, T, COLL_PICK(T, x, y, MODULUS(R, x), MODULUS(R, y), <))
#define LONG_COMPLEX_LOOPS(N, T) \
    COLL_LOOP(sum, N, T, x + y)  \
    COLL_LOOP(prod, N, T, x *y)
COLL_SHORT_COMPLEXES(SHORT_COMPLEX_LOOPS)
COLL_LONG_COMPLEXES(LONG_COMPLEX_LOOPS)

#define AT(N) [COLL_##N - COLL_FLOAT]
#define REAL_ROW(N, OF) \
    AT(N) = {[COLL_MAX] = OF(max_##N), [COLL_MIN] = OF(min_##N), [COLL_SUM] = OF(sum_##N), [COLL_PROD] = OF(prod_##N)},
#define PLAIN_REAL(N, T) REAL_ROW(N, COLL_PLAIN)
#define LONGER_REAL(N, T) REAL_ROW(N, COLL_LONGER)
#define COMPLEX_ROW(N, OF) \
    AT(N) = {              \
        [COLL_SUM] = OF(sum_##N), [COLL_PROD] = OF(prod_##N), [COLL_MAXABS] = maxabs_##N, [COLL_MINABS] = minabs_##N},
#define PLAIN_COMPLEX(N, T, R) COMPLEX_ROW(N, COLL_PLAIN)
#define LONGER_COMPLEX(N, T, R) COMPLEX_ROW(N, COLL_LONGER)
#define LONG_COMPLEX(N, T) AT(N) = {[COLL_SUM] = sum_##N, [COLL_PROD] = prod_##N},

/* clang-format off */
coll_op_row coll_op_reals[2][COLL_CQUAD - COLL_FLOAT + 1] = {
    {COLL_SHORT_REALS(PLAIN_REAL) COLL_LONG_REALS(PLAIN_REAL)
     COLL_SHORT_COMPLEXES(PLAIN_COMPLEX) COLL_LONG_COMPLEXES(LONG_COMPLEX)},
    {COLL_SHORT_REALS(LONGER_REAL) COLL_LONG_REALS(PLAIN_REAL)
     COLL_SHORT_COMPLEXES(LONGER_COMPLEX) COLL_LONG_COMPLEXES(LONG_COMPLEX)},
};
