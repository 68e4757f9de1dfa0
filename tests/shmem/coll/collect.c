/* SPDX-License-Identifier: BSD-3-Clause */
/* Team collect with a different count on every PE, zero included, and fcollect with the same on all, for every type
 * and for bytes: blocks come in the order of the team, without gaps, and nothing is written beyond them. */
#include "typed.h"

enum { LARGE = 20000, GUARD = 4, COUNTS = 5 };

#define CALL(NAME, T)                                                                       \
    static int collect_##NAME(shmem_team_t team, void *dest, const void *source, size_t n)  \
    {                                                                                       \
        return shmem_##NAME##_collect(team, dest, source, n);                               \
    }                                                                                       \
    static int fcollect_##NAME(shmem_team_t team, void *dest, const void *source, size_t n) \
    {                                                                                       \
        return shmem_##NAME##_fcollect(team, dest, source, n);                              \
    }
TYPES_RMA(CALL)

static int collect_mem(shmem_team_t team, void *dest, const void *source, size_t n)
{
    return shmem_collectmem(team, dest, source, n);
}

static int fcollect_mem(shmem_team_t team, void *dest, const void *source, size_t n)
{
    return shmem_fcollectmem(team, dest, source, n);
}

#define ROW(NAME, T) {TYPED_ROW(NAME, T), collect_##NAME, fcollect_##NAME},
static const struct row {
    struct typed type;
    int (*collect)(shmem_team_t, void *, const void *, size_t);
    int (*fcollect)(shmem_team_t, void *, const void *, size_t);
} rows[] = {TYPES_RMA(ROW) ROW(mem, unsigned char)};

static void *source, *dest;

/* How many elements PE `pe` gives; `kind` 0 is fcollect: all the same. */
static size_t count_of(int kind, int pe, size_t n)
{
    switch (kind) {
    case 0:
        return n;
    case 1:
        return n + (size_t)pe * 3;
    case 2:
        return pe % 2 ? n : 0;
    case 3:
        return (size_t)check_mix((uint64_t)pe + n) % (n + 2);
    default:
        return pe == 0 ? n : 0;
    }
}

static void gather(const struct row *r, shmem_team_t team, int kind, size_t n)
{
    const struct typed *t = &r->type;
    int members = shmem_team_n_pes(team), status;
    size_t mine = count_of(kind, check_me, n), total = 0, at = 0;

    for (int m = 0; m < members; m++)
        total += count_of(kind, shmem_team_translate_pe(team, m, SHMEM_TEAM_WORLD), n);
    for (size_t i = 0; i < mine; i++)
        t->store(source, i, typed_value(check_me, i, (long)n));
    typed_clear(t, dest, total + GUARD);
    shmem_team_sync(team);
    status = kind == 0 ? r->fcollect(team, dest, source, n) : r->collect(team, dest, source, mine);
    CHECK(status == 0, "%s collect kind %d of %zu returned %d", t->name, kind, n, status);
    for (int m = 0; m < members; m++) {
        int pe = shmem_team_translate_pe(team, m, SHMEM_TEAM_WORLD);
        size_t theirs = count_of(kind, pe, n);
        for (size_t i = 0; i < theirs; i++, at++)
            CHECK(t->equal(dest, at, typed_value(pe, i, (long)n)),
                  "%s collect kind %d of %zu: element %zu of member %d is %ld, expected %ld", t->name, kind, n, i, m,
                  t->load(dest, at), typed_value(pe, i, (long)n));
    }
    for (; at < total + GUARD; at++)
        CHECK(t->equal(dest, at, 99), "%s collect kind %d of %zu wrote beyond its %zu elements", t->name, kind, n,
              total);
}

static void all_types(shmem_team_t team)
{
    static const size_t sizes[] = {0, 1, 2, 3, 17, 200};

    for (size_t k = 0; k < CHECK_COUNT(rows); k++)
        for (size_t s = 0; s < CHECK_COUNT(sizes); s++)
            gather(&rows[k], team, s % 2 ? 0 : 1 + (int)(k + s) % (COUNTS - 1), sizes[(k + s) % CHECK_COUNT(sizes)]);
    for (int kind = 0; kind < COUNTS; kind++)
        gather(&rows[0], team, kind, LARGE);
}

int main(void)
{
    check_start();
    int n = check_npes;
    size_t each = LARGE + 3 * (size_t)n + 2;
    shmem_team_t reverse, evens;

    source = typed_symmetric(each * sizeof(long double));
    dest = typed_symmetric((each * (size_t)n + GUARD) * sizeof(long double));
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
