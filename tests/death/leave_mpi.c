/* SPDX-License-Identifier: BSD-3-Clause */
/* leave_mpi WHERE: the last rank calls exit(0) in the middle; the others wait for it there. `deadlock`: all wait. `apart`:
 * they wait for each other, who come late, and then finish. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    {"recv", in_recv}, {"any", in_any}, {"probe", in_probe}, {"waitall", in_waitall}, {"ssend", in_ssend}, {"barrier", in_barrier},
    {"allreduce", in_allreduce}, {"ibarrier", in_ibarrier}, {"window", in_window}, {"finalize", in_finalize}, {"deadlock", in_deadlock},
    {"apart", apart},
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &last);
    last--;
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
