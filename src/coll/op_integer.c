/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of integers, and of the bytes and logicals that are held in them.
 */
#include "coll/op_loops.h"

#define INTEGER_LOOPS(LOOP, N, T, U)      \
    LOOP(and, N, T, x &y)                 \
    LOOP(or, N, T, x | y)                 \
    LOOP(xor, N, T, x ^ y)                \
    LOOP(max, N, T, x > y ? x : y)        \
    LOOP(min, N, T, x < y ? x : y)        \
    LOOP(sum, N, T, (U)x + (U)y)          \
    LOOP(prod, N, T, (U)x *(U)y)          \
    LOOP(land, N, T, (x != 0) & (y != 0)) \
    LOOP(lor, N, T, (x != 0) | (y != 0))  \
    LOOP(lxor, N, T, (x != 0) ^ (y != 0))
#define NARROW_LOOPS(N, T, U) INTEGER_LOOPS(COLL_VECTOR_LOOP, N, T, U)
#define WIDE_LOOPS(N, T, U) INTEGER_LOOPS(COLL_LOOP, N, T, U)
COLL_NARROW(NARROW_LOOPS)
COLL_WIDE(WIDE_LOOPS)

#define AT(N) [COLL_##N - COLL_I8]
#define BITS(N, OF) [COLL_AND] = OF(and_##N), [COLL_OR] = OF(or_##N), [COLL_XOR] = OF(xor_##N)
#define TRUTH(N, OF) [COLL_LAND] = OF(land_##N), [COLL_LOR] = OF(lor_##N), [COLL_LXOR] = OF(lxor_##N)
#define NUMBERS(N, OF) \
    [COLL_MAX] = OF(max_##N), [COLL_MIN] = OF(min_##N), [COLL_SUM] = OF(sum_##N), [COLL_PROD] = OF(prod_##N)

#define ROW(N, OF) AT(N) = {BITS(N, OF), TRUTH(N, OF), NUMBERS(N, OF)},
#define PLAIN_ROW(N, T, U) ROW(N, COLL_PLAIN)
#define LONGER_ROW(N, T, U) ROW(N, COLL_LONGER)
#define PLAIN_BYTE(N, AS, T) AT(N) = {BITS(AS, COLL_PLAIN)},
#define LONGER_BYTE(N, AS, T) AT(N) = {BITS(AS, COLL_LONGER)},
#define PLAIN_LOGICAL(N, AS, T) AT(N) = {TRUTH(AS, COLL_PLAIN)},
#define LONGER_LOGICAL(N, AS, T) AT(N) = {TRUTH(AS, COLL_LONGER)},

/* clang-format off */
coll_op_row coll_op_integers[2][COLL_L128 - COLL_I8 + 1] = {
    {COLL_NARROW(PLAIN_ROW) COLL_WIDE(PLAIN_ROW) COLL_BYTES(PLAIN_BYTE)
     COLL_LOGICALS(PLAIN_LOGICAL) COLL_WIDE_LOGICALS(PLAIN_LOGICAL)},
    {COLL_NARROW(LONGER_ROW) COLL_WIDE(PLAIN_ROW) COLL_BYTES(LONGER_BYTE)
     COLL_LOGICALS(LONGER_LOGICAL) COLL_WIDE_LOGICALS(PLAIN_LOGICAL)},
};
