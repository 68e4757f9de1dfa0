/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_team_split_strided over every valid triplet of the world team, negative and zero strides included, and the
 * triplets that must be refused: nonzero and SHMEM_TEAM_INVALID on all PEs, members or not. */
#include "team.h"

static void valid(const struct team_model *world, int start, int stride, int size)
{
    char what[64];
    struct team_model m = team_model_strided(world, start, stride, size);
    shmem_team_t team = SHMEM_TEAM_WORLD; /* must be overwritten on PEs outside too */
    int status = shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team);

    snprintf(what, sizeof what, "split(%d, %d, %d) of %d", start, stride, size, world->n);
    CHECK(status == 0, "%s returned %d, expected 0", what, status);
    if (status == 0 && team_check(team, &m, what))
        team_works(team, &m, what);
    shmem_team_destroy(team);
}

static void refused(int n, int start, int stride, int size)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    int status = shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team);

    CHECK(status != 0, "split(%d, %d, %d) of %d returned 0", start, stride, size, n);
    CHECK(team == SHMEM_TEAM_INVALID, "split(%d, %d, %d) of %d gave a valid team", start, stride, size, n);
}

int main(void)
{
    check_start();
    struct team_model world = team_model_world();
    int n = world.n;

    for (int start = 0; start < n; start++)
        for (int stride = -n; stride <= n; stride++)
            for (int size = 1; size <= n; size++)
                if (team_triplet_valid(n, start, stride, size))
                    valid(&world, start, stride, size);

    refused(n, -1, 1, 1);
    refused(n, n, 1, 1);
    refused(n, n, -1, 1);
    refused(n, 0, 1, 0);
    refused(n, 0, 1, -1);
    refused(n, 0, 1, n + 1);
    refused(n, n - 1, 1, 2);
    refused(n, 0, -1, 2);
    refused(n, 0, n, 2);
    /* the world is none the worse for it */
    team_check(SHMEM_TEAM_WORLD, &world, "world afterwards");
    team_works(SHMEM_TEAM_WORLD, &world, "world afterwards");
    return check_finish();
}
