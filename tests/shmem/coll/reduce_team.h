/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver of the team reduction tests: every row of a table on several teams, sizes, in place and not. */
#ifndef TESTS_SHMEM_REDUCE_TEAM_H
#define TESTS_SHMEM_REDUCE_TEAM_H

#include "reduce.h"

/* A row of a team reduction: the call goes through a function of the right type. */
#define REDUCE_TEAM_CALL(op, NAME)                                                             \
    static int call_##op##_##NAME(shmem_team_t team, void *dest, const void *source, size_t n) \
    {                                                                                          \
        return shmem_##NAME##_##op##_reduce(team, dest, source, n);                            \
    }

enum { REDUCE_MOST = 1000, REDUCE_GUARD = 8 };

static void *reduce_source, *reduce_dest;

static inline void reduce_once(const struct reduction *r, shmem_team_t team, size_t n, bool in_place)
{
    int members[512], count = shmem_team_n_pes(team), status;
    unsigned char *target = in_place ? reduce_source : reduce_dest;

    for (int m = 0; m < count; m++)
        members[m] = shmem_team_translate_pe(team, m, SHMEM_TEAM_WORLD);
    memset(reduce_dest, 0x5a, (n + REDUCE_GUARD) * r->size);
    memset(target + n * r->size, 0x5a, REDUCE_GUARD * r->size);
    reduce_fill(r, reduce_source, n);
    shmem_team_sync(team);
    status = r->team(team, target, reduce_source, n);
    CHECK(status == 0, "%s_%s_reduce of %zu returned %d", r->name, reduce_op_name[r->op], n, status);
    reduce_verify(r, target, members, count, n, in_place ? "in place" : "team");
    CHECK(check_not_byte(target + n * r->size, REDUCE_GUARD * r->size, 0x5a) == REDUCE_GUARD * r->size,
          "%s_%s_reduce of %zu wrote beyond its elements", r->name, reduce_op_name[r->op], n);
    if (!in_place)
        reduce_verify(r, reduce_source, &check_me, 1, n, "source after");
}

static inline void reduce_on_team(const struct reduction *rows, size_t count, shmem_team_t team)
{
    static const size_t sizes[] = {0, 1, 2, 3, 17, REDUCE_MOST};

    for (size_t k = 0; k < count && team != SHMEM_TEAM_INVALID; k++)
        for (size_t s = 0; s < CHECK_COUNT(sizes); s++) {
            reduce_once(&rows[k], team, sizes[s], false);
            reduce_once(&rows[k], team, sizes[s], true);
        }
}

static inline int reduce_main(const struct reduction *rows, size_t count)
{
    check_start();
    int n = check_npes;
    shmem_team_t reverse, evens;

    reduce_source = typed_symmetric((REDUCE_MOST + REDUCE_GUARD) * 32);
    reduce_dest = typed_symmetric((REDUCE_MOST + REDUCE_GUARD) * 32);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &reverse);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &evens);
    reduce_on_team(rows, count, SHMEM_TEAM_WORLD);
    reduce_on_team(rows, count, reverse);
    reduce_on_team(rows, count, evens);
    shmem_team_destroy(evens);
    shmem_team_destroy(reverse);
    return check_finish();
}

#endif
