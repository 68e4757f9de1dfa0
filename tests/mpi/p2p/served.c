/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who waits in a blocking receive of a short message serves others meanwhile (3.5, "progress"): the message it waits
 * for is sent only when something else that needs this rank is complete.
 */
#include <mcheck.h>

enum { ROUNDS = 60, LARGE = 200000, MANY = 3000, BODY = 900 };
enum way { SHORT_SYNC, LARGE_SYNC, ACCUMULATE, QUEUED, OTHER_TAG, WAYS };

static MPI_Comm aside;
static MPI_Win win;
static long cells[64];
static unsigned char large[LARGE], out[BODY];

/* What the rank that will wait has under way when it begins to. */
static void prepare(enum way way, int helper, MPI_Request r[MANY])
{
    for (int i = 0; i < MANY; i++)
        r[i] = MPI_REQUEST_NULL;
    if (way == SHORT_SYNC || way == LARGE_SYNC)
        OK(MPI_Irecv(large, way == LARGE_SYNC ? LARGE : 8, MPI_BYTE, helper, 1, aside, r));
    if (way == QUEUED)
        for (int i = 0; i < MANY; i++)
            OK(MPI_Isend(out, BODY, MPI_BYTE, helper, i, aside, &r[i]));
}

static void wait_served(enum way way, int helper, int sender, int round)
{
    static MPI_Request r[MANY];
    int token = -1;

    prepare(way, helper, r);
    OK(MPI_Recv(&token, 1, MPI_INT, sender, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(token == round, "round %d: token %d", round, token);
    OK(MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE));
    if (way == LARGE_SYNC)
        CHECK(large[0] == (unsigned char)round && large[LARGE - 1] == (unsigned char)round, "round %d: %d, %d", round,
              large[0], large[LARGE - 1]);
    if (way == OTHER_TAG) {
        OK(MPI_Recv(&token, 1, MPI_INT, helper, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(token == round + 1, "round %d: token %d of the other tag", round, token);
    }
}

/* Complete only when the waiting rank has taken part. */
static void need(enum way way, int waiter, int round)
{
    static const long ones[64] = {[0] = 1, [63] = 1};
    const int other = round + 1;
    unsigned char in[BODY];

    memset(large, round, sizeof large);
    switch (way) {
    case SHORT_SYNC:
        OK(MPI_Ssend(large, 8, MPI_BYTE, waiter, 1, aside));
        break;
    case LARGE_SYNC:
        OK(MPI_Ssend(large, LARGE, MPI_BYTE, waiter, 1, aside));
        break;
    case ACCUMULATE:
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, waiter, 0, win));
        OK(MPI_Accumulate(ones, 64, MPI_LONG, waiter, 0, 64, MPI_LONG, MPI_SUM, win));
        OK(MPI_Win_unlock(waiter, win));
        break;
    case QUEUED:
        for (int i = 0; i < MANY; i++)
            OK(MPI_Recv(in, BODY, MPI_BYTE, waiter, i, aside, MPI_STATUS_IGNORE));
        break;
    case OTHER_TAG:
        OK(MPI_Send(&other, 1, MPI_INT, waiter, 6, MPI_COMM_WORLD));
        break;
    case WAYS:
        break;
    }
}

static void play(enum way way, int round)
{
    const int waiter = round % mc_size, helper = (waiter + 1) % mc_size,
              sender = mc_size > 2 ? (waiter + 2) % mc_size : helper;

    if (mc_rank == waiter)
        wait_served(way, helper, sender, round);
    if (mc_rank == helper) {
        need(way, waiter, round);
        if (sender != helper)
            OK(MPI_Ssend(NULL, 0, MPI_INT, sender, 7, MPI_COMM_WORLD));
    }
    if (mc_rank == sender) {
        if (sender != helper)
            OK(MPI_Recv(NULL, 0, MPI_INT, helper, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Send(&round, 1, MPI_INT, waiter, 5, MPI_COMM_WORLD));
    }
}

int main(void)
{
    long sum;

    mc_start();
    if (mc_size < 2)
        mc_skip("needs two ranks");
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &aside));
    OK(MPI_Win_create(cells, sizeof cells, sizeof *cells, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    for (int round = 0; round < ROUNDS; round++)
        play((enum way)(round % WAYS), round);
    OK(MPI_Win_free(&win));
    OK(MPI_Allreduce(&cells[63], &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == ROUNDS / WAYS, "%ld of %d accumulates have come", sum, ROUNDS / WAYS);
    OK(MPI_Comm_free(&aside));
    return mc_finish();
}
