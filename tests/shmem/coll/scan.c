/* SPDX-License-Identifier: BSD-3-Clause */
/* Inclusive and exclusive sum scans of every type: prefixes in the team's order (a reversed team scans the other
 * way), zero on its first member in the exclusive form, in place and not, many sizes. */
#include "reduce.h"

enum { MOST = 1000, GUARD = 8 };

#define DEFINE(NAME, T, MAKE)                                                         \
    REDUCE_DEFINE(SUM, sum, NAME, T, MAKE)                                            \
    static int in_##NAME(shmem_team_t team, void *dest, const void *source, size_t n) \
    {                                                                                 \
        return shmem_##NAME##_sum_inscan(team, dest, source, n);                      \
    }                                                                                 \
    static int ex_##NAME(shmem_team_t team, void *dest, const void *source, size_t n) \
    {                                                                                 \
        return shmem_##NAME##_sum_exscan(team, dest, source, n);                      \
    }
#define DEFINE_REAL(NAME, T) DEFINE(NAME, T, REDUCE_REAL)
#define DEFINE_COMPLEX(NAME, T) DEFINE(NAME, T, REDUCE_COMPLEX)
TYPES_RMA(DEFINE_REAL)
TYPES_COMPLEX(DEFINE_COMPLEX)

#define ROW(NAME, T) REDUCE_ROW(SUM, sum, NAME, T, in_##NAME, NULL) REDUCE_ROW(SUM, sum, NAME, T, ex_##NAME, NULL)
static const struct reduction rows[] = {TYPES_REDUCE_SUM(ROW)}; /* inclusive and exclusive in turn */

static unsigned char *source, *dest;

static void verify(const struct reduction *r, const void *seen, const int *members, int count, size_t n,
                   const char *what)
{
    static _Alignas(32) unsigned char zero[32];
    size_t wrong = 0;

    if (count > 0) {
        reduce_verify(r, seen, members, count, n, what);
        return;
    }
    r->set(zero, 0, 0);
    for (size_t i = 0; i < n; i++)
        wrong += !r->same((const unsigned char *)seen + i * r->size, zero, 0);
    CHECK(wrong == 0, "%s of %zu %s: %zu elements of the first member are not zero", what, n, r->name, wrong);
}

static void scan(size_t row, shmem_team_t team, size_t n, bool in_place)
{
    const struct reduction *r = &rows[row];
    bool inclusive = row % 2 == 0;
    const char *what = inclusive ? "inscan" : "exscan";
    int members[512], me = shmem_team_my_pe(team), status;
    unsigned char *target = in_place ? source : dest;

    for (int m = 0; m <= me; m++)
        members[m] = shmem_team_translate_pe(team, m, SHMEM_TEAM_WORLD);
    memset(dest, 0x5a, n * r->size);
    memset(target + n * r->size, 0x5a, GUARD);
    reduce_fill(r, source, n);
    shmem_team_sync(team);
    status = r->team(team, target, source, n);
    CHECK(status == 0, "%s of %zu %s returned %d", what, n, r->name, status);
    verify(r, target, members, inclusive ? me + 1 : me, n, what);
    CHECK(check_not_byte(target + n * r->size, GUARD, 0x5a) == GUARD, "%s of %zu %s wrote beyond its elements", what, n,
          r->name);
    if (!in_place)
        reduce_verify(r, source, &check_me, 1, n, "source after the scan");
}

static void all_rows(shmem_team_t team)
{
    static const size_t sizes[] = {0, 1, 2, 3, 17, MOST};

    for (size_t k = 0; k < CHECK_COUNT(rows); k++)
        for (size_t s = 0; s < CHECK_COUNT(sizes); s++)
            for (int in_place = 0; in_place < 2; in_place++)
                scan(k, team, sizes[s], in_place);
}

int main(void)
{
    check_start();
    int n = check_npes;
    shmem_team_t reverse, evens;

    source = typed_symmetric(MOST * 32 + 64);
    dest = typed_symmetric(MOST * 32 + 64);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &reverse);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &evens);
    all_rows(SHMEM_TEAM_WORLD);
    all_rows(reverse);
    if (evens != SHMEM_TEAM_INVALID)
        all_rows(evens);
    shmem_team_destroy(evens);
    shmem_team_destroy(reverse);
    return check_finish();
}
