/* SPDX-License-Identifier: BSD-3-Clause */
/* Team broadcast of every type and of bytes, from every root, many sizes and in place: all members get it, the root
 * too, and nothing is written beyond it. */
#include "typed.h"

enum { LARGE = 100000, GUARD = 4 };

#define CALL(NAME, T)                                                                                  \
    static int broadcast_##NAME(shmem_team_t team, void *dest, const void *source, size_t n, int root) \
    {                                                                                                  \
        return shmem_##NAME##_broadcast(team, dest, source, n, root);                                  \
    }
TYPES_RMA(CALL)

static int broadcast_mem(shmem_team_t team, void *dest, const void *source, size_t n, int root)
{
    return shmem_broadcastmem(team, dest, source, n, root);
}

#define ROW(NAME, T) {TYPED_ROW(NAME, T), broadcast_##NAME},
static const struct row {
    struct typed type;
    int (*call)(shmem_team_t, void *, const void *, size_t, int);
} rows[] = {TYPES_RMA(ROW) ROW(mem, unsigned char)};

static const size_t sizes[] = {0, 1, 2, 3, 17, 1000};
static void *source, *dest;

static void broadcast(const struct row *r, shmem_team_t team, size_t n, int root, bool in_place)
{
    const struct typed *t = &r->type;
    int root_world = shmem_team_translate_pe(team, root, SHMEM_TEAM_WORLD), status;
    void *target = in_place ? source : dest;

    for (size_t i = 0; i < n; i++)
        t->store(source, i, typed_value(check_me, i, (long)n));
    if (!in_place)
        typed_clear(t, dest, n);
    for (size_t i = n; i < n + GUARD; i++)
        t->store(target, i, 99);
    shmem_team_sync(team); /* dest must be ready on all members before any calls */
    status = r->call(team, target, source, n, root);
    CHECK(status == 0, "%s_broadcast of %zu returned %d", t->name, n, status);
    for (size_t i = 0; i < n + GUARD; i++) {
        long expected = i < n ? typed_value(root_world, i, (long)n) : 99;
        CHECK(t->equal(target, i, expected), "%s_broadcast of %zu from %d%s: element %zu is %ld, expected %ld", t->name,
              n, root, in_place ? " in place" : "", i, t->load(target, i), expected);
    }
}

static void all_types(shmem_team_t team)
{
    int n = shmem_team_n_pes(team);

    for (size_t k = 0; k < CHECK_COUNT(rows); k++)
        for (size_t s = 0; s < CHECK_COUNT(sizes); s++)
            broadcast(&rows[k], team, sizes[s], (int)(k + s) % n, s % 2);
    for (int root = 0; root < n; root++)
        broadcast(&rows[0], team, 33, root, false);
    broadcast(&rows[0], team, LARGE, n - 1, false);
    broadcast(&rows[CHECK_COUNT(rows) - 1], team, LARGE + 1, 0, true);
}

int main(void)
{
    check_start();
    int n = check_npes;
    shmem_team_t reverse, evens;

    source = typed_symmetric((LARGE + GUARD + 1) * sizeof(long double));
    dest = typed_symmetric((LARGE + GUARD + 1) * sizeof(long double));
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
