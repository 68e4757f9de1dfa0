/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ports, names of services and sockets (MPI-5.0, 11.9 and 11.10.5): servers and
 * clients of one job and of two that know each other by a name only, several
 * clients at one port, refusals, and errors.
 */
#include <sys/socket.h>

#include "children.h"

static void exchange(MPI_Comm inter)
{
    int rank, remote, sum = -1;
    int *all;

    MPI_Comm_rank(inter, &rank);
    MPI_Comm_remote_size(inter, &remote);
    OK(MPI_Allreduce(&(int){1}, &sum, 1, MPI_INT, MPI_SUM, inter));
    CHECK(sum == remote, "%d of %d", sum, remote);
    all = malloc((size_t)remote * sizeof *all);
    OK(MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, inter));
    for (int i = 0; i < remote; i++)
        CHECK(all[i] == i, "rank %d says %d", i, all[i]);
    free(all);
}

/* The two halves of the world: not connected but by a port. */
static void halves(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm half, inter;
    int rank, upper = mc_rank >= mc_size / 2;

    if (mc_size < 2)
        return;
    OK(MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half));
    MPI_Comm_rank(half, &rank);
    if (!upper && rank == 0) {
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        OK(MPI_Send(port, sizeof port, MPI_CHAR, mc_size / 2, 1, MPI_COMM_WORLD));
    } else if (upper && rank == 0) {
        OK(MPI_Recv(port, sizeof port, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    for (int round = 0; round < 3; round++) {
        if (upper)
            OK(MPI_Comm_connect(rank == 0 ? port : NULL, MPI_INFO_NULL, 0, half, &inter));
        else
            OK(MPI_Comm_accept(rank == 0 ? port : NULL, MPI_INFO_NULL, 0, half, &inter));
        exchange(inter);
        OK(MPI_Comm_disconnect(&inter));
    }
    if (!upper && rank == 0)
        OK(MPI_Close_port(port));
    OK(MPI_Comm_free(&half));
}

/* A job that finds another by the name of its service. */
static void child_looks_up(MPI_Comm parent, int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm inter;

    (void)argc, (void)parent;
    OK(MPI_Lookup_name(argv[2], MPI_INFO_NULL, port));
    OK(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter));
    exchange(inter);
    OK(MPI_Comm_disconnect(&inter));
}

/* Three clients, each by itself, in the order they come. */
static void service(void)
{
    char port[MPI_MAX_PORT_NAME], found[MPI_MAX_PORT_NAME], name[64];
    char *argv[] = {(char *)"client", name, NULL};
    MPI_Comm children, inter;

    snprintf(name, sizeof name, "mpt test %d.%d", (int)getpid(), mc_rank);
    OK(MPI_Open_port(MPI_INFO_NULL, port));
    OK(MPI_Publish_name(name, MPI_INFO_NULL, port));
    OK(MPI_Lookup_name(name, MPI_INFO_NULL, found));
    CHECK(strcmp(port, found) == 0, "published %s, found %s", port, found);
    FAILS(MPI_Publish_name(name, MPI_INFO_NULL, port), MPI_ERR_SERVICE);
    children = spawn_with(MPI_COMM_SELF, 0, 3, argv, MPI_INFO_NULL);
    for (int i = 0; i < 3; i++) {
        OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter));
        exchange(inter);
        OK(MPI_Comm_disconnect(&inter));
    }
    part_from(&children);
    FAILS(MPI_Unpublish_name(name, MPI_INFO_NULL, "other"), MPI_ERR_SERVICE);
    OK(MPI_Unpublish_name(name, MPI_INFO_NULL, port));
    FAILS(MPI_Unpublish_name(name, MPI_INFO_NULL, port), MPI_ERR_SERVICE);
    FAILS(MPI_Lookup_name(name, MPI_INFO_NULL, found), MPI_ERR_NAME);
    OK(MPI_Close_port(port));
}

/* A client that nobody accepts learns it when the port closes; one that comes later at once. */
static void child_is_refused(MPI_Comm parent, int argc, char **argv)
{
    MPI_Comm inter = MPI_COMM_WORLD;

    (void)argc;
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Barrier(parent));
    FAILS(MPI_Comm_connect(argv[2], MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
    CHECK(inter == MPI_COMM_NULL, "a communicator of a connection refused");
    FAILS(MPI_Comm_connect(argv[2], MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
}

static void refusal(void)
{
    char port[MPI_MAX_PORT_NAME], *argv[] = {(char *)"refused", port, NULL};
    MPI_Comm child;
    double until;
    int flag;

    OK(MPI_Open_port(MPI_INFO_NULL, port));
    child = spawn_with(MPI_COMM_SELF, 0, 1, argv, MPI_INFO_NULL);
    OK(MPI_Barrier(child));
    for (until = MPI_Wtime() + 0.1; MPI_Wtime() < until;)
        OK(MPI_Iprobe(0, 0, child, &flag, MPI_STATUS_IGNORE));
    OK(MPI_Close_port(port));
    part_from(&child);
}

/* Nobody accepts, and the process that might is not in MPI meanwhile: a limit for one call, and the one for all. Then
 * the server takes the client that has not given up. */
static double connect_late(const char *port, MPI_Info info)
{
    double begin = MPI_Wtime();
    MPI_Comm inter = MPI_COMM_WORLD;

    FAILS(MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
    CHECK(inter == MPI_COMM_NULL, "a communicator of a connection that nobody made");
    return MPI_Wtime() - begin;
}

static void child_gives_up(MPI_Comm parent, int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME] = "";
    double took;
    MPI_Comm inter;
    MPI_Info info;

    (void)argc;
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "timeout", "0.2"));
    OK(MPI_Barrier(parent));
    took = connect_late(argv[2], info);
    CHECK(took >= 0.19 && took < 0.9, "a limit of 0.2 s took %g s", took);
    took = connect_late(argv[2], MPI_INFO_NULL);
    CHECK(took >= 0.99 && took < 9, "a limit of 1 s took %g s", took);
    OK(MPI_Info_set(info, "timeout", "0"));
    OK(MPI_Comm_connect(argv[2], info, 0, MPI_COMM_SELF, &inter));
    exchange(inter);
    OK(MPI_Comm_disconnect(&inter));
    OK(MPI_Info_free(&info));
    OK(MPI_Open_port(MPI_INFO_NULL, port));
    OK(MPI_Send(port, sizeof port, MPI_CHAR, 0, 0, parent));
}

static void nobody(void)
{
    char port[MPI_MAX_PORT_NAME], name[64], *argv[] = {(char *)"give up", port, NULL};
    MPI_Comm child, inter;
    MPI_Info info;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "env", "MPT_CONNECT_TIMEOUT=1"));
    OK(MPI_Open_port(MPI_INFO_NULL, port));
    child = spawn_with(MPI_COMM_SELF, 0, 1, argv, info);
    OK(MPI_Info_free(&info));
    OK(MPI_Barrier(child));
    usleep(2500000);
    OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter));
    exchange(inter);
    OK(MPI_Comm_disconnect(&inter));
    OK(MPI_Close_port(port));
    OK(MPI_Recv(port, sizeof port, MPI_CHAR, 0, 0, child, MPI_STATUS_IGNORE));
    part_from(&child);
    /* the name of a service whose port went with its process */
    snprintf(name, sizeof name, "mpt stale %d.%d", (int)getpid(), mc_rank);
    OK(MPI_Publish_name(name, MPI_INFO_NULL, port));
    OK(MPI_Lookup_name(name, MPI_INFO_NULL, port));
    FAILS(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter), MPI_ERR_PORT);
    OK(MPI_Unpublish_name(name, MPI_INFO_NULL, port));
}

/* Pairs of processes with a socket between them: made before, by one for both of its children, or here. */
static void child_joins(MPI_Comm parent, int argc, char **argv)
{
    MPI_Comm inter;

    (void)argc, (void)parent;
    OK(MPI_Comm_join(atoi(argv[2]), &inter));
    exchange(inter);
    OK(MPI_Comm_disconnect(&inter));
}

static void joining(void)
{
    int ends[2], other;
    char fd[16], *argv[] = {(char *)"join", fd, NULL}, c = 'x';
    MPI_Comm child, inter;

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return;
    snprintf(fd, sizeof fd, "%d", ends[1]);
    child = spawn_with(MPI_COMM_SELF, 0, 1, argv, MPI_INFO_NULL);
    close(ends[1]);
    OK(MPI_Comm_join(ends[0], &inter));
    exchange(inter);
    MPI_Comm_remote_size(inter, &other);
    CHECK(other == 1, "joined with %d", other);
    OK(MPI_Comm_disconnect(&inter));
    part_from(&child);
    CHECK(recv(ends[0], &c, 1, MSG_DONTWAIT) <= 0, "something is left in the socket: %d", c);
    close(ends[0]);
}

static void errors(void)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm inter, c = MPI_COMM_SELF;
    MPI_Info null = MPI_INFO_NULL, info;
    static const char *const wrong[] = {"soon", "-1", "3 s", "nan", ""};
    char text[MPI_MAX_ERROR_STRING];
    int ends[2], code, n;

    FAILS(MPI_Open_port(null, NULL), MPI_ERR_ARG);
    FAILS(MPI_Close_port(NULL), MPI_ERR_ARG);
    FAILS(MPI_Close_port("nonsense"), MPI_ERR_PORT);
    FAILS(MPI_Comm_accept("nonsense", null, 0, c, &inter), MPI_ERR_PORT);
    FAILS(MPI_Comm_accept(NULL, null, 0, c, &inter), MPI_ERR_ARG);
    FAILS(MPI_Comm_connect("nonsense", null, 0, c, &inter), MPI_ERR_PORT);
    FAILS(MPI_Comm_connect("mpt:1.2.3:4.8:5.6.7", null, 0, c, &inter), MPI_ERR_PORT);
    FAILS(MPI_Comm_connect("mpt:0000000000000001.0.2:0000000000000000.0000000000000000:00000000.0000.0000000000000000",
                           null, 0, c, &inter),
          MPI_ERR_PORT);
    FAILS(MPI_Comm_connect(NULL, null, 0, c, &inter), MPI_ERR_ARG);
    /* all of comm are told */
    FAILS(MPI_Comm_connect("nonsense", null, 0, MPI_COMM_WORLD, &inter), MPI_ERR_PORT);
    FAILS(MPI_Comm_connect("nonsense", null, -1, c, &inter), MPI_ERR_ROOT);
    FAILS(MPI_Comm_accept("nonsense", null, 0, MPI_COMM_NULL, &inter), MPI_ERR_COMM);
    FAILS(MPI_Comm_accept("nonsense", null, 0, c, NULL), MPI_ERR_ARG);
    OK(MPI_Open_port(null, port));
    code = MPI_Comm_connect(port, null, 0, c, &inter); /* nobody else could accept */
    MPI_Error_string(code, text, &n);
    CHECK(strstr(text, "MPI_ERR_PORT") && strstr(text, "cannot connect to itself"), "a connection to the own port: %s",
          text);
    OK(MPI_Close_port(port));
    FAILS(MPI_Comm_connect(port, null, 0, c, &inter), MPI_ERR_PORT);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        OK(MPI_Info_create(&info));
        OK(MPI_Info_set(info, "timeout", wrong[i]));
        code = MPI_Comm_connect("nonsense", info, 0, c, &inter);
        MPI_Error_string(code, text, &n);
        CHECK(strstr(text, "MPI_ERR_INFO_VALUE") && strstr(text, "timeout") && strstr(text, wrong[i]), "timeout %s: %s",
              wrong[i], text);
        OK(MPI_Info_free(&info));
    }
    FAILS(MPI_Close_port(port), MPI_ERR_PORT);
    FAILS(MPI_Comm_accept(port, null, 0, c, &inter), MPI_ERR_PORT);
    FAILS(MPI_Lookup_name("no such service", null, port), MPI_ERR_NAME);
    FAILS(MPI_Lookup_name(NULL, null, port), MPI_ERR_ARG);
    FAILS(MPI_Lookup_name("x", null, NULL), MPI_ERR_ARG);
    FAILS(MPI_Publish_name("", null, "x"), MPI_ERR_ARG);
    FAILS(MPI_Publish_name(NULL, null, "x"), MPI_ERR_ARG);
    FAILS(MPI_Unpublish_name("no such service", null, "x"), MPI_ERR_SERVICE);
    FAILS(MPI_Comm_join(-1, &inter), MPI_ERR_ARG);
    FAILS(MPI_Comm_join(0, NULL), MPI_ERR_ARG);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
        close(ends[1]);
        FAILS(MPI_Comm_join(ends[0], &inter), MPI_ERR_OTHER);
        close(ends[0]);
    }
}

int main(int argc, char **argv)
{
    static const struct part parts[] = {{"client", child_looks_up},
                                        {"refused", child_is_refused},
                                        {"join", child_joins},
                                        {"give up", child_gives_up},
                                        {NULL, NULL}};

    mc_start();
    if (run_child(parts, argc, argv))
        return mc_finish();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    halves();
    service();
    refusal();
    nobody();
    joining();
    errors();
    return mc_finish();
}
