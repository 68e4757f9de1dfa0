/* SPDX-License-Identifier: BSD-3-Clause */
/* The deprecated reductions <op>_to_all of all their types over every active set, with pWrk and pSync used in turn
 * and pSync restored; in place too. PEs outside the set are not touched. */
#include "reduce.h"

enum { MOST = 60, WORK = MOST / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE };

#define CALL(op, NAME)                                                                                         \
    static void call_##op##_##NAME(void *dest, const void *source, int n, int start, int log_stride, int size, \
                                   void *work, long *p_sync)                                                   \
    {                                                                                                          \
        shmem_##NAME##_##op##_to_all(dest, source, n, start, log_stride, size, work, p_sync);                  \
    }
#define DEFINE(OP, op, NAME, T, MAKE) REDUCE_DEFINE(OP, op, NAME, T, MAKE) CALL(op, NAME)
#define DEFINE_BITS(NAME, T) \
    DEFINE(AND, and, NAME, T, REDUCE_REAL) DEFINE(OR, or, NAME, T, REDUCE_REAL) DEFINE(XOR, xor, NAME, T, REDUCE_REAL)
#define DEFINE_MINMAX(NAME, T)             \
    DEFINE(MIN, min, NAME, T, REDUCE_REAL) \
    DEFINE(MAX, max, NAME, T, REDUCE_REAL) \
    DEFINE(SUM, sum, NAME, T, REDUCE_REAL) DEFINE(PROD, prod, NAME, T, REDUCE_REAL)
#define DEFINE_COMPLEX(NAME, T) DEFINE(SUM, sum, NAME, T, REDUCE_COMPLEX) DEFINE(PROD, prod, NAME, T, REDUCE_COMPLEX)
TYPES_TO_ALL_BITS(DEFINE_BITS)
TYPES_TO_ALL_MINMAX(DEFINE_MINMAX)
TYPES_COMPLEX(DEFINE_COMPLEX)

#define ROW(OP, op, NAME, T) REDUCE_ROW(OP, op, NAME, T, NULL, call_##op##_##NAME)
#define ROW_BITS(NAME, T) ROW(AND, and, NAME, T) ROW(OR, or, NAME, T) ROW(XOR, xor, NAME, T)
#define ROW_MINMAX(NAME, T) ROW(MIN, min, NAME, T) ROW(MAX, max, NAME, T)
#define ROW_SUM(NAME, T) ROW(SUM, sum, NAME, T) ROW(PROD, prod, NAME, T)
static const struct reduction rows[] = {TYPES_TO_ALL_BITS(ROW_BITS) TYPES_TO_ALL_MINMAX(ROW_MINMAX)
                                            TYPES_TO_ALL_SUM(ROW_SUM)};

static long p_sync[2][SHMEM_REDUCE_SYNC_SIZE];
static unsigned char *source, *dest, *work[2];

static void use_set(const struct reduction *r, const struct active_set *s, size_t n, bool in_place, int which)
{
    int members[512], me = active_index(s, check_me);
    unsigned char *target = in_place ? source : dest;

    for (int m = 0; m < s->size; m++)
        members[m] = active_member(s, m);
    memset(dest, 0x5a, (n + 1) * r->size);
    memset(source + n * r->size, 0x5a, r->size);
    reduce_fill(r, source, n);
    shmem_barrier_all();
    if (me >= 0) {
        r->active(target, source, (int)n, s->start, s->log_stride, s->size, work[which], p_sync[which]);
        reduce_verify(r, target, members, s->size, n, in_place ? "to_all in place" : "to_all");
        sync_restored(p_sync[which], SHMEM_REDUCE_SYNC_SIZE, "to_all");
    } else {
        CHECK(check_not_byte(dest, n * r->size, 0x5a) == n * r->size, "%s of %zu %s reached a PE outside the set",
              reduce_op_name[r->op], n, r->name);
    }
    CHECK(check_not_byte(target + n * r->size, r->size, 0x5a) == r->size,
          "%s_to_all of %zu %s wrote beyond its elements", reduce_op_name[r->op], n, r->name);
}

int main(void)
{
    static struct active_set sets[ACTIVE_MAX];
    static const size_t sizes[] = {1, 3, MOST, 2, 17, 0};
    check_start();
    int count = active_sets(check_npes, sets), calls = 0;

    source = typed_symmetric((MOST + 1) * 32);
    dest = typed_symmetric((MOST + 1) * 32);
    for (int i = 0; i < 2; i++) {
        work[i] = typed_symmetric(WORK * 32);
        sync_clear(p_sync[i], SHMEM_REDUCE_SYNC_SIZE);
    }
    /* every row on a third of the sets and on the world, the last of them */
    for (size_t k = 0; k < CHECK_COUNT(rows); k++)
        for (int i = 0; i < count; i++)
            if (i % 3 == (int)k % 3 || i == count - 1) {
                use_set(&rows[k], &sets[i], sizes[(size_t)calls % CHECK_COUNT(sizes)], calls % 5 == 0, calls % 2);
                calls++;
            }
    return check_finish();
}
