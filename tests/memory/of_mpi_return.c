/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to oneself with MPI_ERRORS_RETURN: whatever could not be begun is told by the call or by the wait, which
 * never waits for what can't come. Of a wait for several, one status says that there was no memory, and what waited
 * for that one is pending. Status 1 and a line: something found no memory. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100000, PARTS = 4 };

static char from[2 * N], to[2 * N];
static int lacking; /* calls that found no memory */

static void wrong(const char *what, int error)
{
    printf("%s: wrong, error %d\n", what, error);
    abort(); /* a signal: the sweep does not take it for an end */
}

/* MPI_SUCCESS, or no memory. */
static int ok(const char *what, int error)
{
    int class = MPI_SUCCESS;

    if (error == MPI_SUCCESS)
        return 1;
    MPI_Error_class(error, &class);
    if (class != MPI_ERR_NO_MEM)
        wrong(what, class);
    lacking++;
    return 0;
}

/* A receive whose message can't come. */
static void give_up(MPI_Request *receive)
{
    MPI_Status status;
    int cancelled;

    MPI_Cancel(receive);
    if (MPI_Wait(receive, &status) != MPI_SUCCESS)
        wrong("MPI_Wait of a cancelled receive", status.MPI_ERROR);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled)
        wrong("MPI_Cancel", 0);
}

/* For a receive and a send: both done, or the send is lost and the receive pending. */
static void wait_for_both(const char *what, MPI_Request request[2])
{
    MPI_Status status[2];
    int error = MPI_Waitall(2, request, status), n = 0;

    if (error == MPI_SUCCESS)
        return;
    if (error != MPI_ERR_IN_STATUS)
        wrong(what, error);
    for (int i = 0; i < 2; i++)
        if (status[i].MPI_ERROR == MPI_ERR_NO_MEM)
            n++;
        else if (status[i].MPI_ERROR != MPI_SUCCESS && status[i].MPI_ERROR != MPI_ERR_PENDING)
            wrong(what, status[i].MPI_ERROR);
    if (n == 0)
        wrong(what, status[0].MPI_ERROR);
    lacking += n;
    if (status[0].MPI_ERROR == MPI_ERR_PENDING)
        give_up(&request[0]);
}

static void nonblocking(MPI_Comm comm, MPI_Datatype type, int count)
{
    MPI_Request request[2];

    if (!ok("MPI_Irecv", MPI_Irecv(to, count, type, 0, 1, comm, &request[0])))
        return;
    if (ok("MPI_Isend", MPI_Isend(from, count, type, 0, 1, comm, &request[1])))
        wait_for_both("MPI_Waitall", request);
    else
        give_up(&request[0]);
}

static void persistent(MPI_Comm comm, MPI_Datatype type, int count)
{
    MPI_Request request[2];

    if (!ok("MPI_Recv_init", MPI_Recv_init(to, count, type, 0, 2, comm, &request[0])))
        return;
    if (!ok("MPI_Send_init", MPI_Send_init(from, count, type, 0, 2, comm, &request[1]))) {
        MPI_Request_free(&request[0]);
        return;
    }
    for (int round = 0; round < 2; round++) {
        if (ok("MPI_Startall", MPI_Startall(2, request)))
            wait_for_both("MPI_Waitall of persistent requests", request);
        else
            give_up(&request[0]);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

static void both_ways(MPI_Comm comm, MPI_Datatype type, int count)
{
    MPI_Request request;

    ok("MPI_Sendrecv", MPI_Sendrecv(from, count, type, 0, 3, to, count, type, 0, 3, comm, MPI_STATUS_IGNORE));
    if (ok("MPI_Isendrecv", MPI_Isendrecv(from, count, type, 0, 4, to, count, type, 0, 4, comm, &request)))
        ok("MPI_Wait of MPI_Isendrecv", MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (ok("MPI_Isendrecv_replace", MPI_Isendrecv_replace(to, count, type, 0, 4, 0, 4, comm, &request)))
        ok("MPI_Wait of MPI_Isendrecv_replace", MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void buffered(MPI_Comm comm)
{
    char *buffer = malloc(2 * N);
    MPI_Request request;

    if (ok("MPI_Buffer_attach", MPI_Buffer_attach(buffer, 2 * N))) {
        if (ok("MPI_Irecv", MPI_Irecv(to, N, MPI_CHAR, 0, 5, comm, &request)) &&
            !ok("MPI_Bsend", MPI_Bsend(from, N, MPI_CHAR, 0, 5, comm)))
            give_up(&request);
        else
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Buffer_detach(&buffer, &(int){0});
    }
    free(buffer);
}

/* What is lost of a round the receiver never learns, nor that nobody will send at all: its tag is not used again. */
static void partitioned(MPI_Comm comm, MPI_Datatype type, int count, int tag)
{
    MPI_Request request[2];
    MPI_Status status[2];
    int error, lost = 0;

    if (!ok("MPI_Precv_init", MPI_Precv_init(to, PARTS, count, type, 0, tag, comm, MPI_INFO_NULL, &request[0])))
        return;
    if (!ok("MPI_Psend_init", MPI_Psend_init(from, PARTS, count, type, 0, tag, comm, MPI_INFO_NULL, &request[1])))
        return;
    MPI_Startall(2, request);
    for (int i = 0; i < PARTS && !lost; i++)
        lost = !ok("MPI_Pready", MPI_Pready(i, request[1]));
    error = MPI_Waitall(2, request, status);
    if (error == MPI_SUCCESS && !lost) {
        MPI_Request_free(&request[0]);
        MPI_Request_free(&request[1]);
        return;
    }
    if (error != MPI_ERR_IN_STATUS || status[1].MPI_ERROR != MPI_ERR_NO_MEM || status[0].MPI_ERROR != MPI_ERR_PENDING)
        wrong("MPI_Waitall of partitions", error);
    lacking++;
}

static void one_sided(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Win win;
    char *memory;

    if (!ok("MPI_Win_allocate", MPI_Win_allocate(N, 1, MPI_INFO_NULL, comm, &memory, &win)))
        return;
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, win);
    if (ok("MPI_Rput", MPI_Rput(from, N, MPI_CHAR, 0, 0, N, MPI_CHAR, win, &request)))
        ok("MPI_Wait of MPI_Rput", MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (ok("MPI_Rget", MPI_Rget(to, N, MPI_CHAR, 0, 0, N, MPI_CHAR, win, &request)))
        ok("MPI_Wait of MPI_Rget", MPI_Wait(&request, MPI_STATUS_IGNORE));
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Datatype sparse;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (ok("MPI_Type_vector", MPI_Type_vector(N / 4, 1, 2, MPI_CHAR, &sparse)) &&
        ok("MPI_Type_commit", MPI_Type_commit(&sparse))) {
        nonblocking(MPI_COMM_WORLD, sparse, 1);
        persistent(MPI_COMM_WORLD, sparse, 1);
        both_ways(MPI_COMM_WORLD, sparse, 1);
        partitioned(MPI_COMM_WORLD, sparse, 1, 6);
        MPI_Type_free(&sparse);
    }
    nonblocking(MPI_COMM_WORLD, MPI_CHAR, N);
    persistent(MPI_COMM_WORLD, MPI_CHAR, N);
    both_ways(MPI_COMM_WORLD, MPI_CHAR, N);
    buffered(MPI_COMM_WORLD);
    partitioned(MPI_COMM_WORLD, MPI_CHAR, N / PARTS, 7);
    one_sided(MPI_COMM_WORLD);
    if (lacking)
        printf("%d calls found no memory\n", lacking);
    MPI_Finalize();
    return lacking > 0;
}
