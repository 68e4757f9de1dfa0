/* SPDX-License-Identifier: BSD-3-Clause */
/* A thousand teams created and destroyed, and dozens alive at once: nothing a team holds may run out. Teams are
 * destroyed while slower members still leave their last collective. */
#include "team.h"

enum { ROUNDS = 1000, ALIVE = 48 };

static void one_after_another(const struct team_model *world)
{
    int n = world->n;

    for (int i = 0; i < ROUNDS; i++) {
        int start = i % n, size = n - start, stride = 1;
        struct team_model m = team_model_strided(world, start, stride, size);
        shmem_team_t team;
        int status = shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team);

        REQUIRE(status == 0, "split number %d returned %d, expected 0", i, status);
        if (i % 8 == 0)
            team_works(team, &m, "one of a thousand");
        shmem_team_destroy(team);
    }
}

static void all_at_once(const struct team_model *world)
{
    static shmem_team_t team[ALIVE];
    static struct team_model m[ALIVE];
    int n = world->n;

    for (int i = 0; i < ALIVE; i++) {
        int start = i % n, stride = i % 2 ? -1 : 1, size = i % 2 ? start + 1 : n - start;
        int status = shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team[i]);

        REQUIRE(status == 0, "team %d of %d alive: split returned %d", i, ALIVE, status);
        m[i] = team_model_strided(world, start, stride, size);
    }
    for (int i = ALIVE - 1; i >= 0; i--)
        team_works(team[i], &m[i], "one of many alive");
    for (int i = 0; i < ALIVE; i++)
        if (team_check(team[i], &m[i], "one of many alive"))
            shmem_team_destroy(team[i]);
}

int main(void)
{
    check_start();
    struct team_model world = team_model_world();

    one_after_another(&world);
    all_at_once(&world);
    team_works(SHMEM_TEAM_WORLD, &world, "world afterwards");
    return check_finish();
}
