/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations that end in another call than they begin in, for later.py: nonblocking, persistent and neighbourhood
 * collectives, and partitioned messages. In each the PE whose number is the argument comes last, a while after all
 * others have said that they are about to wait.
 */
#include <mpi.h>
#include <mpt/trace.h>
#include <stdlib.h>
#include <time.h>

enum { PARTS = 4, EACH = 3000, AHEAD = 99 };
static int me, n, late;
static MPI_Comm ring, away; /* away: for what puts the PEs in order */
static double values[2][4096];

static void rest(void)
{
    nanosleep(&(struct timespec){0, 150000000}, NULL);
}

/* Before an operation: the late PE returns when all others have been here a while ago. */
static void come(void)
{
    if (me != late) {
        MPI_Send(NULL, 0, MPI_BYTE, late, AHEAD, away);
        return;
    }
    for (int i = 1; i < n; i++)
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, AHEAD, away, MPI_STATUS_IGNORE);
    rest();
}

static void end(MPI_Request *r)
{
    MPI_Wait(r, MPI_STATUS_IGNORE);
    mpt_region_end();
}

static void nonblocking(void)
{
    MPI_Request r;
    int done = 0;

    mpt_region_begin("ibarrier");
    come();
    MPI_Ibarrier(MPI_COMM_WORLD, &r);
    end(&r);
    mpt_region_begin("iallreduce");
    come();
    MPI_Iallreduce(values[0], values[1], 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);
    MPI_Waitall(1, &r, MPI_STATUSES_IGNORE);
    mpt_region_end();
    mpt_region_begin("ibcast");
    come();
    MPI_Ibcast(values[0], 4096, MPI_DOUBLE, late, MPI_COMM_WORLD, &r);
    end(&r);
    mpt_region_begin("ireduce");
    come();
    MPI_Ireduce(values[0], values[1], 4096, MPI_DOUBLE, MPI_SUM, (late + 1) % n, MPI_COMM_WORLD, &r);
    end(&r);
    mpt_region_begin("iscan");
    come();
    MPI_Iscan(values[0], values[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);
    end(&r);
    mpt_region_begin("tested");
    come();
    MPI_Ibarrier(MPI_COMM_WORLD, &r);
    while (!done)
        MPI_Test(&r, &done, MPI_STATUS_IGNORE);
    mpt_region_end();
}

static void persistent(void)
{
    MPI_Request r[2];

    MPI_Allreduce_init(values[0], values[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Bcast_init(values[0], 10, MPI_DOUBLE, late, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    for (int i = 0; i < 2; i++) {
        mpt_region_begin(i ? "bcast_again" : "allreduce_init");
        come();
        MPI_Start(&r[i]);
        end(&r[i]);
    }
    mpt_region_begin("startall");
    come();
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    mpt_region_end();
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

static void neighbours(void)
{
    MPI_Request r;
    int all = 1;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &all, 0, &ring);
    mpt_region_begin("neighbor");
    come();
    MPI_Neighbor_alltoall(values[0], 1, MPI_DOUBLE, values[1], 1, MPI_DOUBLE, ring);
    mpt_region_end();
    mpt_region_begin("ineighbor");
    come();
    MPI_Ineighbor_allgather(values[0], 1, MPI_DOUBLE, values[1], 1, MPI_DOUBLE, ring, &r);
    end(&r);
    MPI_Comm_free(&ring);
}

/* From the late PE to the next one, then the other way: a late sender, and a late receiver. */
static void partitions(int from, int to, const char *name, int size)
{
    static char out[PARTS * EACH], in[PARTS * EACH];
    MPI_Request r = MPI_REQUEST_NULL;
    int here = 0;

    if (me == to)
        MPI_Precv_init(in, 2, (MPI_Count)size * PARTS / 2, MPI_CHAR, from, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    if (me == from)
        MPI_Psend_init(out, PARTS, size, MPI_CHAR, to, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    for (int round = 0; round < 2; round++) {
        mpt_region_begin(name);
        if (me == from && from == late)
            MPI_Start(&r);
        come();
        if (me == from && from == late) {
            MPI_Pready(0, r);
            MPI_Pready_range(2, 3, r);
            rest();
            MPI_Pready_list(1, (int[]){1}, r);
        } else if (me == from) {
            MPI_Start(&r);
            MPI_Pready_range(0, PARTS - 1, r);
        } else if (me == to) {
            MPI_Start(&r);
            for (here = 0; !here && round == 1;)
                MPI_Parrived(r, 1, &here);
        }
        if (r != MPI_REQUEST_NULL)
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        mpt_region_end();
    }
    if (r != MPI_REQUEST_NULL)
        MPI_Request_free(&r);
}

static void files(const char *path)
{
    MPI_File f;
    MPI_Request r;

    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
    mpt_region_begin("file");
    come();
    MPI_File_iwrite_at_all(f, me * 800, values[0], 100, MPI_DOUBLE, &r);
    end(&r);
    MPI_File_close(&f);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_dup(MPI_COMM_WORLD, &away);
    late = atoi(argv[1]);
    nonblocking();
    persistent();
    neighbours();
    partitions(late, (late + 1) % n, "parts", EACH);
    partitions((late + 1) % n, late, "parts_back", 8);
    files(argv[2]);
    MPI_Comm_free(&away);
    MPI_Finalize();
    return 0;
}
