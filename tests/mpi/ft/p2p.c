/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to and from a process that has died: what it had sent comes, all else fails, between others all is as ever.
 */
#include "ft.h"

enum { LONG = 3 << 20, VICTIM = 1 };

static int *big;
static const int short_one = 4711;

/* What it leaves behind: short and long messages that have been sent, one that nobody will ever take from its memory.
 */
static _Noreturn void be_victim(void)
{
    MPI_Request request;
    int go;

    for (int i = 0; i < LONG / 4; i++)
        big[i] = i ^ 0x55;
    OK(MPI_Send(&short_one, 1, MPI_INT, 0, 1, MPI_COMM_WORLD));
    OK(MPI_Send(big, 2000, MPI_INT, 0, 2, MPI_COMM_WORLD));
    OK(MPI_Isend(big, LONG / 4, MPI_INT, 0, 3, MPI_COMM_WORLD, &request));
    OK(MPI_Recv(&go, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    ft_die();
}

static void what_was_sent(void)
{
    int got = 0, code, flag;
    MPI_Status status;

    OK(MPI_Probe(VICTIM, 1, MPI_COMM_WORLD, &status));
    OK(MPI_Recv(&got, 1, MPI_INT, VICTIM, 1, MPI_COMM_WORLD, &status));
    CHECK(got == short_one && status.MPI_SOURCE == VICTIM, "got %d of %d", got, status.MPI_SOURCE);
    OK(MPI_Recv(big, 2000, MPI_INT, VICTIM, 2, MPI_COMM_WORLD, &status));
    CHECK(big[1999] == (1999 ^ 0x55), "element 1999 is %d", big[1999]);
    big[LONG / 4 - 1] = 0;
    code = MPI_Recv(big, LONG / 4, MPI_INT, VICTIM, 3, MPI_COMM_WORLD, &status); /* in its memory: here or lost */
    CHECK(code == MPI_SUCCESS ? big[LONG / 4 - 1] == ((LONG / 4 - 1) ^ 0x55) : ft_class(code) == MPIX_ERR_PROC_FAILED,
          "class %d, last element %d", ft_class(code), big[LONG / 4 - 1]);
    FAILS(MPI_Recv(&got, 1, MPI_INT, VICTIM, 1, MPI_COMM_WORLD, &status), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Probe(VICTIM, 1, MPI_COMM_WORLD, &status), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Iprobe(VICTIM, 1, MPI_COMM_WORLD, &flag, &status), MPIX_ERR_PROC_FAILED);
}

static void sends_fail(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int got, flag;

    FAILS(MPI_Send(&short_one, 1, MPI_INT, VICTIM, 0, MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Ssend(&short_one, 1, MPI_INT, VICTIM, 0, MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Send(big, LONG / 4, MPI_INT, VICTIM, 0, MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    FAILS(
        MPI_Sendrecv(&short_one, 1, MPI_INT, VICTIM, 0, &got, 1, MPI_INT, VICTIM, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
        MPIX_ERR_PROC_FAILED);
    OK(MPI_Isend(big, LONG / 4, MPI_INT, VICTIM, 0, MPI_COMM_WORLD, &requests[0]));
    OK(MPI_Irecv(&got, 1, MPI_INT, VICTIM, 0, MPI_COMM_WORLD, &requests[1]));
    FAILS(MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
    for (int i = 0; i < 2; i++)
        CHECK(ft_class(statuses[i].MPI_ERROR) == MPIX_ERR_PROC_FAILED && requests[i] == MPI_REQUEST_NULL,
              "request %d: class %d", i, ft_class(statuses[i].MPI_ERROR));
    OK(MPI_Send_init(&short_one, 1, MPI_INT, VICTIM, 0, MPI_COMM_WORLD, &requests[0]));
    for (int i = 0; i < 2; i++) {
        OK(MPI_Start(&requests[0]));
        flag = 0;
        FAILS(MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
    }
    OK(MPI_Request_free(&requests[0]));
}

/* Requests that are under way when it dies. */
static void under_way(MPI_Request requests[4], int *room)
{
    OK(MPI_Isend(big, LONG / 4, MPI_INT, VICTIM, 10, MPI_COMM_WORLD, &requests[0]));
    OK(MPI_Issend(&short_one, 1, MPI_INT, VICTIM, 11, MPI_COMM_WORLD, &requests[1]));
    OK(MPI_Irecv(&room[0], 1, MPI_INT, VICTIM, 12, MPI_COMM_WORLD, &requests[2]));
    OK(MPI_Irecv(&room[1], 1, MPI_INT, MPI_ANY_SOURCE, 13, MPI_COMM_WORLD, &requests[3]));
}

static void end_of_those(MPI_Request requests[4], const int *room)
{
    int flag, last = mc_size - 1;

    for (int i = 0; i < 3; i++)
        FAILS(MPI_Wait(&requests[i], MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Wait(&requests[3], MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED_PENDING);
    CHECK(requests[3] != MPI_REQUEST_NULL, "the pending request is gone");
    FAILS(MPI_Test(&requests[3], &flag, MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED_PENDING);
    FAILS(MPI_Recv((int[1]){0}, 1, MPI_INT, MPI_ANY_SOURCE, 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Iprobe(MPI_ANY_SOURCE, 14, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED_PENDING);
    OK(MPIX_Comm_failure_ack(MPI_COMM_WORLD));
    OK(MPI_Test(&requests[3], &flag, MPI_STATUS_IGNORE));
    CHECK(!flag, "nothing was sent, and it is done");
    if (last <= VICTIM) {
        OK(MPI_Cancel(&requests[3]));
        OK(MPI_Wait(&requests[3], MPI_STATUS_IGNORE));
        return;
    }
    OK(MPI_Send(NULL, 0, MPI_INT, last, 15, MPI_COMM_WORLD));
    OK(MPI_Wait(&requests[3], MPI_STATUS_IGNORE));
    CHECK(room[1] == last, "got %d", room[1]);
}

/* One who lives and sends what the pending request is for; long messages, too. */
static void be_other(void)
{
    if (mc_rank != mc_size - 1)
        return;
    OK(MPI_Recv(NULL, 0, MPI_INT, 0, 15, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    OK(MPI_Send(&mc_rank, 1, MPI_INT, 0, 13, MPI_COMM_WORLD));
    for (int i = 0; i < LONG / 4; i++)
        big[i] = i;
    OK(MPI_Send(big, LONG / 4, MPI_INT, 0, 16, MPI_COMM_WORLD));
}

static void acknowledged(void)
{
    MPI_Group failed, world, one;
    int result, n = -1, rank = VICTIM;

    OK(MPIX_Comm_failure_get_acked(MPI_COMM_WORLD, &failed));
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &rank, &one);
    MPI_Group_compare(one, failed, &result);
    CHECK(result == MPI_IDENT, "not the group of the victim");
    OK(MPIX_Comm_ack_failed(MPI_COMM_WORLD, 0, &n));
    CHECK(n == 1, "%d are acknowledged", n);
    MPI_Group_free(&failed);
    MPI_Group_free(&one);
    MPI_Group_free(&world);
}

int main(void)
{
    MPI_Request requests[4];
    int room[2] = {0};

    ft_start();
    if (mc_size < 2)
        return ft_finish();
    big = malloc(LONG);
    memset(big, 0, LONG);
    if (mc_rank == VICTIM)
        be_victim();
    if (mc_rank == 0) {
        under_way(requests, room);
        OK(MPI_Send(&short_one, 1, MPI_INT, VICTIM, 4, MPI_COMM_WORLD));
        ft_await_death(MPI_COMM_WORLD, VICTIM);
        end_of_those(requests, room);
        what_was_sent();
        sends_fail();
        acknowledged();
        if (mc_size > 2) {
            OK(MPI_Recv(big, LONG / 4, MPI_INT, mc_size - 1, 16, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(big[LONG / 4 - 1] == LONG / 4 - 1, "the last element is %d", big[LONG / 4 - 1]);
        }
    } else {
        be_other();
    }
    free(big);
    return ft_finish();
}
