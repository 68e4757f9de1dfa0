/* SPDX-License-Identifier: BSD-3-Clause */
/* leave_mpi WHERE: the last rank calls exit(0) in the middle; the others wait for it there. `deadlock`: all wait.
 * `apart`: they wait for each other, who come late, and then finish. Ranks 0 and 1 of 3 do without the last one in
 * others. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LONG = 1 << 18 };
static int rank, last, word, many[LONG];

static void in_recv(void)
{
    MPI_Recv(&word, 1, MPI_INT, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void in_any(void)
{
    MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void in_probe(void)
{
    MPI_Probe(last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void in_waitall(void)
{
    MPI_Request r[2];

    MPI_Irecv(&word, 1, MPI_INT, last, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Issend(many, LONG, MPI_INT, last, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
static void in_ssend(void)
{
    MPI_Ssend(many, LONG, MPI_INT, last, 1, MPI_COMM_WORLD);
}
static void in_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
static void in_allreduce(void)
{
    MPI_Allreduce(MPI_IN_PLACE, many, LONG, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void in_ibarrier(void)
{
    MPI_Request r;

    MPI_Ibarrier(MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}
static void in_window(void)
{
    MPI_Win w;
    void *base;

    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &w);
}
static void in_finalize(void)
{
    MPI_Finalize();
}

/* ---------------------------------------------------------------- loops -- */

static void in_test(void)
{
    MPI_Request r;
    int done = 0;

    MPI_Irecv(&word, 1, MPI_INT, last, 1, MPI_COMM_WORLD, &r);
    while (!done)
        MPI_Test(&r, &done, MPI_STATUS_IGNORE);
}
static void in_slow(void)
{
    MPI_Request r;
    int done = 0;

    MPI_Irecv(&word, 1, MPI_INT, last, 1, MPI_COMM_WORLD, &r);
    while (MPI_Test(&r, &done, MPI_STATUS_IGNORE), !done)
        usleep(1000);
}
static void in_testall(void)
{
    MPI_Request r[2];
    int done = 0;

    MPI_Irecv(&word, 1, MPI_INT, last, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(many, 1, MPI_INT, last, 2, MPI_COMM_WORLD, &r[1]);
    while (!done)
        MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE);
}
static void in_request(void)
{
    MPI_Request r;
    int done = 0;

    MPI_Irecv(&word, 1, MPI_INT, last, 1, MPI_COMM_WORLD, &r);
    while (!done)
        MPI_Request_get_status(r, &done, MPI_STATUS_IGNORE);
}
static void in_iprobe(void)
{
    int there = 0;

    while (!there)
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
}

/* ------------------------------------------------- what must not be ended -- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void compute(double seconds)
{
    for (double end = now() + seconds; now() < end;)
        word++;
}
static void tested(int from)
{
    MPI_Request r;
    int done = 0;

    MPI_Irecv(many, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &r);
    while (!done)
        MPI_Test(&r, &done, MPI_STATUS_IGNORE);
}
static void late(void)
{
    if (rank == 0) {
        tested(1);
    } else {
        compute(3.2);
        MPI_Send(many, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
}
static void computes(void)
{
    int there;

    for (double end = now() + 3.2; now() < end; compute(20e-6))
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
}
/* What is tested for never comes, but other messages do. */
static void talks(void)
{
    double end = now() + 3.2;
    int there, go_on = 1;

    while (go_on) {
        for (int i = 0; i < 10; i++)
            MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (rank == 0)
            go_on = now() < end;
        if (rank == 0) {
            MPI_Send(&go_on, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(many, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&go_on, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(many, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
    }
}
/* A word goes to and fro, and rests with each for most of a second. */
static void passes(void)
{
    for (int i = 0; i < 6; i++)
        if (i % 2 == rank) {
            compute(0.7);
            MPI_Send(many, 1, MPI_INT, !rank, 1, MPI_COMM_WORLD);
        } else {
            tested(!rank);
        }
}
static MPI_Win window;
static int *counts;
static void window_make(void)
{
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counts, &window);
    memset(counts, 0, 2 * sizeof(int));
    MPI_Barrier(MPI_COMM_WORLD);
}
/* The other's puts are seen by loads. */
static void puts_there(void)
{
    volatile int *seen = &counts[!rank];
    int there, n = 0;

    MPI_Win_lock_all(0, window);
    for (double end = now() + 3.2; now() < end; n++) {
        for (int i = 0; i < 100; i++)
            MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        MPI_Put(&n, 1, MPI_INT, !rank, rank, 1, MPI_INT, window);
        MPI_Win_flush(!rank, window);
    }
    while (*seen == 0)
        MPI_Win_sync(window);
}
static void in_deadlock(void)
{
    MPI_Recv(&word, 1, MPI_INT, (rank + 1) % (last + 1), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void apart(void)
{
    if (rank == 0)
        sleep(5);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    exit(0);
}

static const struct {
    const char *name;
    void (*go)(void);
} places[] = {
    {"recv", in_recv},           {"any", in_any},           {"probe", in_probe},
    {"waitall", in_waitall},     {"ssend", in_ssend},       {"barrier", in_barrier},
    {"allreduce", in_allreduce}, {"ibarrier", in_ibarrier}, {"window", in_window},
    {"finalize", in_finalize},   {"deadlock", in_deadlock}, {"apart", apart},
    {"test", in_test},           {"testall", in_testall},   {"iprobe", in_iprobe},
    {"slow", in_slow},           {"request", in_request},   {"late", late},
    {"computes", computes},      {"talks", talks},          {"passes", passes},
    {"puts", puts_there},
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &last);
    last--;
    if (strcmp(argv[1], "puts") == 0)
        window_make();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == last && strcmp(argv[1], "deadlock") != 0 && strcmp(argv[1], "apart") != 0) {
        usleep(200000);
        exit(0);
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(argv[1], places[i].name) == 0)
            places[i].go();
    printf("went on\n");
    return 0;
}
