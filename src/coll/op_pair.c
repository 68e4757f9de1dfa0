/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of values with an index: the extreme and where it is. Of equal values
 * the lower index; a NaN wins over numbers, of NaNs the right one.
 */
#include "coll/op_loops.h"

/* Members one by one: the gap in between stays as it is. Without branches, for vectors; longer ones gain nothing. */
#define LOCATE(OP, N, V, I, NOT_BEYOND)                                               \
    static void OP##_##N(const void *left, const void *right, void *result, size_t n) \
    {                                                                                 \
        const struct {                                                                \
            V value;                                                                  \
            I index;                                                                  \
        } *a = left, *b = right;                                                      \
        struct {                                                                      \
            V value;                                                                  \
            I index;                                                                  \
        } *r = result;                                                                \
        COLL_INDEPENDENT                                                              \
        for (size_t i = 0; i < n; i++) {                                              \
            V x = a[i].value, y = b[i].value;                                         \
            I at_x = a[i].index, at_y = b[i].index;                                   \
            int first = (!(x NOT_BEYOND y) & (y == y)) | ((x == y) & (at_x < at_y));  \
            r[i].value = first ? x : y;                                               \
            r[i].index = first ? at_x : at_y;                                         \
        }                                                                             \
    }
#define PAIR_LOOPS(N, V, I)     \
    LOCATE(maxloc, N, V, I, <=) \
    LOCATE(minloc, N, V, I, >=)
COLL_PAIRS(PAIR_LOOPS)

#define PAIR_ROW(N, V, I) [COLL_##N - COLL_FLOAT_INT] = {[COLL_MAXLOC] = maxloc_##N, [COLL_MINLOC] = minloc_##N},
coll_op_row coll_op_pairs[COLL_DOUBLE_DOUBLE - COLL_FLOAT_INT + 1] = {COLL_PAIRS(PAIR_ROW)};
