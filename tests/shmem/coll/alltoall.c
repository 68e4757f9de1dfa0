/* SPDX-License-Identifier: BSD-3-Clause */
/* Team alltoall and alltoalls (strides of both sides) for every type and for bytes: block k of member m goes to block
 * m of member k, in the team's order; gaps between strided elements are left alone. */
#include "typed.h"

enum { GUARD = 4, MOST_STRIDE = 3 };

#define CALL(NAME, T)                                                                                            \
    static int alltoall_##NAME(shmem_team_t team, void *dest, const void *source, size_t n)                      \
    {                                                                                                            \
        return shmem_##NAME##_alltoall(team, dest, source, n);                                                   \
    }                                                                                                            \
    static int alltoalls_##NAME(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, \
                                size_t n)                                                                        \
    {                                                                                                            \
        return shmem_##NAME##_alltoalls(team, dest, source, dst, sst, n);                                        \
    }
TYPES_RMA(CALL)

static int alltoall_mem(shmem_team_t team, void *dest, const void *source, size_t n)
{
    return shmem_alltoallmem(team, dest, source, n);
}

static int alltoalls_mem(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n)
{
    return shmem_alltoallsmem(team, dest, source, dst, sst, n);
}

#define ROW(NAME, T) {TYPED_ROW(NAME, T), alltoall_##NAME, alltoalls_##NAME},
static const struct row {
    struct typed type;
    int (*plain)(shmem_team_t, void *, const void *, size_t);
    int (*strided)(shmem_team_t, void *, const void *, ptrdiff_t, ptrdiff_t, size_t);
} rows[] = {TYPES_RMA(ROW) ROW(mem, unsigned char)};

static const size_t sizes[] = {0, 1, 2, 3, 17, 500};
static void *source, *dest;

/* What member `from` sends to member `to` as element i. */
static long value(int from, int to, size_t i)
{
    return typed_value(from * 64 + to, i, 5);
}

/* Strides of 0 mean the plain form. */
static void exchange(const struct row *r, shmem_team_t team, size_t n, ptrdiff_t dst, ptrdiff_t sst)
{
    const struct typed *t = &r->type;
    int members = shmem_team_n_pes(team), me = shmem_team_my_pe(team), status;
    size_t to_step = dst ? (size_t)dst : 1, from_step = sst ? (size_t)sst : 1;
    size_t all = (size_t)members * n;

    for (size_t k = 0; k < all; k++)
        t->store(source, k * from_step, value(me, (int)(k / n), k % n));
    typed_clear(t, dest, all * to_step + GUARD);
    shmem_team_sync(team);
    status = dst ? r->strided(team, dest, source, dst, sst, n) : r->plain(team, dest, source, n);
    CHECK(status == 0, "%s_alltoall of %zu, strides %td %td, returned %d", t->name, n, dst, sst, status);
    for (size_t k = 0; k < all * to_step + GUARD; k++) {
        bool filled = k < all * to_step && k % to_step == 0;
        size_t e = k / to_step;
        long expected = filled ? value((int)(e / n), me, e % n) : 99;
        CHECK(t->equal(dest, k, expected), "%s_alltoall of %zu, strides %td %td: place %zu is %ld, expected %ld",
              t->name, n, dst, sst, k, t->load(dest, k), expected);
    }
}

static void all_types(shmem_team_t team)
{
    for (size_t k = 0; k < CHECK_COUNT(rows); k++)
        for (size_t s = 0; s < CHECK_COUNT(sizes); s++) {
            exchange(&rows[k], team, sizes[s], 0, 0);
            exchange(&rows[k], team, sizes[s] % 100, 1 + (ptrdiff_t)(k + s) % MOST_STRIDE,
                     1 + (ptrdiff_t)k % MOST_STRIDE);
        }
    exchange(&rows[0], team, 8000, 0, 0);
    exchange(&rows[1], team, 2000, 2, 3);
}

int main(void)
{
    check_start();
    int n = check_npes;
    size_t most = ((size_t)n * 8000 * MOST_STRIDE + GUARD) * sizeof(long double);
    shmem_team_t reverse, evens;

    source = typed_symmetric(most);
    dest = typed_symmetric(most);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &reverse);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &evens);
    all_types(SHMEM_TEAM_WORLD);
    all_types(reverse);
    if (evens != SHMEM_TEAM_INVALID)
        all_types(evens);
    shmem_team_destroy(evens);
    shmem_team_destroy(reverse);
    return check_finish();
}
