/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A victim for strangers.py: one rank makes one collective call while the others make another one, on the same
 * communicator, window or file. They must not pair.
 */
#include "mcheck.h"

static char data[301000];
static int a[4], b[64], counts[64], displs[64];
static MPI_Win win;
static MPI_File file;

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
static void bcast(void)
{
    MPI_Bcast(a, 1, MPI_INT, 0, MPI_COMM_WORLD);
}
static void bcast_of_last(void)
{
    MPI_Bcast(a, 1, MPI_INT, mc_size - 1, MPI_COMM_WORLD);
}
/* Between nodes the first passes in one message, the others in parts. */
static void bcast_bytes(int n)
{
    MPI_Bcast(data, n, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static void middle(void)
{
    bcast_bytes(64000);
}
static void large(void)
{
    bcast_bytes(300000);
}
static void larger(void)
{
    bcast_bytes(301000);
}
static void ilarge(void)
{
    MPI_Request q;

    MPI_Ibcast(data, 300000, MPI_BYTE, 0, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}
static void imiddle(void)
{
    MPI_Request q;

    MPI_Ibcast(data, 64000, MPI_BYTE, 0, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}
static void ibarrier(void)
{
    MPI_Request q;

    MPI_Ibarrier(MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}
static void gather(void)
{
    MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_WORLD);
}
static void allreduce(void)
{
    MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void allgather(void)
{
    MPI_Allgather(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD);
}
static void allgatherv(void)
{
    MPI_Allgatherv(a, 1, MPI_INT, b, counts, displs, MPI_INT, MPI_COMM_WORLD);
}
static void duplicate(void)
{
    MPI_Comm c;

    MPI_Comm_dup(MPI_COMM_WORLD, &c);
}
static void fence(void)
{
    MPI_Win_fence(0, win);
}
static void release(void)
{
    MPI_Win_free(&win);
}
static void sync_file(void)
{
    MPI_File_sync(file);
}
static void close_file(void)
{
    MPI_File_close(&file);
}
static void set_size(void)
{
    MPI_File_set_size(file, 100);
}
/* Nothing is wrong, but some wait long. */
static void late(void)
{
    MPI_Request q;

    for (int r = 0; r < 3 && r < mc_size; r++) {
        MPI_Ibarrier(MPI_COMM_WORLD, &q);
        if (mc_rank == r)
            usleep(900000);
        if (r == 1)
            MPI_Wait(&q, MPI_STATUS_IGNORE);
        MPI_Bcast(a, 1, MPI_INT, r, MPI_COMM_WORLD);
        barrier();
        gather();
        if (r != 1)
            MPI_Wait(&q, MPI_STATUS_IGNORE);
        duplicate();
    }
}

static const struct call {
    const char *name;
    void (*make)(void);
} calls[] = {{"barrier", barrier},     {"bcast", bcast},           {"bcast_of_last", bcast_of_last},
             {"ibarrier", ibarrier},   {"gather", gather},         {"allreduce", allreduce},
             {"allgather", allgather}, {"allgatherv", allgatherv}, {"dup", duplicate},
             {"fence", fence},         {"free", release},          {"sync", sync_file},
             {"close", close_file},    {"set_size", set_size},     {"late", late},
             {"middle", middle},       {"large", large},           {"larger", larger},
             {"imiddle", imiddle},     {"ilarge", ilarge}};

static void make(const char *name)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0)
            calls[i].make();
}

int main(int argc, char **argv)
{
    mc_start();
    for (int i = 0; i < mc_size; i++) {
        counts[i] = 1;
        displs[i] = i;
    }
    OK(MPI_Win_create(b, sizeof b, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    if (argc > 4)
        OK(MPI_File_open(MPI_COMM_WORLD, argv[4], MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                         MPI_INFO_NULL, &file));
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 3)
        make(argv[mc_rank == atoi(argv[3]) ? 2 : 1]);
    fprintf(stderr, "rank %d goes on\n", mc_rank);
    MPI_Barrier(MPI_COMM_WORLD);
    return mc_finish();
}
