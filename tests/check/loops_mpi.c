/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops over tests (loops.py): argv[1] says which; with "late" in argv[2] what they test for comes after a while.
 */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int flag, got[2], out = 1, which;
static MPI_Request requests[2];

static void test(void)
{
    while (!flag)
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE); /* test */
}

static void sleeps(void)
{
    for (; !flag; usleep(10000))
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE); /* sleeps */
}

static void testany(void)
{
    while (!flag)
        MPI_Testany(2, requests, &which, &flag, MPI_STATUS_IGNORE); /* testany */
}

static void testall(void)
{
    while (!flag)
        MPI_Testall(1, requests, &flag, MPI_STATUSES_IGNORE); /* testall */
}

static void status(void)
{
    while (!flag)
        MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE); /* status */
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void iprobe(void)
{
    while (!flag)
        MPI_Iprobe(0, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* iprobe */
    MPI_Recv(&got[0], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static const struct {
    const char *name;
    void (*loop)(void);
} loops[] = {
    {"test", test},       {"sleeps", sleeps}, {"testany", testany},
    {"testall", testall}, {"status", status}, {"iprobe", iprobe},
};

static void first(int late)
{
    MPI_Send(&out, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    usleep(700000);
    if (late)
        MPI_Send(&out, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
}

static void second(const char *name)
{
    if (strcmp(name, "iprobe") != 0)
        MPI_Irecv(&got[0], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[0]);
    requests[1] = MPI_REQUEST_NULL;
    for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++)
        if (strcmp(loops[i].name, name) == 0)
            loops[i].loop();
    MPI_Recv(&got[1], 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        first(strcmp(argv[2], "late") == 0);
    else if (rank == 1)
        second(argv[1]);
    MPI_Barrier(MPI_COMM_WORLD); /* others */
    MPI_Finalize();
    return 0;
}
