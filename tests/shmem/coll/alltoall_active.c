/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_alltoall32/64 and shmem_alltoalls32/64 over every active set, with two pSync arrays in turn. */
#include "typed.h"

enum { MOST = 40, STRIDE = 3 };

static long plain_sync[2][SHMEM_ALLTOALL_SYNC_SIZE], strided_sync[2][SHMEM_ALLTOALLS_SYNC_SIZE];
static void *source, *dest;

static const struct row {
    struct typed type;
    void (*plain)(void *, const void *, size_t, int, int, int, long *);
    void (*strided)(void *, const void *, ptrdiff_t, ptrdiff_t, size_t, int, int, int, long *);
} rows[] = {
    {TYPED_ROW(bits32, uint32_t), shmem_alltoall32, shmem_alltoalls32},
    {TYPED_ROW(bits64, uint64_t), shmem_alltoall64, shmem_alltoalls64},
};

/* Strides of 0 mean the plain form. */
static void call(const struct row *r, const struct active_set *s, size_t n, ptrdiff_t dst, ptrdiff_t sst, int which)
{
    if (dst == 0) {
        r->plain(dest, source, n, s->start, s->log_stride, s->size, plain_sync[which]);
        sync_restored(plain_sync[which], SHMEM_ALLTOALL_SYNC_SIZE, "alltoall");
        return;
    }
    r->strided(dest, source, dst, sst, n, s->start, s->log_stride, s->size, strided_sync[which]);
    sync_restored(strided_sync[which], SHMEM_ALLTOALLS_SYNC_SIZE, "alltoalls");
}

static void use_set(const struct row *r, const struct active_set *s, size_t n, ptrdiff_t dst, ptrdiff_t sst, int which)
{
    const struct typed *t = &r->type;
    int me = active_index(s, check_me);
    size_t to_step = dst ? (size_t)dst : 1, from_step = sst ? (size_t)sst : 1, all = (size_t)s->size * n;

    for (size_t k = 0; k < all; k++)
        t->store(source, k * from_step, typed_value(check_me * 64 + (int)(k / n), k % n, 1));
    typed_clear(t, dest, all * to_step + 1);
    shmem_barrier_all();
    if (me >= 0)
        call(r, s, n, dst, sst, which);
    for (size_t k = 0; k <= all * to_step; k++) {
        bool filled = me >= 0 && k < all * to_step && k % to_step == 0;
        size_t e = k / to_step;
        long expected = filled ? typed_value(active_member(s, (int)(e / n)) * 64 + me, e % n, 1) : 99;
        CHECK(t->equal(dest, k, expected),
              "alltoall of %zu %s, strides %td %td, set (%d, %d, %d): place %zu is %ld, expected %ld", n, t->name, dst,
              sst, s->start, s->log_stride, s->size, k, t->load(dest, k), expected);
    }
}

int main(void)
{
    static struct active_set sets[ACTIVE_MAX];
    static const size_t sizes[] = {1, 3, 17, 40};
    check_start();
    int count = active_sets(check_npes, sets);

    source = typed_symmetric((MOST * STRIDE * (size_t)check_npes + 1) * 8);
    dest = typed_symmetric((MOST * STRIDE * (size_t)check_npes + 1) * 8);
    for (int i = 0; i < 2; i++) {
        sync_clear(plain_sync[i], SHMEM_ALLTOALL_SYNC_SIZE);
        sync_clear(strided_sync[i], SHMEM_ALLTOALLS_SYNC_SIZE);
    }
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < CHECK_COUNT(rows); k++) {
            size_t n = sizes[((size_t)i + k) % CHECK_COUNT(sizes)];
            use_set(&rows[k], &sets[i], n, 0, 0, i % 2);
            use_set(&rows[k], &sets[i], n, 1 + i % STRIDE, 1 + (i + (int)k) % STRIDE, i % 2);
        }
    return check_finish();
}
