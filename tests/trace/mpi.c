/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of every kind that MPI has, for mpi.py; with an even number of processes.
 */
#include <mpi.h>
#include <mpt/trace.h>
#include <stdlib.h>

enum { N = 20000 };
static int me, n, to, from, small, large[N], got[N];

static void modes(void)
{
    static char room[4096 + MPI_BSEND_OVERHEAD];
    MPI_Request r;
    void *at;
    int size;

    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(&small, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
    MPI_Recv(got, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&at, &size);
    MPI_Irecv(got, N, MPI_INT, from, 2, MPI_COMM_WORLD, &r);
    MPI_Ssend(large, N, MPI_INT, to, 2, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Irecv(got, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &r);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rsend(&small, 1, MPI_INT, to, 3, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Send(&small, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD);
    MPI_Recv(got, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void persistent(void)
{
    MPI_Request r[2];

    MPI_Recv_init(got, N, MPI_INT, from, 5, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(large, N, MPI_INT, to, 5, MPI_COMM_WORLD, &r[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, r);
        if (i == 1)
            for (int done = 0; !done;)
                MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE);
        else
            MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

static void matched(void)
{
    MPI_Message message;
    MPI_Request r;
    MPI_Status status;
    int index;

    MPI_Isend(&small, 1, MPI_INT, to, 6, MPI_COMM_WORLD, &r);
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Waitany(1, &r, &index, MPI_STATUS_IGNORE);
    MPI_Isend(large, N, MPI_INT, to, 7, MPI_COMM_WORLD, &r);
    MPI_Probe(from, 7, MPI_COMM_WORLD, &status);
    MPI_Recv(got, N, MPI_INT, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&small, 1, MPI_INT, to, 8, got, 1, MPI_INT, from, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(got, 2, MPI_INT, to, 9, from, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void other_communicators(void)
{
    MPI_Comm half, inter, turned;
    int key = n - me;

    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 10, &inter);
    MPI_Sendrecv(&small, 1, MPI_INT, me / 2, 11, got, 1, MPI_INT, me / 2, 11, inter, MPI_STATUS_IGNORE);
    MPI_Comm_split(MPI_COMM_WORLD, 0, key, &turned); /* ranks the other way round */
    MPI_Sendrecv(&small, 1, MPI_INT, (n - me) % n, 12, got, 1, MPI_INT, MPI_ANY_SOURCE, 12, turned, MPI_STATUS_IGNORE);
    MPI_Barrier(turned);
    MPI_Comm_free(&turned);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void windows(void)
{
    MPI_Win win;
    long *base, value = me + 5;

    MPI_Win_allocate(64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_LONG, to, 3, 1, MPI_LONG, win);
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, to, 0, win);
    MPI_Get(got, 1, MPI_LONG, to, 3, 1, MPI_LONG, win);
    MPI_Win_unlock(to, win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    to = (me + 1) % n;
    from = (me + n - 1) % n;
    mpt_region_begin("messages");
    modes();
    persistent();
    matched();
    mpt_region_end();
    other_communicators();
    windows();
    MPI_Bcast(&small, 1, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
