/* SPDX-License-Identifier: BSD-3-Clause */
/* For strangers.py: a server that opens a port, says so and accepts one client, or that client. With the name of a file
 * after the word "after" the server's other ranks, which have no socket yet, wait until it is there. "poor": the last
 * rank has no descriptor left for one. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void await(const char *file)
{
    while (access(file, F_OK) != 0)
        usleep(10000);
}

static void serve(const char *file)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    int got = 0, me, n;

    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (me == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        printf("%s\n", port);
        fflush(stdout);
    }
    if (file)
        await(file);
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
    if (me == n - 1) {
        MPI_Recv(&got, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
        printf("got %d\n", got);
    }
    MPI_Comm_disconnect(&other);
}

/* The others must not wait for clients that could never reach the last one. */
static int be_poor(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    int me, n, err, next;

    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (me == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    if (me == n - 1) {
        next = dup(0);
        close(next);
        setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)next, (rlim_t)next});
    }
    err = MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
    return err == MPI_SUCCESS;
}

static void connect_to(const char *port)
{
    MPI_Comm other;
    int n;

    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    MPI_Comm_remote_size(other, &n);
    MPI_Send(&(int){42}, 1, MPI_INT, n - 1, 0, other);
    MPI_Comm_disconnect(&other);
}

int main(int argc, char **argv)
{
    int err = 0;

    MPI_Init(&argc, &argv);
    if (argc == 2 && strcmp(argv[1], "poor") == 0)
        err = be_poor();
    else if (argc == 2)
        connect_to(argv[1]);
    else
        serve(argc > 2 ? argv[2] : NULL);
    MPI_Finalize();
    return err;
}
