/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What --check costs for calls of MPI that programs make often (cost.h).
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>

#include "cost.h"

enum { BLOCK = 1 << 12 };

static int me, n, next, before;
static double *memory, values[2][BLOCK];
static MPI_Win win;
static MPI_Request request[2];

static void get(int i)
{
    MPI_Get(&values[0][i % BLOCK], 1, MPI_DOUBLE, next, i % BLOCK, 1, MPI_DOUBLE, win);
}

static void put(int i)
{
    MPI_Put(&values[0][i % BLOCK], 1, MPI_DOUBLE, next, i % BLOCK, 1, MPI_DOUBLE, win);
}

static void accumulate(int i)
{
    MPI_Accumulate(&values[0][i % BLOCK], 1, MPI_DOUBLE, next, i % BLOCK, 1, MPI_DOUBLE, MPI_SUM, win);
}

static void sendrecv(int i)
{
    (void)i;
    MPI_Sendrecv(values[0], 8, MPI_DOUBLE, next, 0, values[1], 8, MPI_DOUBLE, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void send_and_receive(int i)
{
    (void)i;
    if (me % 2 == 0)
        MPI_Send(values[0], 8, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
    MPI_Recv(values[1], 8, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me % 2 == 1)
        MPI_Send(values[0], 8, MPI_DOUBLE, next, 0, MPI_COMM_WORLD);
}

static void exchange(int i)
{
    (void)i;
    MPI_Irecv(values[1], 8, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(values[0], 8, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void allreduce(int i)
{
    double sum, own = i;

    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void barrier(int i)
{
    (void)i;
    MPI_Barrier(MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*call)(int i);
    double walks, looks;
} cases[] = {
    {"MPI_Get", get, 0, 0},
    {"MPI_Put", put, 0, 0},
    {"MPI_Accumulate", accumulate, 0, 0},
    {"MPI_Sendrecv", sendrecv, 0, 0},
    {"MPI_Send and MPI_Recv", send_and_receive, 0, 0},
    {"MPI_Isend, MPI_Irecv and MPI_Waitall", exchange, 0, 6},
    {"MPI_Allreduce", allreduce, 1, 0},
    {"MPI_Barrier", barrier, 1, 0},
};

int main(int argc, char **argv)
{
    int cheap = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    MPI_Win_allocate(BLOCK * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct cost had = cost;

        for (int i = 0; i < ROUNDS; i++)
            cases[k].call(i);
        MPI_Win_flush_all(win);
        cheap &= is_cheap(cases[k].name, had, cases[k].walks, cases[k].looks);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return cheap ? EXIT_SUCCESS : EXIT_FAILURE;
}
