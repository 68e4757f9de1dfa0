/* SPDX-License-Identifier: BSD-3-Clause */
/* Team configurations: contexts asked for can be had, shmem_team_get_config with and without mask and pointer, and
 * what it does with SHMEM_TEAM_INVALID. */
#include "team.h"

enum { CONTEXTS = 3, UNTOUCHED = -12345 };

static long cell;

static void check_get(shmem_team_t team, int at_least, const char *what)
{
    shmem_team_config_t config = {.num_contexts = UNTOUCHED};
    int status = shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &config);

    CHECK(status == 0, "%s: get_config returned %d, expected 0", what, status);
    CHECK(config.num_contexts >= at_least, "%s: num_contexts is %d, expected at least %d", what, config.num_contexts,
          at_least);
    config.num_contexts = UNTOUCHED;
    status = shmem_team_get_config(team, 0, &config);
    CHECK(status == 0, "%s: get_config with mask 0 returned %d, expected 0", what, status);
    CHECK(config.num_contexts == UNTOUCHED, "%s: get_config with mask 0 wrote %d", what, config.num_contexts);
    status = shmem_team_get_config(team, 0, NULL);
    CHECK(status == 0, "%s: get_config with mask 0 and NULL returned %d, expected 0", what, status);
}

static void use_contexts(shmem_team_t team)
{
    shmem_ctx_t ctx[CONTEXTS];
    int n = shmem_team_n_pes(team), next = (shmem_team_my_pe(team) + 1) % n;

    for (int i = 0; i < CONTEXTS; i++) {
        int status = shmem_team_create_ctx(team, 0, &ctx[i]);
        REQUIRE(status == 0, "context %d of %d asked for: create_ctx returned %d", i, CONTEXTS, status);
    }
    for (int i = 0; i < CONTEXTS; i++)
        shmem_ctx_long_atomic_add(ctx[i], &cell, 1 + i, next);
    for (int i = 0; i < CONTEXTS; i++)
        shmem_ctx_destroy(ctx[i]);
    shmem_team_sync(team);
    CHECK(cell == 6, "cell is %ld after adding 1, 2 and 3, expected 6", cell);
}

int main(void)
{
    check_start();
    int n = check_npes;
    shmem_team_config_t config = {.num_contexts = CONTEXTS};
    shmem_team_t team, plain, x, y;

    check_get(SHMEM_TEAM_WORLD, 0, "world");
    check_get(SHMEM_TEAM_SHARED, 0, "shared");
    REQUIRE(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, &config, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0,
            "split with num_contexts %d failed", CONTEXTS);
    check_get(team, CONTEXTS, "reverse");
    use_contexts(team);
    /* mask 0: the config is not looked at */
    config.num_contexts = -7;
    REQUIRE(shmem_team_split_strided(team, 0, 1, n, &config, 0, &plain) == 0, "split with mask 0 failed on %d PEs", n);
    check_get(plain, 0, "plain");
    config.num_contexts = 1;
    REQUIRE(shmem_team_split_2d(team, 2, &config, SHMEM_TEAM_NUM_CONTEXTS, &x, NULL, 0, &y) == 0,
            "split_2d with a config for x only failed on %d PEs", n);
    check_get(x, 1, "x");
    check_get(y, 0, "y");

    config.num_contexts = UNTOUCHED;
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config) != 0,
          "get_config of the invalid team returned 0 on PE %d", check_me);
    CHECK(config.num_contexts == UNTOUCHED, "get_config of the invalid team wrote %d", config.num_contexts);
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, 0, NULL) != 0,
          "get_config of the invalid team with NULL returned 0 on PE %d", check_me);
    shmem_team_destroy(x);
    shmem_team_destroy(y);
    shmem_team_destroy(plain);
    shmem_team_destroy(team);
    return check_finish();
}
