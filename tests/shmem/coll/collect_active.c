/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_collect32/64 and shmem_fcollect32/64 over every active set, with two pSync arrays in turn: blocks in the
 * order of the set, other PEs untouched, pSync restored. */
#include "typed.h"

enum { MOST = 400 };

static long p_sync[2][SHMEM_COLLECT_SYNC_SIZE];
static void *source, *dest;

static const struct row {
    struct typed type;
    bool same_count;
    void (*call)(void *, const void *, size_t, int, int, int, long *);
} rows[] = {
    {TYPED_ROW(bits32, uint32_t), false, shmem_collect32},
    {TYPED_ROW(bits64, uint64_t), false, shmem_collect64},
    {TYPED_ROW(bits32, uint32_t), true, shmem_fcollect32},
    {TYPED_ROW(bits64, uint64_t), true, shmem_fcollect64},
};

static size_t count_of(const struct row *r, int pe, size_t n)
{
    return r->same_count ? n : (n + (size_t)pe * 7) % MOST;
}

static void use_set(const struct row *r, const struct active_set *s, size_t n, int which)
{
    const struct typed *t = &r->type;
    int me = active_index(s, check_me);
    size_t mine = count_of(r, check_me, n), at = 0, total = MOST * (size_t)s->size;

    for (size_t i = 0; i < mine; i++)
        t->store(source, i, typed_value(check_me, i, (long)n));
    typed_clear(t, dest, total);
    shmem_barrier_all();
    if (me >= 0)
        r->call(dest, source, mine, s->start, s->log_stride, s->size, p_sync[which]);
    for (int m = 0; me >= 0 && m < s->size; m++) {
        int pe = active_member(s, m);
        for (size_t i = 0; i < count_of(r, pe, n); i++, at++)
            CHECK(t->equal(dest, at, typed_value(pe, i, (long)n)),
                  "collect of %s, set (%d, %d, %d): element %zu of member %d is %ld, expected %ld", t->name, s->start,
                  s->log_stride, s->size, i, m, t->load(dest, at), typed_value(pe, i, (long)n));
    }
    for (; at < total; at++)
        CHECK(t->equal(dest, at, 99), "collect of %s, set (%d, %d, %d) wrote element %zu", t->name, s->start,
              s->log_stride, s->size, at);
    if (me >= 0)
        sync_restored(p_sync[which], SHMEM_COLLECT_SYNC_SIZE, "collect");
}

int main(void)
{
    static struct active_set sets[ACTIVE_MAX];
    static const size_t sizes[] = {1, 0, 17, 2, 399, 3};
    check_start();
    int count = active_sets(check_npes, sets), calls = 0;

    source = typed_symmetric(MOST * 8);
    dest = typed_symmetric(MOST * 8 * (size_t)check_npes);
    sync_clear(p_sync[0], SHMEM_COLLECT_SYNC_SIZE);
    sync_clear(p_sync[1], SHMEM_COLLECT_SYNC_SIZE);
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < CHECK_COUNT(rows); k++, calls++)
            use_set(&rows[k], &sets[i], sizes[(size_t)(calls / 3) % CHECK_COUNT(sizes)], calls % 2);
    return check_finish();
}
