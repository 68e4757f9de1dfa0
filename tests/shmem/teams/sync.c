/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_team_sync thousands of times, with random delays and on several overlapping teams: nobody leaves before
 * everybody has come, and what members stored before it is seen after it. */
#include "team.h"
#include <sched.h>

enum { ROUNDS = 1500 };

static volatile long arrived[4]; /* by team: how often this PE has come */

static void dawdle(uint64_t *random)
{
    uint64_t r = check_random_below(random, 400);

    if (r == 0)
        usleep((useconds_t)check_random_below(random, 1500));
    else if (r < 40)
        sched_yield();
}

static void sync_once(int which, shmem_team_t team, const struct team_model *m, long round)
{
    int status;

    arrived[which] = round;
    status = shmem_team_sync(team);
    CHECK(status == 0, "team %d, round %ld: shmem_team_sync returned %d", which, round, status);
    for (int i = 0; i < m->n; i++) {
        /* a member may be one round ahead, never behind */
        long seen = shmem_long_g((const long *)&arrived[which], m->pe[i]);
        CHECK(seen == round || seen == round + 1, "team %d, round %ld: PE %d has come %ld times", which, round,
              m->pe[i], seen);
    }
}

int main(void)
{
    check_start();
    int n = check_npes;
    uint64_t mine = check_seed(3) + (uint64_t)check_me * 77, common = check_seed(5);
    struct team_model m[4] = {team_model_world()};
    shmem_team_t team[4] = {SHMEM_TEAM_WORLD};
    long round[4] = {0};

    m[1] = team_model_strided(&m[0], n - 1, -1, n);
    m[2] = team_model_strided(&m[0], 0, 2, (n + 1) / 2);
    m[3] = team_model_strided(&m[0], n / 2, 1, n - n / 2);
    REQUIRE(shmem_team_split_strided(team[0], n - 1, -1, n, NULL, 0, &team[1]) == 0, "reverse of %d", n);
    REQUIRE(shmem_team_split_strided(team[0], 0, 2, (n + 1) / 2, NULL, 0, &team[2]) == 0, "evens of %d", n);
    REQUIRE(shmem_team_split_strided(team[0], n / 2, 1, n - n / 2, NULL, 0, &team[3]) == 0, "upper half of %d", n);
    for (int i = 0; i < ROUNDS; i++) {
        int which = (int)check_random_below(&common, 4);

        round[which]++;
        dawdle(&mine);
        if (team[which] != SHMEM_TEAM_INVALID)
            sync_once(which, team[which], &m[which], round[which]);
    }
    for (int t = 3; t > 0; t--)
        shmem_team_destroy(team[t]);
    return check_finish();
}
