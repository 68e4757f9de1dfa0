/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of reductions: by element its size and its row of loops.
 */
#include "coll/op_loops.h"
#include "coll/state.h"
#include "mpt/fast.h"

#define SIZE(N, T, ...) [COLL_##N] = sizeof(T),
#define SIZE_AS(N, AS, T) [COLL_##N] = sizeof(T),
#define SIZE_PAIR(N, V, I)       \
    [COLL_##N] = sizeof(struct { \
        V value;                 \
        I index;                 \
    }),
/* clang-format off */
static const unsigned char sizes[COLL_TYPES] = {
    COLL_NARROW(SIZE) COLL_WIDE(SIZE) COLL_BYTES(SIZE_AS) COLL_LOGICALS(SIZE_AS) COLL_WIDE_LOGICALS(SIZE_AS)
    COLL_SHORT_REALS(SIZE) COLL_LONG_REALS(SIZE) COLL_SHORT_COMPLEXES(SIZE) COLL_LONG_COMPLEXES(SIZE)
    COLL_HALVES(SIZE) COLL_PAIRS(SIZE_PAIR)
};
/* clang-format on */

/* Rows by element: [0] for every processor, [1] for those with longer vectors. */
#define INTEGERS(longer, N) [COLL_##N] = &coll_op_integers[longer][COLL_##N - COLL_I8],
#define REALS(longer, N) [COLL_##N] = &coll_op_reals[longer][COLL_##N - COLL_FLOAT],
#define INTEGER_0(N, ...) INTEGERS(0, N)
#define INTEGER_1(N, ...) INTEGERS(1, N)
#define REAL_0(N, ...) REALS(0, N)
#define REAL_1(N, ...) REALS(1, N)
#define HALF_ROW(N, T) [COLL_##N] = &coll_op_halves[COLL_##N - COLL_HALF],
#define PAIR_ROW(N, V, I) [COLL_##N] = &coll_op_pairs[COLL_##N - COLL_FLOAT_INT],
#define ROWS(INTEGER, REAL)                                                                                         \
    {COLL_NARROW(INTEGER) COLL_WIDE(INTEGER) COLL_BYTES(INTEGER) COLL_LOGICALS(INTEGER) COLL_WIDE_LOGICALS(INTEGER) \
         COLL_SHORT_REALS(REAL) COLL_LONG_REALS(REAL) COLL_SHORT_COMPLEXES(REAL) COLL_LONG_COMPLEXES(REAL)          \
             COLL_HALVES(HALF_ROW) COLL_PAIRS(PAIR_ROW)}
static coll_op_row *const rows[2][COLL_TYPES] = {ROWS(INTEGER_0, REAL_0), ROWS(INTEGER_1, REAL_1)};

static int has_longer(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

size_t coll_type_size(enum coll_type type)
{
    return (unsigned)type < COLL_TYPES ? sizes[type] : 0;
}

coll_op_fn *coll_op_find(enum coll_op op, enum coll_type type)
{
    coll_op_row *const *known = __atomic_load_n(&coll_state.loops, __ATOMIC_RELAXED);

    if ((unsigned)type >= COLL_TYPES || (unsigned)op >= COLL_OPS)
        return NULL;
    if (MPT_UNLIKELY(!known)) {
        known = rows[has_longer()];
        __atomic_store_n(&coll_state.loops, known, __ATOMIC_RELAXED);
    }
    return (*known[type])[op];
}
