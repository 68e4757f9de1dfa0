/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Spawned jobs whose PEs are tasks, or are not, as the info key mpt_tasks says, whatever their parents are: they talk
 * both ways, spawn others, and meet at a port.
 */
#include "children.h"

enum { CHILDREN = 4 };

/* In how many processes the members of this communicator are. */
static int processes(MPI_Comm comm)
{
    int size, different = 0, mine = (int)getpid(), *all;

    MPI_Comm_size(comm, &size);
    all = calloc((size_t)size, sizeof *all);
    OK(MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comm));
    for (int i = 0; i < size; i++)
        different += i == 0 || all[i] != all[i - 1];
    free(all);
    return different;
}

/* Each of one side tells each of the other its rank. */
static void talk(MPI_Comm inter)
{
    int rank, remote, all[64];

    MPI_Comm_rank(inter, &rank);
    MPI_Comm_remote_size(inter, &remote);
    OK(MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, inter));
    for (int i = 0; i < remote; i++)
        CHECK(all[i] == i, "rank %d says %d", i, all[i]);
}

static void child(MPI_Comm parent, int argc, char **argv)
{
    int expected = argc > 2 ? atoi(argv[2]) : 0, found = processes(MPI_COMM_WORLD);
    MPI_Comm more, grandchildren;

    CHECK(found == expected, "%d processes, expected %d", found, expected);
    talk(parent);
    MPI_Comm_dup(MPI_COMM_WORLD, &more);
    MPI_Barrier(more);
    MPI_Comm_free(&more);
    if (expected < CHILDREN) { /* tasks spawn others, of which nobody has said anything */
        grandchildren = spawn_part(MPI_COMM_WORLD, 1, 2, "grandchild");
        talk(grandchildren);
        part_from(&grandchildren);
    }
}

static void grandchild(MPI_Comm parent, int argc, char **argv)
{
    (void)argc, (void)argv;
    talk(parent);
}

/* A server in one job, its clients tasks of another. */
static void client(MPI_Comm parent, int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm server;

    (void)argc, (void)argv;
    OK(MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, parent));
    OK(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &server));
    talk(server);
    part_from(&server);
}

static MPI_Comm spawn_as(const char *tasks, const char *part, const char *expected)
{
    char *argv[] = {(char *)(uintptr_t)part, (char *)(uintptr_t)expected, NULL};
    MPI_Comm inter;
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "mpt_tasks", tasks);
    inter = spawn_with(MPI_COMM_WORLD, 0, CHILDREN, argv, info);
    MPI_Info_free(&info);
    return inter;
}

static void at_a_port(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm inter = spawn_as("1", "client", "1"), one;
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        OK(MPI_Open_port(MPI_INFO_NULL, port));
    OK(MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter));
    for (int i = 0; i < CHILDREN; i++) {
        OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &one));
        talk(one);
        part_from(&one);
    }
    if (rank == 0)
        OK(MPI_Close_port(port));
    part_from(&inter);
}

static void wrong_words(void)
{
    static const char *const wrong[] = {"yes", "-1", "2x"};
    MPI_Comm inter = MPI_COMM_NULL;
    MPI_Info info;

    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Info_create(&info);
    for (size_t i = 0; i < 3; i++) {
        MPI_Info_set(info, "mpt_tasks", wrong[i]);
        FAILS(MPI_Comm_spawn(own_path(), MPI_ARGV_NULL, 1, info, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE),
              MPI_ERR_INFO_VALUE);
    }
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    static const struct part parts[] = {{"child", child}, {"grandchild", grandchild}, {"client", client}, {NULL, NULL}};
    MPI_Comm inter;

    mc_start();
    if (run_child(parts, argc, argv))
        return mc_finish();
    inter = spawn_as("1", "child", "1");
    talk(inter);
    part_from(&inter);
    inter = spawn_as("0", "child", "4");
    talk(inter);
    part_from(&inter);
    at_a_port();
    if (mc_rank == 0)
        wrong_words();
    return mc_finish();
}
