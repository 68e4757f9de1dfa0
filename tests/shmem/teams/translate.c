/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_team_translate_pe between all pairs of several teams, and -1 for whatever has no translation: a PE outside
 * the destination, a number out of range, SHMEM_TEAM_INVALID on either side. */
#include "team.h"

enum { WORLD, EVENS, ODDS, REVERSE, FIRST, TEAMS };

static struct team_model model[TEAMS];
static shmem_team_t team[TEAMS];

static void make(int which, int start, int stride, int size)
{
    int status = shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team[which]);

    REQUIRE(status == 0, "split(%d, %d, %d) returned %d, expected 0", start, stride, size, status);
    model[which] = team_model_strided(&model[WORLD], start, stride, size);
}

static void check_pair(int from, int to)
{
    bool known = team[from] != SHMEM_TEAM_INVALID && team[to] != SHMEM_TEAM_INVALID;

    for (int pe = -2; pe <= model[from].n + 1; pe++) {
        bool inside = pe >= 0 && pe < model[from].n;
        int expected = known && inside ? team_model_index(&model[to], model[from].pe[pe]) : -1;
        int seen = shmem_team_translate_pe(team[from], pe, team[to]);

        CHECK(seen == expected, "PE %d of team %d is %d in team %d, expected %d", pe, from, seen, to, expected);
    }
}

int main(void)
{
    check_start();
    int n = check_npes;

    team[WORLD] = SHMEM_TEAM_WORLD;
    model[WORLD] = team_model_world();
    make(EVENS, 0, 2, (n + 1) / 2);
    if (n > 1)
        make(ODDS, 1, 2, n / 2);
    else
        make(ODDS, 0, 1, 1);
    make(REVERSE, n - 1, -1, n);
    make(FIRST, 0, 0, 1);

    for (int from = 0; from < TEAMS; from++)
        for (int to = 0; to < TEAMS; to++)
            check_pair(from, to);
    for (int t = 0; t < TEAMS; t++) {
        int a = shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, team[t]);
        int b = shmem_team_translate_pe(team[t], 0, SHMEM_TEAM_INVALID);
        CHECK(a == -1, "PE 0 of the invalid team is %d in team %d, expected -1", a, t);
        CHECK(b == -1, "PE 0 of team %d is %d in the invalid team, expected -1", t, b);
    }
    for (int t = 1; t < TEAMS; t++)
        shmem_team_destroy(team[t]);
    return check_finish();
}
