/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first call of a second thread, while the first thread, which has had the
 * library for itself, is somewhere in it: asleep in a receive, in a stream of
 * messages, in tests, in a collective call, with messages that nobody takes, or
 * outside. Whatever the second one interrupts goes on, nothing is lost. Its
 * argument says where; each way must come first in its process once.
 */
#include <mcheck.h>
#include <pthread.h>

enum { ROUNDS = 3000, MANY = 4000, LARGE = 100000 };
static MPI_Comm other_comm;
static int peer;
static bool joined; /* the second thread has begun */

static void nap(long us)
{
    usleep((useconds_t)us);
}

/* Sizes of every way to travel, with the peer's thread that does the same. */
static void exchange(MPI_Comm comm, int rounds, int salt)
{
    static const int sizes[] = {8, 0, 1200, 64, 20000, 8, LARGE};
    unsigned char *out = malloc(LARGE), *in = malloc(LARGE);

    for (int i = 0; i < rounds; i++) {
        int n = sizes[i % 97 == 0 ? 6 : i % 6];

        check_fill(out, (size_t)n, (uint64_t)(mc_rank * 7 + salt + i));
        OK(MPI_Sendrecv(out, n, MPI_BYTE, peer, 1, in, n, MPI_BYTE, peer, 1, comm, MPI_STATUS_IGNORE));
        CHECK(check_differs(in, (size_t)n, (uint64_t)(peer * 7 + salt + i)) == (size_t)n,
              "round %d: %d bytes, some are wrong", i, n);
    }
    free(in);
    free(out);
}

/* What the second thread does: a message to its own process, then traffic of its own. */
static void *second(void *arg)
{
    int word = 4711;

    nap(1000 * (long)(intptr_t)arg + 300 * mc_rank);
    __atomic_store_n(&joined, true, __ATOMIC_RELEASE);
    OK(MPI_Send(&word, 1, MPI_INT, mc_rank, 5, other_comm));
    exchange(other_comm, ROUNDS, 1);
    return NULL;
}

static void take_the_word(void)
{
    int word = 0;

    OK(MPI_Recv(&word, 1, MPI_INT, mc_rank, 5, other_comm, MPI_STATUS_IGNORE));
    CHECK(word == 4711, "the second thread's word is %d", word);
}

static void in_a_stream(void)
{
    while (!__atomic_load_n(&joined, __ATOMIC_ACQUIRE))
        nap(50);
    exchange(MPI_COMM_WORLD, ROUNDS, 2);
    take_the_word();
}

/* It comes while this runs: both ranks agree by the message on when that was. */
static void until_it_came(void)
{
    int mine = 0, theirs = 0;

    while (!mine || !theirs) {
        mine = __atomic_load_n(&joined, __ATOMIC_ACQUIRE);
        OK(MPI_Sendrecv(&mine, 1, MPI_INT, peer, 2, &theirs, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    exchange(MPI_COMM_WORLD, ROUNDS, 3);
    take_the_word();
}

static void in_tests(void)
{
    MPI_Request r;
    int word = 0, flag = 0;

    OK(MPI_Irecv(&word, 1, MPI_INT, mc_rank, 5, other_comm, &r));
    while (!flag)
        OK(MPI_Test(&r, &flag, MPI_STATUS_IGNORE));
    CHECK(word == 4711, "the second thread's word is %d", word);
}

static void in_collectives(void)
{
    int mine = 0, all = 0;

    while (all < mc_size) {
        mine = __atomic_load_n(&joined, __ATOMIC_ACQUIRE);
        OK(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    }
    take_the_word();
}

/* The ring to the peer is full before the second threads come, and only they take from it. */
static void *taker(void *arg)
{
    nap(1000 * (long)(intptr_t)arg);
    for (int i = 0; i < MANY; i++) {
        int n = i % 3 ? 1 : 300, in[300] = {-1};

        OK(MPI_Recv(in, 300, MPI_INT, peer, 6, other_comm, MPI_STATUS_IGNORE));
        CHECK(in[0] == i && in[n - 1] == i, "message %d says %d and %d", i, in[0], in[n - 1]);
    }
    return NULL;
}

static void full(void)
{
    int out[300];

    for (int i = 0; i < MANY; i++) {
        for (int k = 0; k < 300; k++)
            out[k] = i;
        OK(MPI_Ssend(out, i % 3 ? 1 : 300, MPI_INT, peer, 6, other_comm));
    }
}

static const struct {
    const char *name;
    void (*first)(void);
    void *(*second)(void *);
    int after_ms;
} ways[] = {
    {"asleep", take_the_word, second, 60},      {"stream", until_it_came, second, 3},
    {"outside", in_a_stream, second, 0},        {"tests", in_tests, second, 5},
    {"collectives", in_collectives, second, 4}, {"full", full, taker, 20},
};

int main(int argc, char **argv)
{
    pthread_t id;
    unsigned way = 0;

    while (way < sizeof ways / sizeof *ways && (argc < 2 || strcmp(argv[1], ways[way].name) != 0))
        way++;
    mc_start_threads();
    if (mc_size != 2 || way == sizeof ways / sizeof *ways)
        mc_skip("two ranks and the name of a way are needed");
    peer = 1 - mc_rank;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &other_comm));
    if (pthread_create(&id, NULL, ways[way].second, (void *)(intptr_t)ways[way].after_ms) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    ways[way].first();
    pthread_join(id, NULL);
    exchange(MPI_COMM_WORLD, 100, 4);
    OK(MPI_Comm_free(&other_comm));
    return mc_finish();
}
