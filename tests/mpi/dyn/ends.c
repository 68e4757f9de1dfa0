/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How jobs that know each other end: for ends.py, which says what to do and looks
 * at what comes of it.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char *how;
static int rank;

static MPI_Comm spawn(int n)
{
    char self[4096], *argv[] = {how, NULL};
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    MPI_Comm inter;

    self[len > 0 ? len : 0] = '\0';
    MPI_Comm_spawn(self, argv, n, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE);
    return inter;
}

static int is(const char *word)
{
    return strcmp(how, word) == 0;
}

static int child(MPI_Comm parent)
{
    int n = 0;

    MPI_Barrier(parent);
    if (is("killed") && rank == 0)
        raise(SIGKILL);
    if (is("leaves") && rank == 0)
        exit(0);
    if (is("aborts"))
        MPI_Abort(MPI_COMM_WORLD, 9);
    if (is("killed") || is("leaves") || is("parent"))
        MPI_Recv(&n, 1, MPI_INT, 0, 0, parent, MPI_STATUS_IGNORE);
    if (is("late") || is("fails"))
        MPI_Comm_disconnect(&parent);
    if (is("late") || is("together"))
        usleep(400000);
    printf("child %d ends\n", rank);
    MPI_Finalize();
    return is("fails") ? 3 : 0;
}

static int parent(void)
{
    MPI_Comm inter = spawn(2);
    struct timespec from, to;
    int n = 0;

    MPI_Barrier(inter);
    if (is("parent") && rank == 0)
        raise(SIGKILL);
    if (is("killed") || is("leaves") || is("aborts") || is("parent"))
        MPI_Recv(&n, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
    if (is("late") || is("fails"))
        MPI_Comm_disconnect(&inter);
    clock_gettime(CLOCK_MONOTONIC, &from);
    MPI_Finalize();
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("parent %d waited %ld ms\nparent %d ends\n", rank,
           (long)(to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000, rank);
    return 0;
}

/* Jobs of their own: a server that serves `argv[2]` clients, and its clients. */
static int serve(const char *service, int clients)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm inter;
    int sum = 0, one;

    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Publish_name(service, MPI_INFO_NULL, port);
        printf("serving\n");
        fflush(stdout);
    }
    for (int i = 0; i < clients; i++) {
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter);
        MPI_Allreduce(&(int){1}, &one, 1, MPI_INT, MPI_SUM, inter);
        sum += one;
        MPI_Comm_disconnect(&inter);
    }
    if (rank == 0)
        printf("served %d\n", sum);
    MPI_Finalize();
    return 0;
}

static int visit(const char *service)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm inter;
    int servers;

    if (rank == 0)
        MPI_Lookup_name(service, MPI_INFO_NULL, port);
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter);
    MPI_Allreduce(&(int){1}, &servers, 1, MPI_INT, MPI_SUM, inter);
    MPI_Comm_disconnect(&inter);
    if (rank == 0)
        printf("visited %d\n", servers);
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Comm up;
    int *appnum, flag, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    how = argc > 1 ? argv[1] : (char *)"";
    MPI_Comm_get_parent(&up);
    if (up != MPI_COMM_NULL)
        return child(up);
    if (is("serve"))
        return serve(argv[2], atoi(argv[3]));
    if (is("visit"))
        return visit(argv[2]);
    if (!is("place"))
        return parent();
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &appnum, &flag);
    printf("rank %d of %d, application %d, arguments %d, last %s\n", rank, size, flag ? *appnum : -1, argc,
           argv[argc - 1]);
    MPI_Finalize();
    return 0;
}
