/* SPDX-License-Identifier: BSD-3-Clause */
/* and_reduce, or_reduce and xor_reduce of every type that has them. */
#include "reduce_team.h"

#define DEFINE(NAME, T)                           \
    REDUCE_DEFINE(AND, and, NAME, T, REDUCE_REAL) \
    REDUCE_DEFINE(OR, or, NAME, T, REDUCE_REAL)   \
    REDUCE_DEFINE(XOR, xor, NAME, T, REDUCE_REAL) \
    REDUCE_TEAM_CALL(and, NAME)                   \
    REDUCE_TEAM_CALL(or, NAME)                    \
    REDUCE_TEAM_CALL(xor, NAME)
TYPES_REDUCE_BITS(DEFINE)

#define ROW(NAME, T)                                     \
    REDUCE_ROW(AND, and, NAME, T, call_and_##NAME, NULL) \
    REDUCE_ROW(OR, or, NAME, T, call_or_##NAME, NULL)    \
    REDUCE_ROW(XOR, xor, NAME, T, call_xor_##NAME, NULL)
static const struct reduction rows[] = {TYPES_REDUCE_BITS(ROW)};

int main(void)
{
    return reduce_main(rows, CHECK_COUNT(rows));
}
