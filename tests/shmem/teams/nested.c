/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams of teams of teams: random chains of strided splits, each parent still in use while its children work, compared
 * with a model. Only the members of a parent take part in its split, so the PEs are soon out of step. */
#include "team.h"

enum { CHAINS = 40, DEPTH = 6 };

struct triplet {
    int start, stride, size;
};

/* All members draw the same triplet from their copy of the generator. */
static struct triplet draw(uint64_t *random, int n)
{
    struct triplet t;

    do {
        t.start = (int)check_random_below(random, (uint64_t)n);
        t.stride = (int)check_random_below(random, 7) - 3;
        t.size = 1 + (int)check_random_below(random, (uint64_t)n);
    } while (!team_triplet_valid(n, t.start, t.stride, t.size));
    return t;
}

static void chain(uint64_t seed)
{
    uint64_t random = seed;
    shmem_team_t team[DEPTH + 1] = {SHMEM_TEAM_WORLD};
    struct team_model m[DEPTH + 1] = {team_model_world()};
    int depth = 0;

    while (depth < DEPTH && team[depth] != SHMEM_TEAM_INVALID) {
        struct triplet t = draw(&random, m[depth].n);
        int status = shmem_team_split_strided(team[depth], t.start, t.stride, t.size, NULL, 0, &team[depth + 1]);

        REQUIRE(status == 0, "split(%d, %d, %d) of %d returned %d", t.start, t.stride, t.size, m[depth].n, status);
        m[depth + 1] = team_model_strided(&m[depth], t.start, t.stride, t.size);
        depth++;
        team_check(team[depth], &m[depth], "child");
        team_works(team[depth], &m[depth], "child");
        team_works(team[depth - 1], &m[depth - 1], "parent");
    }
    /* a parent may go before its child */
    for (int d = 1; d < depth; d++)
        shmem_team_destroy(team[d]);
    team_works(team[depth], &m[depth], "child whose parents are gone");
    shmem_team_destroy(team[depth]);
}

int main(void)
{
    check_start();
    uint64_t seed = check_seed(20240607);

    for (int i = 0; i < CHAINS; i++)
        chain(seed + (uint64_t)i * 1000003);
    return check_finish();
}
