/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_team_split_2d for every x range, those that leave an incomplete last row and those wider than the parent
 * included; and three dimensions made of two splits. */
#include "team.h"

static struct team_model row_of(const struct team_model *parent, int index, int xrange)
{
    int first = index / xrange * xrange;
    int size = parent->n - first < xrange ? parent->n - first : xrange;
    return team_model_strided(parent, first, 1, size);
}

static struct team_model column_of(const struct team_model *parent, int index, int xrange)
{
    int first = index % xrange;
    return team_model_strided(parent, first, xrange, (parent->n - first + xrange - 1) / xrange);
}

static void split(shmem_team_t parent, const struct team_model *m, int xrange, const char *what)
{
    shmem_team_t x = SHMEM_TEAM_INVALID, y = SHMEM_TEAM_INVALID;
    int me = team_model_index(m, check_me);
    struct team_model row = row_of(m, me, xrange), column = column_of(m, me, xrange);
    int status = shmem_team_split_2d(parent, xrange, NULL, 0, &x, NULL, 0, &y);

    REQUIRE(status == 0, "%s: split_2d by %d returned %d, expected 0", what, xrange, status);
    CHECK(shmem_team_my_pe(x) == me % xrange, "%s by %d: x is %d, expected %d", what, xrange, shmem_team_my_pe(x),
          me % xrange);
    CHECK(shmem_team_my_pe(y) == me / xrange, "%s by %d: y is %d, expected %d", what, xrange, shmem_team_my_pe(y),
          me / xrange);
    team_check(x, &row, what);
    team_check(y, &column, what);
    team_works(x, &row, what);
    team_works(y, &column, what);
    team_works(x, &row, what);
    shmem_team_destroy(y);
    shmem_team_destroy(x);
}

/* Rows of 4, each split by 2: the coordinates of a 2 x 2 x (n / 4) box. */
static void split_3d(const struct team_model *world)
{
    shmem_team_t xy = SHMEM_TEAM_INVALID, z = SHMEM_TEAM_INVALID;
    int status = shmem_team_split_2d(SHMEM_TEAM_WORLD, 4, NULL, 0, &xy, NULL, 0, &z);
    struct team_model plane = row_of(world, check_me, 4);

    REQUIRE(status == 0, "split_2d by 4 returned %d, expected 0", status);
    split(xy, &plane, 2, "plane of the box");
    shmem_team_destroy(z);
    shmem_team_destroy(xy);
}

int main(void)
{
    check_start();
    struct team_model world = team_model_world();

    for (int xrange = 1; xrange <= world.n + 2; xrange++)
        split(SHMEM_TEAM_WORLD, &world, xrange, "world");
    split_3d(&world);
    return check_finish();
}
