/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_team_ptr: the same address as shmem_ptr of the member's world PE, for heap and globals, and stores through it
 * reach the member, where it gives one. */
#include "team.h"

static long global_cell[2];

static void check_object(shmem_team_t team, const struct team_model *m, long *object, const char *what)
{
    int me = team_model_index(m, check_me), next = (me + 1) % m->n;
    int before = (me + m->n - 1) % m->n;
    long expected = check_shares_memory(m->pe[before]) ? 1000 + before : -1;
    long *p;

    for (int i = 0; i < m->n; i++) {
        p = shmem_team_ptr(team, object, i);
        CHECK(p == shmem_ptr(object, m->pe[i]), "%s: team_ptr of member %d is %p, shmem_ptr of PE %d is %p", what, i,
              (void *)p, m->pe[i], shmem_ptr(object, m->pe[i]));
    }
    /* my own object under the address the team gives: the same memory */
    p = shmem_team_ptr(team, object, me);
    if (CHECK(p != NULL, "%s: team_ptr of myself is NULL", what)) {
        *(volatile long *)&object[0] = 500 + me;
        CHECK(*(volatile long *)&p[0] == 500 + me, "%s: team_ptr of myself reads %ld, expected %d", what, p[0],
              500 + me);
        *(volatile long *)&p[1] = -1;
        CHECK(*(volatile long *)&object[1] == -1, "%s: a store to team_ptr of myself is not seen", what);
    }
    shmem_team_sync(team);
    p = shmem_team_ptr(team, object, next);
    if (check_shares_memory(m->pe[next]) && CHECK(p != NULL, "%s: team_ptr of member %d is NULL", what, next))
        p[1] = 1000 + me;
    shmem_team_sync(team);
    CHECK(object[1] == expected, "%s: member before me stored %ld, expected %ld", what, object[1], expected);
    shmem_team_sync(team);
}

int main(void)
{
    check_start();
    int n = check_npes;
    long *heap = shmem_malloc(2 * sizeof *heap);
    struct team_model world = team_model_world(), m = team_model_strided(&world, n - 1, -1, (n + 1) / 2);
    shmem_team_t team;

    REQUIRE(heap != NULL, "shmem_malloc of %zu bytes returned NULL", 2 * sizeof *heap);
    REQUIRE(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, (n + 1) / 2, NULL, 0, &team) == 0,
            "split of the upper half failed on %d PEs", n);
    check_object(SHMEM_TEAM_WORLD, &world, heap, "world, heap");
    check_object(SHMEM_TEAM_WORLD, &world, global_cell, "world, global");
    if (team != SHMEM_TEAM_INVALID) {
        check_object(team, &m, heap, "upper half, heap");
        check_object(team, &m, global_cell, "upper half, global");
        shmem_team_destroy(team);
    }
    shmem_barrier_all();
    shmem_free(heap);
    return check_finish();
}
