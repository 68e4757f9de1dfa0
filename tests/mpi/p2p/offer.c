/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that are buffered but do not fit the channel: a send offers its memory
 * before it copies it. Whatever the receiver does meanwhile, when the send or the
 * wait for its request returns the buffer is the sender's: it is overwritten at once. Receivers that are
 * ready, late, busy elsewhere or sending themselves; memory that peers can load and
 * memory that they cannot; types with gaps, short buffers, messages nobody takes.
 */
#include <mcheck.h>

enum { MOST = 8192, ROUNDS = 2000, WAITING = 300 };
static unsigned char *shared, *in, own[MOST + 64];
static int peer;

static size_t a_size(uint64_t *rng)
{
    return 1009 + (size_t)check_random_below(rng, MOST - 1008);
}

static void dawdle(uint64_t *rng)
{
    for (volatile uint64_t i = check_random_below(rng, 4) * check_random_below(rng, 1500); i > 0; i--) {
    }
}

/* The ways in which the sender learns that its buffer is its own again. */
static void by_send(const void *from, int n, int tag)
{
    OK(MPI_Send(from, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD));
}

static void by_wait(const void *from, int n, int tag)
{
    MPI_Request r;

    OK(MPI_Isend(from, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
}

static void by_test(const void *from, int n, int tag)
{
    MPI_Request r;
    int done = 0;

    OK(MPI_Isend(from, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &r));
    while (!done)
        OK(MPI_Test(&r, &done, MPI_STATUS_IGNORE));
}

static void by_start(const void *from, int n, int tag)
{
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int index;

    OK(MPI_Send_init(from, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &r[1]));
    OK(MPI_Start(&r[1]));
    OK(MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE));
    CHECK(index == 1, "index %d", index);
    OK(MPI_Request_free(&r[1]));
}

/* What was offered stays; what stood in line for room in the channel can be cancelled. */
static void by_cancel(const void *from, int n, int tag)
{
    MPI_Request r;
    MPI_Status s;
    int cancelled;

    OK(MPI_Isend(from, n, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &r));
    OK(MPI_Cancel(&r));
    OK(MPI_Wait(&r, &s));
    OK(MPI_Test_cancelled(&s, &cancelled));
    if (cancelled)
        by_send(from, n, tag);
}

static void put(uint64_t *rng, uint64_t seed, int tag)
{
    static void (*const ways[])(const void *, int, int) = {by_send, by_wait, by_test, by_start, by_cancel};
    size_t n = a_size(rng);
    unsigned char *from = check_random_below(rng, 3) ? shared : own;

    check_fill(from, n, seed);
    ways[check_random_below(rng, 5)](from, (int)n, tag);
    memset(from, 0xee, n);
}

static void get(uint64_t seed, int tag)
{
    MPI_Status s;
    int n;

    OK(MPI_Recv(in, MOST, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &s));
    OK(MPI_Get_count(&s, MPI_BYTE, &n));
    CHECK(n > 1008 && check_differs(in, (size_t)n, seed) == (size_t)n, "tag %d: %d bytes, wrong from %zu on", tag, n,
          check_differs(in, (size_t)n, seed));
}

/* In turns, with pauses of both: offers are taken, refused and met in the middle. */
static void in_turns(uint64_t *rng)
{
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 2 == mc_rank % 2) {
            dawdle(rng);
            put(rng, (uint64_t)i, i % 7);
        } else {
            dawdle(rng);
            get((uint64_t)i, i % 7);
        }
    }
}

/* Both send first: only buffering lets them go on. */
static void head_on(uint64_t *rng)
{
    for (int i = 0; i < ROUNDS / 4; i++) {
        put(rng, (uint64_t)(i * 2 + mc_rank % 2), 8);
        get((uint64_t)(i * 2 + 1 - mc_rank % 2), 8);
    }
    for (int i = 0; i < WAITING; i++)
        put(rng, (uint64_t)i, 9 + i % 2);
    for (int i = 0; i < WAITING; i++)
        get((uint64_t)(i < WAITING / 2 ? 2 * i : 2 * (i - WAITING / 2) + 1), 9 + i / (WAITING / 2));
}

/* Many requests at a time, of both, waited for together or one by one, before the receives or after. */
static void windows(uint64_t *rng)
{
    enum { W = 24, BYTES = MOST - 1000 };
    MPI_Request r[W];
    int which[W], n, left;

    for (int round = 0; round < ROUNDS / 20; round++) {
        bool late = check_random_below(rng, 2), some = check_random_below(rng, 2);

        for (int i = 0; i < W; i++) {
            check_fill(shared + (size_t)i * MOST, BYTES, (uint64_t)(round * W + i));
            OK(MPI_Isend(shared + (size_t)i * MOST, BYTES, MPI_BYTE, peer, 15, MPI_COMM_WORLD, &r[i]));
        }
        for (int i = 0; late && i < W / 2; i++)
            get((uint64_t)(round * W + i), 15);
        if (some)
            for (left = W; left > 0; left -= n)
                OK(MPI_Waitsome(W, r, &n, which, MPI_STATUSES_IGNORE));
        else
            OK(MPI_Waitall(W, r, MPI_STATUSES_IGNORE));
        memset(shared, 0xee, W * MOST);
        for (int i = late ? W / 2 : 0; i < W; i++)
            get((uint64_t)(round * W + i), 15);
    }
}

/* Requests that nobody waits for: the messages arrive, and the end of all waits for them. */
static void let_go(void)
{
    MPI_Request r;

    check_fill(shared, MOST, 91);
    OK(MPI_Isend(shared, MOST, MPI_BYTE, peer, 16, MPI_COMM_WORLD, &r));
    OK(MPI_Request_free(&r));
    get(91, 16);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* The request of a send that is done may serve again at once: cancelling the next one leaves the message of the first.
 */
static void cancelled_after(void)
{
    MPI_Request r;
    MPI_Status s;
    int cancelled = 0;

    if (mc_rank % 2 == 0) {
        check_fill(shared, 4096, 33);
        OK(MPI_Isend(shared, 4096, MPI_BYTE, peer, 20, MPI_COMM_WORLD, &r));
        OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
        OK(MPI_Issend(shared, 8, MPI_BYTE, peer, 21, MPI_COMM_WORLD, &r));
        OK(MPI_Cancel(&r));
        OK(MPI_Wait(&r, &s));
        OK(MPI_Test_cancelled(&s, &cancelled));
        CHECK(cancelled, "nobody received it, and it was not cancelled");
        OK(MPI_Send(&cancelled, 1, MPI_INT, peer, 22, MPI_COMM_WORLD));
        return;
    }
    OK(MPI_Recv(&cancelled, 1, MPI_INT, peer, 22, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    get(33, 20);
    OK(MPI_Iprobe(peer, 21, MPI_COMM_WORLD, &cancelled, MPI_STATUS_IGNORE));
    CHECK(!cancelled, "the cancelled message is there");
}

/* All that stand in line for room are cancelled, and one more takes their place at once. */
static void cancelled_in_line(void)
{
    enum { N = 4000, BYTES = 900 };
    static MPI_Request r[N + 1];
    static MPI_Status s[N + 1];
    int sent = 0, cancelled;

    if (mc_rank % 2 == 0) {
        check_fill(own, BYTES, 66);
        for (int i = 0; i < N; i++)
            OK(MPI_Isend(own, BYTES, MPI_BYTE, peer, 25, MPI_COMM_WORLD, &r[i]));
        for (int i = 0; i < N; i++)
            OK(MPI_Cancel(&r[i]));
        OK(MPI_Isend(own, BYTES, MPI_BYTE, peer, 25, MPI_COMM_WORLD, &r[N]));
        OK(MPI_Waitall(N + 1, r, s));
        for (int i = 0; i <= N; i++) {
            OK(MPI_Test_cancelled(&s[i], &cancelled));
            sent += !cancelled;
        }
        CHECK(sent > 0, "all were cancelled");
        OK(MPI_Send(&sent, 1, MPI_INT, peer, 26, MPI_COMM_WORLD));
        return;
    }
    usleep(20000); /* nobody makes room meanwhile */
    OK(MPI_Recv(&sent, 1, MPI_INT, peer, 26, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < sent; i++) {
        OK(MPI_Recv(in, MOST, MPI_BYTE, peer, 25, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(check_differs(in, BYTES, 66) == BYTES, "message %d of %d is wrong", i, sent);
    }
}

/* More open offers than a wait makes pauses before it sleeps, and a receiver that takes none of them yet. */
static void many(void)
{
    enum { N = 2000 };
    static MPI_Request r[N];
    double begin;

    if (mc_rank % 2 == 0) {
        check_fill(shared, MOST, 55);
        begin = MPI_Wtime();
        for (int i = 0; i < N; i++)
            OK(MPI_Isend(shared, MOST, MPI_BYTE, peer, 23, MPI_COMM_WORLD, &r[i]));
        OK(MPI_Waitall(N, r, MPI_STATUSES_IGNORE));
        CHECK(MPI_Wtime() - begin < 5, "%d sends took %.1f s", N, MPI_Wtime() - begin);
        memset(shared, 0xee, MOST);
        OK(MPI_Send(&begin, 1, MPI_DOUBLE, peer, 24, MPI_COMM_WORLD));
        return;
    }
    OK(MPI_Recv(&begin, 1, MPI_DOUBLE, peer, 24, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < N; i++)
        get(55, 23);
}

/* Gaps on both sides, and buffers that are too short. */
static void shapes(void)
{
    MPI_Datatype gaps;
    MPI_Status s;
    int *out = (int *)(void *)shared, *back = (int *)(void *)in, n;

    OK(MPI_Type_vector(500, 1, 2, MPI_INT, &gaps));
    OK(MPI_Type_commit(&gaps));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 1000; i++)
        out[i] = 1000 * mc_rank + i;
    for (int k = 0; k < 4; k++) {
        memset(in, 0, MOST);
        if (mc_rank % 2 == k % 2) {
            OK(MPI_Send(out, k < 2 ? 1 : 500, k < 2 ? gaps : MPI_INT, peer, 11, MPI_COMM_WORLD));
            OK(MPI_Send(out, 1000, MPI_INT, peer, 12, MPI_COMM_WORLD));
            continue;
        }
        OK(MPI_Recv(back, k < 2 ? 500 : 1, k < 2 ? MPI_INT : gaps, peer, 11, MPI_COMM_WORLD, &s));
        for (int i = 0; i < 500; i++)
            CHECK(back[k < 2 ? i : 2 * i] == 1000 * peer + (k < 2 ? 2 * i : i), "form %d: element %d is %d", k, i,
                  back[k < 2 ? i : 2 * i]);
        FAILS(MPI_Recv(back, 10, MPI_INT, peer, 12, MPI_COMM_WORLD, &s), MPI_ERR_TRUNCATE);
        OK(MPI_Get_count(&s, MPI_INT, &n));
        CHECK(back[9] == 1000 * peer + 9 && n == 10, "cut short: %d, count %d", back[9], n);
    }
    OK(MPI_Type_free(&gaps));
}

/* Found by probes; by a receive for anybody; and by nobody. */
static void found_and_lost(uint64_t *rng)
{
    MPI_Comm lost;
    MPI_Message m;
    MPI_Status s;
    int n;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &lost));
    for (int i = 0; i < 20; i++)
        OK(MPI_Send(shared, MOST, MPI_BYTE, peer, 1, lost));
    for (int i = 0; i < 50; i++) {
        put(rng, 77, 13);
        OK(MPI_Mprobe(MPI_ANY_SOURCE, 13, MPI_COMM_WORLD, &m, &s));
        OK(MPI_Get_count(&s, MPI_BYTE, &n));
        OK(MPI_Mrecv(in, n, MPI_BYTE, &m, MPI_STATUS_IGNORE));
        CHECK(check_differs(in, (size_t)n, 77) == (size_t)n, "probed: wrong");
        put(rng, 78, 14);
        OK(MPI_Recv(in, MOST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s));
        CHECK(s.MPI_SOURCE == peer && s.MPI_TAG == 14, "from %d, tag %d", s.MPI_SOURCE, s.MPI_TAG);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Comm_free(&lost));
}

int main(void)
{
    uint64_t rng;

    mc_start();
    if (mc_size % 2)
        mc_skip("an even number of ranks is needed");
    peer = mc_rank ^ 1;
    rng = check_seed(5) + (uint64_t)mc_rank;
    shared = malloc(1 << 20);
    in = malloc(1 << 20);
    in_turns(&rng);
    head_on(&rng);
    windows(&rng);
    found_and_lost(&rng);
    let_go();
    cancelled_after();
    cancelled_in_line();
    many();
    shapes();
    free(in);
    free(shared);
    return mc_finish();
}
