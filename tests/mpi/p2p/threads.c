/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_THREAD_MULTIPLE: four threads of each rank send, receive, probe and wait at
 * once, each with its own tag or communicator, and all on one tag with matched
 * probes; nothing is lost and every thread's messages stay in order.
 */
#include <mcheck.h>
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 600 };
static MPI_Comm comms[THREADS];
static long got[THREADS];

static void check_word(const unsigned char *buf, int n, uint64_t seed, int round)
{
    CHECK(check_differs(buf, (size_t)n, seed) == (size_t)n, "round %d: %d bytes are wrong at %zu", round, n,
          check_differs(buf, (size_t)n, seed));
}

/* A ring of each thread: sizes of every way to travel. */
static void *ring(void *arg)
{
    int t = (int)(intptr_t)arg, right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;
    static const int sizes[] = {0, 8, 500, 1500, 20000, 150000};
    unsigned char *in = malloc(150000), *out = malloc(150000);
    MPI_Request r[2];

    for (int i = 0; i < ROUNDS; i++) {
        int n = sizes[(i + t) % (i % 10 == 0 ? 6 : 4)], flag = 0;
        MPI_Comm comm = i % 2 ? MPI_COMM_WORLD : comms[t];

        check_fill(out, (size_t)n, (uint64_t)(mc_rank * 1000 + t * 100 + i));
        switch (i % 3) {
        case 0:
            OK(MPI_Irecv(in, n, MPI_BYTE, left, t, comm, &r[0]));
            OK(MPI_Isend(out, n, MPI_BYTE, right, t, comm, &r[1]));
            OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
            break;
        case 1:
            OK(MPI_Sendrecv(out, n, MPI_BYTE, right, t, in, n, MPI_BYTE, left, t, comm, MPI_STATUS_IGNORE));
            break;
        default:
            OK(MPI_Issend(out, n, MPI_BYTE, right, t, comm, &r[0]));
            OK(MPI_Recv(in, n, MPI_BYTE, MPI_ANY_SOURCE, t, comm, MPI_STATUS_IGNORE));
            while (!flag)
                OK(MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE));
        }
        check_word(in, n, (uint64_t)(left * 1000 + t * 100 + i), i);
    }
    free(in);
    free(out);
    return NULL;
}

/* Two threads of each rank send to every rank, two take whatever comes. */
static void *mixed(void *arg)
{
    int t = (int)(intptr_t)arg, n = ROUNDS * mc_size;

    for (int i = 0; i < n; i++) {
        int word[2] = {mc_rank, i};

        if (t < 2) {
            OK(MPI_Send(word, 2, MPI_INT, i % mc_size, 77, MPI_COMM_WORLD));
        } else {
            MPI_Message m;
            MPI_Status s;

            OK(MPI_Mprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &m, &s));
            OK(MPI_Mrecv(word, 2, MPI_INT, &m, &s));
            CHECK(word[0] == s.MPI_SOURCE, "a message of %d says it is of %d", s.MPI_SOURCE, word[0]);
            got[t] += word[1];
        }
    }
    return NULL;
}

static void run(void *work(void *))
{
    pthread_t id[THREADS];

    for (int t = 0; t < THREADS; t++)
        if (pthread_create(&id[t], NULL, work, (void *)(intptr_t)t) != 0) {
            CHECK(false, "no thread");
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    for (int t = 0; t < THREADS; t++)
        pthread_join(id[t], NULL);
}

int main(void)
{
    long all = 0, expected = 0, total = 0;

    mc_start_threads();
    for (int t = 0; t < THREADS; t++)
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]));
    run(ring);
    run(mixed);
    for (int t = 0; t < THREADS; t++) {
        all += got[t];
        OK(MPI_Comm_free(&comms[t]));
    }
    OK(MPI_Allreduce(&all, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < ROUNDS * mc_size; i++)
        expected += 2L * mc_size * i;
    CHECK(total == expected, "sum of what was received: %ld, expected %ld", total, expected);
    return mc_finish();
}
