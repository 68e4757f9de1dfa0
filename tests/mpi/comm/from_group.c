/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators without a parent (7.4.2, 7.6.2, 11.3): from groups and a string, inside a session, again and again with
 * the same string, and intercommunicators from two groups. */
#include "mcheck.h"

static MPI_Session session;
static int rank_in_world, world_size;

static void use(MPI_Comm c, int expected_size)
{
    int n = -1, me = -1, sum = -1;

    OK(MPI_Comm_size(c, &n));
    OK(MPI_Comm_rank(c, &me));
    CHECK(n == expected_size, "size %d, expected %d", n, expected_size);
    OK(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK(sum == n * (n - 1) / 2, "sum %d of %d processes", sum, n);
}

static void check_psets(void)
{
    MPI_Group g;
    int n = -1, me = -1;

    OK(MPI_Group_from_session_pset(session, "mpi://SELF", &g));
    OK(MPI_Group_size(g, &n));
    OK(MPI_Group_rank(g, &me));
    CHECK(n == 1 && me == 0, "mpi://SELF: rank %d of %d", me, n);
    OK(MPI_Group_free(&g));
    OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    FAILS(MPI_Group_from_session_pset(session, "mpi://NOBODY", &g), MPI_ERR_ARG);
    FAILS(MPI_Group_from_session_pset(session, NULL, &g), MPI_ERR_ARG);
    CHECK(g == MPI_GROUP_NULL, "a failed call stored %p", (void *)g);
}

static void check_same_string(MPI_Group world)
{
    MPI_Comm c[20];

    for (int i = 0; i < 20; i++)
        OK(MPI_Comm_create_from_group(world, "again", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c[i]));
    for (int i = 19; i >= 0; i--) {
        use(c[i], world_size);
        OK(MPI_Comm_free(&c[i]));
    }
}

/* Parts of the world, which know nothing of each other, with one string. */
static void check_parts(MPI_Group world)
{
    const int parts = world_size < 3 ? 1 : 3, mine = rank_in_world % parts;
    MPI_Group g;
    MPI_Comm c;

    OK(MPI_Group_range_incl(world, 1, (int[1][3]){{mine, world_size - 1, parts}}, &g));
    OK(MPI_Comm_create_from_group(g, "part", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
    use(c, (world_size - mine + parts - 1) / parts);
    OK(MPI_Comm_free(&c));
    OK(MPI_Comm_create_from_group(MPI_GROUP_EMPTY, "part", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
    CHECK(c == MPI_COMM_NULL, "an empty group gave %p", (void *)c);
    OK(MPI_Group_free(&g));
}

static void check_inter(MPI_Group world)
{
    const int half = world_size / 2, side = rank_in_world >= half;
    MPI_Group g[2];
    MPI_Comm c, all;
    int n = -1, m = -1, inter = 0;

    if (world_size < 2)
        return;
    OK(MPI_Group_range_incl(world, 1, (int[1][3]){{0, half - 1, 1}}, &g[0]));
    OK(MPI_Group_range_incl(world, 1, (int[1][3]){{half, world_size - 1, 1}}, &g[1]));
    for (int i = 0; i < 5; i++) {
        OK(MPI_Intercomm_create_from_groups(g[side], 0, g[!side], 0, "bridge", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
        OK(MPI_Comm_test_inter(c, &inter));
        OK(MPI_Comm_size(c, &n));
        OK(MPI_Comm_remote_size(c, &m));
        CHECK(inter && n == (side ? world_size - half : half) && n + m == world_size, "inter %d: %d and %d", inter, n,
              m);
        OK(MPI_Intercomm_merge(c, side, &all));
        use(all, world_size);
        OK(MPI_Comm_free(&all));
        OK(MPI_Comm_free(&c));
    }
    FAILS(MPI_Intercomm_create_from_groups(g[side], 99, g[!side], 0, "bridge", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c),
          MPI_ERR_RANK);
    FAILS(MPI_Intercomm_create_from_groups(g[side], 0, g[side], 0, "bridge", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c),
          MPI_ERR_GROUP);
    FAILS(
        MPI_Intercomm_create_from_groups(g[side], 0, MPI_GROUP_NULL, 0, "bridge", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c),
        MPI_ERR_GROUP);
    FAILS(MPI_Intercomm_create_from_groups(g[side], 0, g[!side], -1, "bridge", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c),
          MPI_ERR_RANK);
    OK(MPI_Group_free(&g[0]));
    OK(MPI_Group_free(&g[1]));
}

static int calls;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    calls++;
}

static void check_errors(MPI_Group world)
{
    char tag[MPI_MAX_STRINGTAG_LEN + 1];
    MPI_Errhandler handler;
    MPI_Comm c = MPI_COMM_NULL;

    memset(tag, 'x', sizeof tag);
    tag[MPI_MAX_STRINGTAG_LEN] = 0;
    FAILS(MPI_Comm_create_from_group(world, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &c), MPI_ERR_ARG);
    FAILS(MPI_Comm_create_from_group(world, NULL, MPI_INFO_NULL, MPI_ERRORS_RETURN, &c), MPI_ERR_ARG);
    FAILS(MPI_Comm_create_from_group(MPI_GROUP_NULL, "a", MPI_INFO_NULL, MPI_ERRORS_RETURN, &c), MPI_ERR_GROUP);
    FAILS(MPI_Comm_create_from_group(world, "a", MPI_INFO_NULL, MPI_ERRORS_RETURN, NULL), MPI_ERR_ARG);
    OK(MPI_Session_create_errhandler((MPI_Session_errhandler_function *)count_error, &handler));
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Comm_create_errhandler(count_error, &handler));
    calls = 0;
    FAILS(MPI_Comm_create_from_group(world, NULL, MPI_INFO_NULL, handler, &c), MPI_ERR_ARG);
    CHECK(calls == 1, "the handler given was called %d times", calls);
    tag[MPI_MAX_STRINGTAG_LEN - 1] = 0;
    OK(MPI_Comm_create_from_group(world, tag, MPI_INFO_NULL, handler, &c));
    use(c, world_size);
    FAILS(MPI_Comm_size(c, NULL), MPI_ERR_ARG);
    CHECK(calls == 2, "the handler of the communicator was called %d times", calls);
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Comm_free(&c));
}

static void check_session(void)
{
    MPI_Group world;

    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &world));
    OK(MPI_Group_size(world, &world_size));
    OK(MPI_Group_rank(world, &rank_in_world));
    check_psets();
    check_same_string(world);
    check_parts(world);
    check_inter(world);
    check_errors(world);
    OK(MPI_Group_free(&world));
    OK(MPI_Session_finalize(&session));
}

int main(void)
{
    check_session(); /* without a world */
    check_session(); /* and once more */
    mc_start();
    check_session(); /* beside it */
    return mc_finish();
}
