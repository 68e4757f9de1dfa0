/* SPDX-License-Identifier: BSD-3-Clause */
/* min_reduce and max_reduce of every type: unsigned values above the signed range show a wrong comparison. */
#include "reduce_team.h"

#define DEFINE(NAME, T)                           \
    REDUCE_DEFINE(MIN, min, NAME, T, REDUCE_REAL) \
    REDUCE_DEFINE(MAX, max, NAME, T, REDUCE_REAL) \
    REDUCE_TEAM_CALL(min, NAME)                   \
    REDUCE_TEAM_CALL(max, NAME)
TYPES_REDUCE_MINMAX(DEFINE)

#define ROW(NAME, T)                                     \
    REDUCE_ROW(MIN, min, NAME, T, call_min_##NAME, NULL) \
    REDUCE_ROW(MAX, max, NAME, T, call_max_##NAME, NULL)
static const struct reduction rows[] = {TYPES_REDUCE_MINMAX(ROW)};

int main(void)
{
    return reduce_main(rows, CHECK_COUNT(rows));
}
