/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts of teams: PE numbers are the team's, every option, the team can be asked back, and the invalid handles are
 * answered as the standard says. */
#include "team.h"

static long slot[TEAM_MAX], sum;

static void exchange(shmem_team_t team, const struct team_model *m, long options)
{
    int me = team_model_index(m, check_me), next = (me + 1) % m->n;
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    shmem_team_t back = SHMEM_TEAM_INVALID;
    int status = shmem_team_create_ctx(team, options, &ctx);
    long seen;

    REQUIRE(status == 0, "create_ctx with options %ld returned %d, expected 0", options, status);
    CHECK(ctx != SHMEM_CTX_INVALID, "create_ctx with options %ld gave SHMEM_CTX_INVALID", options);
    status = shmem_ctx_get_team(ctx, &back);
    CHECK(status == 0, "ctx_get_team returned %d, expected 0", status);
    team_check(back, m, "team of the context");

    memset(slot, 0, sizeof slot);
    sum = 0;
    shmem_team_sync(team);
    for (int i = 0; i < m->n; i++) {
        shmem_ctx_long_p(ctx, &slot[me], 100 + me, i);
        shmem_ctx_long_atomic_add(ctx, &sum, 1, i);
    }
    shmem_ctx_quiet(ctx);
    shmem_team_sync(team);
    for (int i = 0; i < m->n; i++)
        CHECK(slot[i] == 100 + i, "slot %d holds %ld, expected %d", i, slot[i], 100 + i);
    CHECK(sum == m->n, "%ld members added to me, expected %d", sum, m->n);
    seen = shmem_ctx_long_g(ctx, &slot[next], next);
    CHECK(seen == 100 + next, "member %d's own slot holds %ld, expected %d", next, seen, 100 + next);
    shmem_team_sync(team);
    shmem_ctx_destroy(ctx);
}

/* Quiet and fence on a NOSTORE context promise nothing about stores: it only reads here. */
static void read_only(shmem_team_t team, const struct team_model *m)
{
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;

    REQUIRE(shmem_team_create_ctx(team, SHMEM_CTX_NOSTORE | SHMEM_CTX_SERIALIZED, &ctx) == 0, "NOSTORE on PE %d",
            check_me);
    slot[0] = 7 * team_model_index(m, check_me);
    shmem_team_sync(team);
    for (int i = 0; i < m->n; i++) {
        long seen = shmem_ctx_long_g(ctx, &slot[0], i);
        CHECK(seen == 7 * i, "member %d's slot holds %ld, expected %d", i, seen, 7 * i);
    }
    shmem_ctx_destroy(ctx);
    shmem_team_sync(team);
}

static void invalid_handles(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    shmem_team_t team = SHMEM_TEAM_WORLD;

    CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0, "create_ctx of the invalid team on PE %d returned 0",
          check_me);
    CHECK(ctx == SHMEM_CTX_INVALID, "create_ctx of the invalid team on PE %d gave a valid context", check_me);
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
    CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0, "team of the invalid context on PE %d: returned 0",
          check_me);
    CHECK(team == SHMEM_TEAM_INVALID, "team of the invalid context on PE %d is valid", check_me);
    CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team) == 0, "team of the default context on PE %d: nonzero", check_me);
    CHECK(shmem_team_n_pes(team) == check_npes, "the default context's team has %d PEs, expected %d",
          shmem_team_n_pes(team), check_npes);
}

int main(void)
{
    static const long options[] = {0, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE};
    check_start();
    int n = check_npes;
    struct team_model world = team_model_world(), reverse = team_model_strided(&world, n - 1, -1, n);
    struct team_model evens = team_model_strided(&world, 0, 2, (n + 1) / 2);
    shmem_team_t backwards, even;

    REQUIRE(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &backwards) == 0, "reverse of %d", n);
    REQUIRE(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, evens.n, NULL, 0, &even) == 0, "evens of %d", n);
    for (size_t i = 0; i < CHECK_COUNT(options); i++) {
        exchange(SHMEM_TEAM_WORLD, &world, options[i]);
        exchange(backwards, &reverse, options[i]);
        if (even != SHMEM_TEAM_INVALID)
            exchange(even, &evens, options[i]);
        shmem_barrier_all();
    }
    read_only(backwards, &reverse);
    invalid_handles();
    shmem_team_destroy(even);
    shmem_team_destroy(backwards);
    return check_finish();
}
