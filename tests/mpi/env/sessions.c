/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions (11.3) without and beside the world model: process sets, communicators from them, several at a time, again
 * after all were finalized, then MPI_Init, and sessions after MPI_Finalize. */
#include "mcheck.h"

static int value_of(MPI_Info info, const char *key, char *text, int room)
{
    int flag = 0;

    OK(MPI_Info_get_string(info, key, &room, text, &flag));
    return flag;
}

/* A communicator of a process set works: its ranks add up. */
static void use(MPI_Session session, const char *pset, int expected)
{
    MPI_Group group;
    MPI_Comm comm;
    int rank = -1, size = -1, sum = -1;

    OK(MPI_Group_from_session_pset(session, pset, &group));
    OK(MPI_Group_size(group, &size));
    CHECK(expected < 0 || size == expected, "%s has %d processes, expected %d", pset, size, expected);
    OK(MPI_Comm_create_from_group(group, pset, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == size * (size - 1) / 2, "%s: sum of %d ranks is %d", pset, size, sum);
    if (strcmp(pset, "mpi://WORLD") == 0) {
        mc_rank = rank;
        mc_size = size;
    }
    OK(MPI_Comm_free(&comm));
}

static void sets(MPI_Session session)
{
    char name[MPI_MAX_PSET_NAME_LEN], part[4], text[16];
    int n = -1, len, flag = 0, world = 0;
    MPI_Info info;

    OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &n));
    CHECK(n >= 2, "%d process sets", n);
    for (int i = 0; i < n; i++) {
        len = 0;
        OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &len, NULL));
        CHECK(len > 1 && len <= MPI_MAX_PSET_NAME_LEN, "name %d has length %d", i, len);
        int room = len;
        OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &room, name));
        CHECK((int)strlen(name) + 1 == len && room == len, "name %s, length %d then %d", name, len, room);
        len = sizeof part;
        OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &len, part));
        CHECK(strncmp(part, name, 3) == 0 && part[3] == 0 && len == room, "cut name %s", part);
        OK(MPI_Session_get_pset_info(session, name, &info));
        flag = value_of(info, "mpi_size", text, sizeof text);
        CHECK(flag, "%s has no mpi_size", name);
        OK(MPI_Info_free(&info));
        use(session, name, atoi(text));
        world += strcmp(name, "mpi://WORLD") == 0 || strcmp(name, "mpi://SELF") == 0;
    }
    CHECK(world == 2, "%d of the standard's two sets", world);
    use(session, "mpi://SELF", 1);
    use(session, "mpi://self", 1); /* an URI */
}

static void told(void)
{
    MPI_Session session;
    MPI_Info wish, info;
    char text[64];

    OK(MPI_Info_create(&wish));
    OK(MPI_Info_set(wish, "thread_level", "MPI_THREAD_SERIALIZED"));
    OK(MPI_Session_init(wish, MPI_ERRORS_RETURN, &session));
    OK(MPI_Info_free(&wish));
    OK(MPI_Session_get_info(session, &info));
    CHECK(value_of(info, "thread_level", text, sizeof text) && strcmp(text, "MPI_THREAD_SERIALIZED") == 0,
          "thread_level %s", text);
    CHECK(value_of(info, "mpi_memory_alloc_kinds", text, sizeof text) && strstr(text, "system"), "kinds %s", text);
    OK(MPI_Info_free(&info));
    OK(MPI_Session_finalize(&session));
}

static void several(void)
{
    static char buffer[1000 + MPI_BSEND_OVERHEAD];
    MPI_Session s[4];

    for (int i = 0; i < 4; i++) {
        OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s[i]));
        for (int k = 0; k < i; k++)
            CHECK(s[i] != s[k], "two sessions are one");
    }
    use(s[2], "mpi://WORLD", -1);
    OK(MPI_Session_finalize(&s[2]));
    CHECK(s[2] == MPI_SESSION_NULL, "finalize leaves %p", (void *)s[2]);
    use(s[0], "mpi://WORLD", -1);
    OK(MPI_Session_attach_buffer(s[0], buffer, sizeof buffer)); /* ends with the session */
    OK(MPI_Session_finalize(&s[0]));
    OK(MPI_Session_finalize(&s[3]));
    sets(s[1]);
    OK(MPI_Session_finalize(&s[1]));
}

static void wrong(void)
{
    MPI_Session session, freed, none = MPI_SESSION_NULL;
    MPI_Info info;
    MPI_Group group;
    char name[64];
    int n = 0;

    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    FAILS(MPI_Session_get_num_psets(session, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    FAILS(MPI_Session_get_num_psets(session, (MPI_Info)MPI_COMM_WORLD, &n), MPI_ERR_INFO);
    n = 64;
    FAILS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, -1, &n, name), MPI_ERR_ARG);
    FAILS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 1000, &n, name), MPI_ERR_ARG);
    FAILS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, NULL, name), MPI_ERR_ARG);
    FAILS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &n, NULL), MPI_ERR_ARG);
    FAILS(MPI_Session_get_pset_info(session, "mpi://world?", &info), MPI_ERR_ARG);
    FAILS(MPI_Session_get_pset_info(session, NULL, &info), MPI_ERR_ARG);
    FAILS(MPI_Session_get_pset_info(session, "mpi://WORLD", NULL), MPI_ERR_ARG);
    FAILS(MPI_Session_get_info(session, NULL), MPI_ERR_ARG);
    FAILS(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, NULL), MPI_ERR_ARG);
    CHECK(MPI_Group_from_session_pset(session, "nothing", &group) != MPI_SUCCESS, "a group of nothing");
    freed = session;
    if (mc_size > 0) { /* errors of no object need a handler that returns: the world's */
        FAILS(MPI_Session_finalize(&none), MPI_ERR_SESSION);
        FAILS(MPI_Session_finalize(NULL), MPI_ERR_ARG);
        FAILS(MPI_Session_init(MPI_INFO_NULL, MPI_ERRHANDLER_NULL, &none), MPI_ERR_ERRHANDLER);
        OK(MPI_Session_finalize(&session));
        FAILS(MPI_Session_finalize(&freed), MPI_ERR_SESSION);
        FAILS(MPI_Session_get_info(freed, &info), MPI_ERR_SESSION);
    }
}

int main(void)
{
    MPI_Session session;
    int flag = -1, status, size;

    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Initialized(&flag));
    CHECK(flag == 0, "a session is no MPI_Init");
    sets(session);
    size = mc_size;
    OK(MPI_Session_finalize(&session));
    told();
    several(); /* after all were finalized */
    mc_size = 0;
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session)); /* spans what follows */
    mc_start();
    CHECK(mc_size == size, "the world has %d processes, mpi://WORLD had %d", mc_size, size);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    wrong();
    several();
    status = mc_finish();
    OK(MPI_Finalized(&flag));
    CHECK(flag == 1, "not finalized");
    sets(session);
    OK(MPI_Session_finalize(&session));
    several(); /* and again, when nothing else is left */
    return status || check_failures;
}
