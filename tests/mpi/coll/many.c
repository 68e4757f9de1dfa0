/* SPDX-License-Identifier: BSD-3-Clause */
/* Many collectives under way at once: nonblocking ones of several communicators ended in another order than they were
 * started, blocking ones and messages in between, persistent ones started in different orders on different ranks, and
 * communicators and types freed while their collectives run. */
#include "cases.h"

enum { COMMS = 5, DEPTH = 12, N = 700 };

static void overlapping(uint64_t *random)
{
    MPI_Comm comms[COMMS];
    MPI_Request q[COMMS * DEPTH];
    static long in[COMMS * DEPTH][N], out[COMMS * DEPTH][N];
    int n = 0, size[COMMS], rank[COMMS];

    for (int c = 0; c < COMMS; c++) {
        OK(MPI_Comm_split(MPI_COMM_WORLD, c < 2 ? 0 : mc_rank % (c - 1), (int)check_mix((uint64_t)(mc_rank + c)) & 0xff,
                          &comms[c]));
        OK(MPI_Comm_size(comms[c], &size[c]));
        OK(MPI_Comm_rank(comms[c], &rank[c]));
    }
    for (int d = 0; d < DEPTH; d++)
        for (int c = 0; c < COMMS; c++, n++) {
            int count = 1 + (int)check_random_below(random, N - 1);

            for (int i = 0; i < N; i++) {
                in[n][i] = rank[c] * 1000 + i + n;
                out[n][i] = rank[c] == n % size[c] ? n + i : -1;
            }
            if (n % 3 == 0)
                OK(MPI_Iallreduce(in[n], out[n], count, MPI_LONG, MPI_SUM, comms[c], &q[n]));
            else if (n % 3 == 1)
                OK(MPI_Ibcast(out[n], N, MPI_LONG, n % size[c], comms[c], &q[n]));
            else
                OK(MPI_Ibarrier(comms[c], &q[n]));
            if (n % 7 == 0) {
                long one = 1, sum = 0;

                OK(MPI_Allreduce(&one, &sum, 1, MPI_LONG, MPI_SUM, comms[c]));
                CHECK(sum == size[c], "a blocking collective among nonblocking ones");
            }
            if (n % 3 == 0)
                in[n][N - 1] = count; /* remembered: not part of the sum */
        }
    for (int k = n; k > 0; k--) { /* in random order */
        int pick = (int)check_random_below(random, (uint64_t)k);
        MPI_Request last = q[pick];

        OK(MPI_Wait(&last, MPI_STATUS_IGNORE));
        q[pick] = q[k - 1];
    }
    for (int k = 0; k < n; k++) {
        int c = k % COMMS;

        for (int i = 0; k % 3 == 0 && i < in[k][N - 1] && i < N - 1; i++)
            if (!CHECK(out[k][i] == 1000L * size[c] * (size[c] - 1) / 2 + (long)size[c] * (i + k),
                       "iallreduce %d element %d: %ld", k, i, out[k][i]))
                break;
        for (int i = 0; k % 3 == 1 && i < N; i++)
            if (!CHECK(out[k][i] == k + i, "ibcast %d element %d: %ld", k, i, out[k][i]))
                break;
    }
    for (int c = 0; c < COMMS; c++)
        OK(MPI_Comm_free(&comms[c]));
}

/* Far more than a communicator has at once, ended by tests, the last ones first. */
static void long_line(void)
{
    enum { LINE = 600 };
    static MPI_Request q[LINE];
    static int in[LINE], out[LINE];
    int flag = 0;

    for (int k = 0; k < LINE; k++) {
        in[k] = mc_rank + k;
        if (k % 2)
            OK(MPI_Iscan(&in[k], &out[k], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &q[k]));
        else
            OK(MPI_Iallreduce(&in[k], &out[k], 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &q[k]));
    }
    for (int k = LINE - 1; k >= 0; k--)
        for (flag = 0; !flag;)
            OK(MPI_Test(&q[k], &flag, MPI_STATUS_IGNORE));
    for (int k = 0; k < LINE; k++) {
        int sum = mc_rank * (mc_rank + 1) / 2 + k * (mc_rank + 1), want = k % 2 ? sum : mc_size - 1 + k;

        CHECK(out[k] == want, "the %d-th of a long line: %d, not %d", k, out[k], want);
    }
}

/* What describes the data is the program's again when the call returns; the types stay as long as they are needed. */
static void arrays_given_back(void)
{
    int *counts = malloc(sizeof(int) * (size_t)mc_size), *displs = malloc(sizeof(int) * (size_t)mc_size);
    MPI_Datatype *types = malloc(sizeof(MPI_Datatype) * (size_t)mc_size), pair;
    long *in = malloc(sizeof(long) * 2 * (size_t)mc_size), *out = calloc(2 * (size_t)mc_size, sizeof(long));
    MPI_Request q[2];

    for (int form = 0; form < 2; form++) {
        OK(MPI_Type_contiguous(2, MPI_LONG, &pair));
        OK(MPI_Type_commit(&pair));
        for (int i = 0; i < mc_size; i++) {
            counts[i] = 1;
            displs[i] = form ? i * 2 * (int)sizeof(long) : i;
            types[i] = pair;
            in[2 * i] = 100 * mc_rank + i;
            in[2 * i + 1] = form;
        }
        OK(MPI_Ibarrier(MPI_COMM_WORLD, &q[0])); /* the next one waits for its turn */
        if (form)
            OK(MPI_Ialltoallw(in, counts, displs, types, out, counts, displs, types, MPI_COMM_WORLD, &q[1]));
        else
            OK(MPI_Ialltoallv(in, counts, displs, pair, out, counts, displs, pair, MPI_COMM_WORLD, &q[1]));
        OK(MPI_Type_free(&pair));
        for (int i = 0; i < mc_size; i++) {
            counts[i] = displs[i] = -1;
            types[i] = MPI_DATATYPE_NULL;
        }
        OK(MPI_Waitall(2, q, MPI_STATUSES_IGNORE));
        for (int i = 0; i < mc_size; i++)
            CHECK(out[2 * i] == 100 * i + mc_rank && out[2 * i + 1] == form, "form %d from %d: %ld %ld", form, i,
                  out[2 * i], out[2 * i + 1]);
    }
    free(counts);
    free(displs);
    free(types);
    free(in);
    free(out);
}

static void persistent(void)
{
    enum { SETS = 6 };
    MPI_Request q[SETS];
    long in[SETS], out[SETS];

    for (int k = 0; k < SETS; k++)
        OK(MPI_Allreduce_init(&in[k], &out[k], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &q[k]));
    for (int round = 0; round < 20; round++) {
        for (int k = 0; k < SETS; k++) {
            in[k] = (mc_rank + 1) * (k + 1) + round;
            out[k] = -1;
        }
        if (round % 2) {
            OK(MPI_Startall(SETS, q));
        } else {
            for (int k = 0; k < SETS; k++) /* in another order on each rank */
                OK(MPI_Start(&q[(k + mc_rank + round) % SETS]));
        }
        for (long one = 1, sum; one; one = 0) {
            OK(MPI_Allreduce(&one, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
            CHECK(sum == mc_size, "blocking beside persistent");
        }
        OK(MPI_Waitall(SETS, q, MPI_STATUSES_IGNORE));
        for (int k = 0; k < SETS; k++) {
            long want = (long)mc_size * (mc_size + 1) / 2 * (k + 1) + (long)mc_size * round;

            CHECK(out[k] == want, "persistent %d in round %d: %ld, expected %ld", k, round, out[k], want);
            CHECK(q[k] != MPI_REQUEST_NULL, "a persistent request is gone");
        }
    }
    for (int k = 0; k < SETS; k++)
        OK(MPI_Request_free(&q[k]));
}

/* Messages of the user with any tag and source stay apart from collectives'. */
static void with_messages(void)
{
    int got = -1, sent = mc_rank, all = 0, to = (mc_rank + 1) % mc_size;
    MPI_Request r, c;
    MPI_Status s;

    OK(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r));
    OK(MPI_Iallreduce(&sent, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &c));
    OK(MPI_Wait(&c, MPI_STATUS_IGNORE));
    CHECK(all == mc_size * (mc_size - 1) / 2, "the collective beside a receive: %d", all);
    OK(MPI_Send(&sent, 1, MPI_INT, to, 5, MPI_COMM_WORLD));
    OK(MPI_Wait(&r, &s));
    CHECK(got == (mc_rank - 1 + mc_size) % mc_size && s.MPI_TAG == 5, "the message: %d with tag %d", got, s.MPI_TAG);
}

static void freed_early(void)
{
    MPI_Comm c;
    MPI_Datatype t;
    MPI_Request q;
    int buf[3 * 500];

    for (int i = 0; i < 1500; i++)
        buf[i] = mc_rank == 0 ? i : -1;
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    OK(MPI_Type_vector(500, 1, 3, MPI_INT, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_Ibcast(buf, 1, t, 0, c, &q));
    OK(MPI_Type_free(&t));
    OK(MPI_Comm_free(&c));
    OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    for (int i = 0; i < 500; i++)
        CHECK(buf[3 * i] == 3 * i, "element %d: %d", i, buf[3 * i]);
}

/* Roots that run ahead of the others, many small and some large, with readers that come late. */
static void ahead(uint64_t *random)
{
    static int buf[40000];

    for (int k = 0; k < 300; k++) {
        int n = k % 50 == 49 ? 40000 : 1 + (int)check_random_below(random, 50), root = k / 40 % mc_size, sum = 0;

        for (int i = 0; i < n; i++)
            buf[i] = mc_rank == root ? k * 7 + i : -1;
        if (check_random_below(random, 40) == 0 && mc_rank != root)
            usleep(300);
        OK(MPI_Bcast(buf, n, MPI_INT, root, MPI_COMM_WORLD));
        CHECK(buf[0] == k * 7 && buf[n - 1] == k * 7 + n - 1, "broadcast %d of %d: %d %d", k, n, buf[0], buf[n - 1]);
        OK(MPI_Reduce(&mc_rank, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
        if (mc_rank == root)
            CHECK(sum == mc_size * (mc_size - 1) / 2, "reduce %d: %d", k, sum);
    }
}

/* Blocks of memory that collectives keep for a communicator are given back. */
static void short_lived(void)
{
    for (int k = 0; k < 300; k++) {
        MPI_Comm c;
        int one = 1, sum = 0;

        OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
        OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c));
        CHECK(sum == mc_size, "communicator %d: %d", k, sum);
        OK(MPI_Comm_free(&c));
    }
}

int main(void)
{
    uint64_t random = check_seed(42);

    mc_start();
    for (int k = 0; k < 5; k++) {
        uint64_t same = random + (uint64_t)k;

        overlapping(&same);
    }
    long_line();
    arrays_given_back();
    persistent();
    with_messages();
    freed_early();
    ahead(&random);
    short_lived();
    return mc_finish();
}
