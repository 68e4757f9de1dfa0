/* SPDX-License-Identifier: BSD-3-Clause */
/* Intercommunicators (7.6): create over each choice of leaders, with an intercommunicator as bridge, too; merge, dup,
 * idup, split, create; point-to-point traffic across; comparison; errors. */
#include "mcheck.h"

struct sides {
    MPI_Comm local, inter;
    int side, n[2], first[2]; /* side 0: world ranks first[0], ...; n of each */
};

static struct sides sides_make(int n0, int leader0, int leader1, int tag)
{
    struct sides s = {.side = mc_rank >= n0, .n = {n0, mc_size - n0}, .first = {0, n0}};
    const int leaders[2] = {leader0, leader1};

    OK(MPI_Comm_split(MPI_COMM_WORLD, s.side, 0, &s.local));
    OK(MPI_Intercomm_create(s.local, leaders[s.side], MPI_COMM_WORLD, s.first[!s.side] + leaders[!s.side], tag,
                            &s.inter));
    return s;
}

static void sides_free(struct sides *s)
{
    OK(MPI_Comm_free(&s->inter));
    OK(MPI_Comm_free(&s->local));
}

/* Everybody on one side sends to everybody on the other. */
static void check_traffic(MPI_Comm inter, const int *remote_world)
{
    int n = -1, mine = mc_rank;
    MPI_Request r[128];
    int got[64];

    OK(MPI_Comm_remote_size(inter, &n));
    for (int i = 0; i < n; i++) {
        OK(MPI_Irecv(&got[i], 1, MPI_INT, i, 5, inter, &r[2 * i]));
        OK(MPI_Isend(&mine, 1, MPI_INT, i, 5, inter, &r[2 * i + 1]));
    }
    OK(MPI_Waitall(2 * n, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < n; i++)
        CHECK(got[i] == remote_world[i], "remote rank %d is %d of the world, expected %d", i, got[i], remote_world[i]);
    OK(MPI_Barrier(inter));
}

/* Sizes, ranks and both groups: world ranks of each side in order. */
static void check_inter(MPI_Comm inter, const int *local_world, int n_local, const int *remote_world, int n_remote)
{
    int flag = 0, n = -1, m = -1, me = -1, all[64], got[64];
    MPI_Group world, g[2];
    const int *expected[2] = {local_world, remote_world};

    OK(MPI_Comm_test_inter(inter, &flag));
    OK(MPI_Comm_size(inter, &n));
    OK(MPI_Comm_remote_size(inter, &m));
    OK(MPI_Comm_rank(inter, &me));
    CHECK(flag == 1 && n == n_local && m == n_remote, "inter %d, sizes %d and %d, expected %d and %d", flag, n, m,
          n_local, n_remote);
    CHECK(local_world[me] == mc_rank, "rank %d", me);
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Comm_group(inter, &g[0]));
    OK(MPI_Comm_remote_group(inter, &g[1]));
    for (int i = 0; i < 64; i++)
        all[i] = i;
    for (int side = 0; side < 2; side++) {
        const int size = side ? n_remote : n_local;

        OK(MPI_Group_translate_ranks(g[side], size, all, world, got));
        for (int i = 0; i < size; i++)
            CHECK(got[i] == expected[side][i], "%s rank %d is %d of the world, expected %d", side ? "remote" : "local",
                  i, got[i], expected[side][i]);
        OK(MPI_Group_free(&g[side]));
    }
    OK(MPI_Group_free(&world));
    check_traffic(inter, remote_world);
}

static void check_sides(const struct sides *s, MPI_Comm inter)
{
    int world[64];

    for (int i = 0; i < mc_size; i++)
        world[i] = i;
    check_inter(inter, world + s->first[s->side], s->n[s->side], world + s->first[!s->side], s->n[!s->side]);
}

static void check_merged(MPI_Comm c, const int *world_rank)
{
    int n = -1, me = -1, sum = 0;

    OK(MPI_Comm_size(c, &n));
    OK(MPI_Comm_rank(c, &me));
    CHECK(n == mc_size && world_rank[me] == mc_rank, "merged: rank %d of %d", me, n);
    OK(MPI_Allreduce(&mc_rank, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK(sum == mc_size * (mc_size - 1) / 2, "merged: sum %d", sum);
}

static void check_merge(const struct sides *s)
{
    int order[2][64], first_below = -1;
    MPI_Comm c;

    for (int i = 0; i < mc_size; i++) {
        order[0][i] = i;
        order[1][i] = (i + s->n[0]) % mc_size;
    }
    for (int high0 = 0; high0 < 2; high0++) { /* world ranks of side 0 below, then above */
        OK(MPI_Intercomm_merge(s->inter, s->side == 0 ? high0 : !high0, &c));
        check_merged(c, order[high0]);
        OK(MPI_Comm_free(&c));
    }
    for (int high = 0; high < 2; high++) { /* the same on both sides: some order, the same for all */
        OK(MPI_Intercomm_merge(s->inter, high * 5, &c));
        if (mc_rank == 0)
            OK(MPI_Comm_rank(c, &first_below));
        OK(MPI_Bcast(&first_below, 1, MPI_INT, 0, MPI_COMM_WORLD));
        check_merged(c, order[first_below != 0]);
        OK(MPI_Comm_free(&c));
    }
}

static void check_dups(const struct sides *s)
{
    MPI_Comm a, b;
    MPI_Request r;
    int result = -1;

    OK(MPI_Comm_dup(s->inter, &a));
    OK(MPI_Comm_idup(s->inter, &b, &r));
    check_sides(s, a);
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    check_sides(s, b);
    OK(MPI_Comm_compare(a, b, &result));
    CHECK(result == MPI_CONGRUENT, "duplicates compare as %d", result);
    OK(MPI_Comm_compare(a, a, &result));
    CHECK(result == MPI_IDENT, "the same compares as %d", result);
    OK(MPI_Comm_compare(a, s->local, &result));
    CHECK(result == MPI_UNEQUAL, "inter and intra compare as %d", result);
    OK(MPI_Comm_free(&a));
    check_sides(s, b);
    OK(MPI_Comm_disconnect(&b));
}

/* Random colors and keys; what to expect from the same random numbers. */
static void check_split(const struct sides *s, uint64_t seed)
{
    uint64_t state = seed;
    int color[64] = {0}, key[64] = {0}, part[2][64], n[2] = {0, 0};
    MPI_Comm c = MPI_COMM_WORLD;

    for (int i = 0; i < mc_size; i++) {
        color[i] = (int)check_random_below(&state, 3) - 1;
        color[i] = color[i] < 0 ? MPI_UNDEFINED : color[i];
        key[i] = (int)check_random_below(&state, 3);
    }
    for (int i = 0; i < mc_size; i++) {
        const int side = i >= s->n[0];
        int at = n[side];

        if (color[i] != color[mc_rank])
            continue;
        for (; at > 0 && key[part[side][at - 1]] > key[i]; at--)
            part[side][at] = part[side][at - 1];
        part[side][at] = i;
        n[side]++;
    }
    OK(MPI_Comm_split(s->inter, color[mc_rank], key[mc_rank], &c));
    if (color[mc_rank] == MPI_UNDEFINED || n[!s->side] == 0) {
        CHECK(c == MPI_COMM_NULL, "color %d, %d others: %p", color[mc_rank], n[!s->side], (void *)c);
        return;
    }
    if (!CHECK(c != MPI_COMM_NULL, "color %d, %d others: nothing", color[mc_rank], n[!s->side]))
        return;
    check_inter(c, part[s->side], n[s->side], part[!s->side], n[!s->side]);
    OK(MPI_Comm_free(&c));
}

/* Every other process of each side, in falling order; then nobody of side 1. */
static void check_create(const struct sides *s)
{
    int part[2][64], n[2] = {0, 0};
    bool in = false;
    MPI_Group world, g;
    MPI_Comm c = MPI_COMM_WORLD;

    for (int side = 0; side < 2; side++)
        for (int i = s->n[side] - 1; i >= 0; i -= 2) {
            part[side][n[side]++] = s->first[side] + i;
            in |= s->first[side] + i == mc_rank;
        }
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_incl(world, n[s->side], part[s->side], &g));
    OK(MPI_Comm_create(s->inter, g, &c));
    CHECK((c != MPI_COMM_NULL) == in, "create: %p for a process %s", (void *)c, in ? "of the group" : "outside");
    if (c != MPI_COMM_NULL) {
        check_inter(c, part[s->side], n[s->side], part[!s->side], n[!s->side]);
        OK(MPI_Comm_free(&c));
    }
    OK(MPI_Comm_create(s->inter, s->side ? MPI_GROUP_EMPTY : g, &c));
    CHECK(c == MPI_COMM_NULL, "create without anybody on one side: %p", (void *)c);
    OK(MPI_Group_free(&g));
    OK(MPI_Group_free(&world));
}

/* Parts of one node, with both sides' processes of it: on one node that is all. */
static void check_split_type(const struct sides *s)
{
    MPI_Comm c = MPI_COMM_WORLD, node;
    int n = -1, m = -1, here = -1;

    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_size(node, &here));
    OK(MPI_Comm_free(&node));
    OK(MPI_Comm_split_type(s->inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c));
    if (c != MPI_COMM_NULL) {
        OK(MPI_Comm_size(c, &n));
        OK(MPI_Comm_remote_size(c, &m));
        CHECK(n + m == here, "%d + %d processes of %d on this node", n, m, here);
        OK(MPI_Comm_free(&c));
    }
    CHECK(n > 0 || here < mc_size, "no part, though all are on one node");
    OK(MPI_Comm_split_type(s->inter, MPI_UNDEFINED, 0, MPI_INFO_NULL, &c));
    CHECK(c == MPI_COMM_NULL, "MPI_UNDEFINED gave %p", (void *)c);
}

/* An intercommunicator as the bridge between parts of its two groups. */
static void check_bridge(const struct sides *s)
{
    MPI_Comm c;

    OK(MPI_Intercomm_create(s->local, s->n[s->side] - 1, s->inter, s->n[!s->side] - 1, 3, &c));
    check_sides(s, c);
    OK(MPI_Comm_free(&c));
}

static void check_errors(struct sides *s)
{
    MPI_Comm c = MPI_COMM_WORLD;
    int n;

    OK(MPI_Comm_set_errhandler(s->inter, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(s->local, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_size(s->local, &n));
    FAILS(MPI_Intercomm_create(s->inter, 0, MPI_COMM_WORLD, 0, 0, &c), MPI_ERR_COMM);
    FAILS(MPI_Intercomm_create(s->local, n, MPI_COMM_WORLD, 0, 0, &c), MPI_ERR_RANK);
    FAILS(MPI_Intercomm_create(s->local, 0, MPI_COMM_WORLD, mc_size, 0, &c),
          MPI_ERR_RANK); /* found by the leader, told to all */
    FAILS(MPI_Intercomm_create(s->local, 0, MPI_COMM_NULL, 0, 0, &c), MPI_ERR_COMM);
    FAILS(MPI_Intercomm_create(s->local, 0, MPI_COMM_WORLD, s->first[!s->side], -1, &c), MPI_ERR_TAG);
    FAILS(MPI_Intercomm_create(MPI_COMM_WORLD, 0, MPI_COMM_WORLD, mc_size > 1 ? 0 : 5, 0, &c), MPI_ERR_RANK);
    FAILS(MPI_Intercomm_merge(s->local, 0, &c), MPI_ERR_COMM);
    if (s->n[0] > 1 || s->n[1] > 1) /* high differs within a group: both groups are told */
        FAILS(MPI_Intercomm_merge(s->inter, mc_rank % 2, &c), MPI_ERR_ARG);
    FAILS(MPI_Comm_split_type(s->inter, mc_rank ? MPI_COMM_TYPE_SHARED : 4321, 0, MPI_INFO_NULL, &c), MPI_ERR_ARG);
    FAILS(MPI_Comm_create_group(s->inter, MPI_GROUP_EMPTY, 0, &c), MPI_ERR_COMM);
    FAILS(MPI_Comm_split(s->inter, mc_rank == 0 ? -7 : 0, 0, &c), MPI_ERR_ARG);
    CHECK(c == MPI_COMM_NULL, "a failed call stored %p", (void *)c);
    check_sides(s, s->inter);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

/* {0, 1} and {1, 2}: everybody is told that they have a process in common, which calls once for each. */
static void check_overlap(void)
{
    MPI_Group world, pair[2];
    MPI_Comm local[2] = {MPI_COMM_NULL, MPI_COMM_NULL}, c = MPI_COMM_WORLD;

    if (mc_size < 3)
        return;
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_incl(world, 2, (int[]){0, 1}, &pair[0]));
    OK(MPI_Group_incl(world, 2, (int[]){2, 1}, &pair[1]));
    for (int i = 0; i < 2; i++) {
        OK(MPI_Comm_create(MPI_COMM_WORLD, pair[i], &local[i]));
        OK(MPI_Group_free(&pair[i]));
        if (local[i] != MPI_COMM_NULL)
            OK(MPI_Comm_set_errhandler(local[i], MPI_ERRORS_RETURN));
    }
    for (int i = 0; i < 2; i++)
        if (local[i] != MPI_COMM_NULL) {
            FAILS(MPI_Intercomm_create(local[i], 0, MPI_COMM_WORLD, i == 0 ? 2 : 0, 9, &c), MPI_ERR_COMM);
            CHECK(c == MPI_COMM_NULL, "groups that overlap gave %p", (void *)c);
            OK(MPI_Comm_free(&local[i]));
        }
    OK(MPI_Group_free(&world));
}

int main(void)
{
    mc_start();
    if (mc_size < 2)
        mc_skip("intercommunicators need two processes");
    for (int n0 = 1; n0 < mc_size; n0++) {
        struct sides s = sides_make(n0, 0, 0, 11);

        check_sides(&s, s.inter);
        check_merge(&s);
        check_dups(&s);
        for (uint64_t i = 0; i < 10; i++)
            check_split(&s, check_seed(7602) + (uint64_t)n0 * 100 + i);
        check_create(&s);
        check_split_type(&s);
        check_bridge(&s);
        check_errors(&s);
        sides_free(&s);
        s = sides_make(n0, n0 - 1, mc_size - n0 - 1, 0x3fffffff); /* other leaders, the largest tag */
        check_sides(&s, s.inter);
        sides_free(&s);
    }
    check_overlap();
    return mc_finish();
}
