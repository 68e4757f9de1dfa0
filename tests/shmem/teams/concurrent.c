/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on disjoint teams at the same time, in different numbers and of different kinds and sizes: rows and
 * columns of a grid work in turn, so that each PE's neighbours in one are busy with others in the other. */
#include "team.h"

enum { ROUNDS = 60, WORDS = 300 };

static long source[WORDS], dest[WORDS * TEAM_MAX];

static void use_reduce(shmem_team_t team, const struct team_model *m, int words, long salt)
{
    long expected = 0;

    for (int i = 0; i < m->n; i++)
        expected += m->pe[i] + salt;
    for (int i = 0; i < words; i++)
        source[i] = check_me + salt + i;
    shmem_long_sum_reduce(team, dest, source, (size_t)words);
    for (int i = 0; i < words; i++)
        CHECK(dest[i] == expected + (long)i * m->n, "sum %d of %d is %ld, expected %ld", i, words, dest[i],
              expected + (long)i * m->n);
}

static void use_broadcast(shmem_team_t team, const struct team_model *m, int words, long salt)
{
    int root = (int)(salt % m->n);

    for (int i = 0; i < words; i++)
        source[i] = check_me * 1000 + salt + i;
    shmem_long_broadcast(team, dest, source, (size_t)words, root);
    for (int i = 0; i < words; i++)
        CHECK(dest[i] == m->pe[root] * 1000 + salt + i, "word %d of %d from root %d is %ld, expected %ld", i, words,
              root, dest[i], m->pe[root] * 1000 + salt + i);
}

static void use_alltoall(shmem_team_t team, const struct team_model *m, int words, long salt)
{
    int each = words / m->n, me = team_model_index(m, check_me);

    for (int to = 0; to < m->n; to++)
        for (int i = 0; i < each; i++)
            source[to * each + i] = check_me * 100000 + to * 1000 + salt + i;
    shmem_long_alltoall(team, dest, source, (size_t)each);
    for (int from = 0; from < m->n; from++)
        for (int i = 0; i < each; i++)
            CHECK(dest[from * each + i] == m->pe[from] * 100000 + me * 1000 + salt + i,
                  "word %d of %d from member %d is %ld, expected %ld", i, each, from, dest[from * each + i],
                  m->pe[from] * 100000 + me * 1000 + salt + i);
}

static void (*const uses[])(shmem_team_t, const struct team_model *, int, long) = {use_reduce, use_broadcast,
                                                                                   use_alltoall};

/* Teams do different numbers of collectives: `seed` differs by team. A collective may start only when dest is
 * ready on all members, hence the syncs: the last team's or the last collective's results have been checked. */
static void busy(shmem_team_t team, const struct team_model *m, uint64_t seed)
{
    uint64_t random = seed;
    int times = 1 + (int)check_random_below(&random, 6);

    shmem_team_sync(team);
    for (int i = 0; i < times; i++) {
        int words = 1 + (int)check_random_below(&random, WORDS);
        size_t which = (size_t)check_random_below(&random, CHECK_COUNT(uses));
        long salt = (long)check_random_below(&random, 90);

        uses[which](team, m, words, salt);
        shmem_team_sync(team);
    }
}

int main(void)
{
    check_start();
    int n = check_npes, width = n > 2 ? 2 : 1;
    struct team_model world = team_model_world();
    int first = check_me / width * width, across = n - first < width ? n - first : width;
    int column = check_me % width;
    struct team_model row = team_model_strided(&world, first, 1, across);
    struct team_model col = team_model_strided(&world, column, width, (n - column + width - 1) / width);
    shmem_team_t x, y;

    REQUIRE(shmem_team_split_2d(SHMEM_TEAM_WORLD, width, NULL, 0, &x, NULL, 0, &y) == 0, "split_2d by %d", width);
    for (int i = 0; i < ROUNDS; i++) {
        busy(x, &row, check_seed(11) + (uint64_t)(i * 1000 + first));
        busy(y, &col, check_seed(13) + (uint64_t)(i * 1000 + column));
    }
    shmem_team_destroy(x);
    shmem_team_destroy(y);
    return check_finish();
}
