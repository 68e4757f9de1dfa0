/* SPDX-License-Identifier: BSD-3-Clause */
/* sum_reduce and prod_reduce of every type, real and complex. */
#include "reduce_team.h"

#define DEFINE(NAME, T, MAKE)                \
    REDUCE_DEFINE(SUM, sum, NAME, T, MAKE)   \
    REDUCE_DEFINE(PROD, prod, NAME, T, MAKE) \
    REDUCE_TEAM_CALL(sum, NAME)              \
    REDUCE_TEAM_CALL(prod, NAME)
#define DEFINE_REAL(NAME, T) DEFINE(NAME, T, REDUCE_REAL)
#define DEFINE_COMPLEX(NAME, T) DEFINE(NAME, T, REDUCE_COMPLEX)
TYPES_RMA(DEFINE_REAL)
TYPES_COMPLEX(DEFINE_COMPLEX)

#define ROW(NAME, T)                                     \
    REDUCE_ROW(SUM, sum, NAME, T, call_sum_##NAME, NULL) \
    REDUCE_ROW(PROD, prod, NAME, T, call_prod_##NAME, NULL)
static const struct reduction rows[] = {TYPES_REDUCE_SUM(ROW)};

int main(void)
{
    return reduce_main(rows, CHECK_COUNT(rows));
}
