/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion (3.7.3 to 3.7.6): Wait and Test of one, any, some and all; null and
 * inactive requests, statuses, Request_free of what is under way, and
 * Request_get_status, which leaves the request.
 */
#include <mcheck.h>

enum { N = 8 };

static void check_empty(const MPI_Status *s, const char *what)
{
    int count = -1, cancelled = -1;

    OK(MPI_Get_count(s, MPI_BYTE, &count));
    OK(MPI_Test_cancelled(s, &cancelled));
    CHECK(s->MPI_SOURCE == MPI_ANY_SOURCE && s->MPI_TAG == MPI_ANY_TAG && count == 0 && cancelled == 0,
          "%s: not the empty status (%d, %d, %d, %d)", what, s->MPI_SOURCE, s->MPI_TAG, count, cancelled);
}

static void nulls(void)
{
    MPI_Request r[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL}, inactive;
    MPI_Status s[3];
    int flag = 0, index = 0, outcount = 0, indices[3], value = 0;

    OK(MPI_Wait(&r[0], s));
    check_empty(s, "Wait");
    OK(MPI_Test(&r[0], &flag, s));
    CHECK(flag == 1, "Test of no request");
    OK(MPI_Waitany(3, r, &index, s));
    CHECK(index == MPI_UNDEFINED, "Waitany %d", index);
    check_empty(s, "Waitany");
    OK(MPI_Testany(3, r, &index, &flag, s));
    CHECK(index == MPI_UNDEFINED && flag == 1, "Testany %d %d", index, flag);
    OK(MPI_Testany(0, NULL, &index, &flag, s));
    CHECK(index == MPI_UNDEFINED && flag == 1, "Testany of none %d %d", index, flag);
    OK(MPI_Waitsome(3, r, &outcount, indices, s));
    CHECK(outcount == MPI_UNDEFINED, "Waitsome %d", outcount);
    OK(MPI_Testsome(3, r, &outcount, indices, s));
    CHECK(outcount == MPI_UNDEFINED, "Testsome %d", outcount);
    OK(MPI_Waitall(3, r, s));
    check_empty(&s[2], "Waitall");
    OK(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE));
    OK(MPI_Testall(3, r, &flag, s));
    CHECK(flag == 1, "Testall");
    OK(MPI_Request_get_status(r[0], &flag, s));
    CHECK(flag == 1, "Request_get_status");
    check_empty(s, "Request_get_status");
    OK(MPI_Request_get_status_all(3, r, &flag, s));
    CHECK(flag == 1, "Request_get_status_all");
    OK(MPI_Request_get_status_any(3, r, &index, &flag, s));
    CHECK(index == MPI_UNDEFINED && flag == 1, "Request_get_status_any %d %d", index, flag);
    OK(MPI_Request_get_status_some(3, r, &outcount, indices, s));
    CHECK(outcount == MPI_UNDEFINED, "Request_get_status_some %d", outcount);

    OK(MPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &inactive));
    r[1] = inactive;
    OK(MPI_Wait(&inactive, s));
    check_empty(s, "Wait of an inactive one");
    CHECK(inactive != MPI_REQUEST_NULL, "an inactive request is kept");
    OK(MPI_Test(&inactive, &flag, s));
    CHECK(flag == 1, "Test of an inactive one");
    OK(MPI_Waitany(3, r, &index, s));
    CHECK(index == MPI_UNDEFINED, "Waitany of an inactive one: %d", index);
    OK(MPI_Testsome(3, r, &outcount, indices, s));
    CHECK(outcount == MPI_UNDEFINED, "Testsome of an inactive one: %d", outcount);
    OK(MPI_Request_free(&inactive));
    CHECK(inactive == MPI_REQUEST_NULL, "a freed request");
}

/* Receives from the left, sends to the right; i bytes with tag i, sent in a scrambled order. */
static void begin(MPI_Request *r, char buf[N][N], MPI_Request *sends)
{
    static const char data[N] = "abcdefg";
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;

    for (int i = 0; i < N; i++)
        OK(MPI_Irecv(buf[i], N, MPI_CHAR, left, i, MPI_COMM_WORLD, &r[i]));
    for (int i = 0; i < N; i++)
        OK(MPI_Isend(data, i * 5 % N, MPI_CHAR, right, i * 5 % N, MPI_COMM_WORLD, &sends[i]));
}

static void check_one(int i, const MPI_Status *s, char buf[N][N])
{
    int count = -1;

    OK(MPI_Get_count(s, MPI_CHAR, &count));
    CHECK(s->MPI_TAG == i && count == i && s->MPI_SOURCE == (mc_rank + mc_size - 1) % mc_size,
          "request %d: tag %d, %d bytes of %d", i, s->MPI_TAG, count, s->MPI_SOURCE);
    CHECK(i == 0 || buf[i][i - 1] == "abcdefg"[i - 1], "data of %d", i);
}

enum way { ALL, TESTALL, ANY, TESTANY, SOME, TESTSOME, WAYS };

static int end_some(enum way way, MPI_Request *r, char buf[N][N])
{
    MPI_Status s[N];
    int n = 1, index = 0, indices[N] = {0}, flag = 1;

    switch (way) {
    case ANY:
        OK(MPI_Waitany(N, r, &index, s));
        break;
    case TESTANY:
        OK(MPI_Testany(N, r, &index, &flag, s));
        break;
    case SOME:
        OK(MPI_Waitsome(N, r, &n, indices, s));
        break;
    case TESTSOME:
        OK(MPI_Testsome(N, r, &n, indices, s));
        break;
    case ALL:
        OK(MPI_Waitall(N, r, s));
        break;
    default:
        OK(MPI_Testall(N, r, &flag, s));
    }
    if (!flag)
        return 0;
    if (way == ALL || way == TESTALL) {
        for (n = 0; n < N; n++)
            check_one(n, &s[n], buf);
        return N;
    }
    if (way == ANY || way == TESTANY)
        indices[0] = index;
    for (int i = 0; i < n; i++) {
        check_one(indices[i], &s[i], buf);
        CHECK(r[indices[i]] == MPI_REQUEST_NULL, "request %d after its end", indices[i]);
    }
    return n;
}

static void ends(enum way way)
{
    MPI_Request r[N], sends[N];
    char buf[N][N];

    begin(r, buf, sends);
    for (int done = 0; done < N;)
        done += end_some(way, r, buf);
    OK(MPI_Waitall(N, sends, MPI_STATUSES_IGNORE));
}

static void get_status(void)
{
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status s, all[2];
    int flag = 0, in = 0, out = 42 + mc_rank, index = -1, indices[2], n, count;

    OK(MPI_Irecv(&in, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &r[1]));
    OK(MPI_Request_get_status(r[1], &flag, &s));
    CHECK(flag == 0, "nothing was sent");
    OK(MPI_Request_get_status_all(2, r, &flag, all));
    CHECK(flag == 0, "nothing was sent (all)");
    OK(MPI_Request_get_status_any(2, r, &index, &flag, &s));
    CHECK(flag == 0, "nothing was sent (any)");
    OK(MPI_Request_get_status_some(2, r, &n, indices, all));
    CHECK(n == 0, "nothing was sent (some)");
    OK(MPI_Send(&out, 1, MPI_INT, 0, 3, MPI_COMM_SELF));
    for (flag = 0; !flag;)
        OK(MPI_Request_get_status(r[1], &flag, &s));
    OK(MPI_Get_count(&s, MPI_INT, &count));
    CHECK(in == out && s.MPI_SOURCE == 0 && s.MPI_TAG == 3 && count == 1 && r[1] != MPI_REQUEST_NULL, "got %d", in);
    OK(MPI_Request_get_status_any(2, r, &index, &flag, &s));
    CHECK(flag == 1 && index == 1 && s.MPI_TAG == 3, "any: %d %d", flag, index);
    OK(MPI_Request_get_status_some(2, r, &n, indices, all));
    CHECK(n == 1 && indices[0] == 1 && all[0].MPI_TAG == 3, "some: %d", n);
    OK(MPI_Request_get_status_all(2, r, &flag, all));
    CHECK(flag == 1 && all[1].MPI_TAG == 3 && all[0].MPI_TAG == MPI_ANY_TAG, "all: %d", flag);
    OK(MPI_Wait(&r[1], &s));
    CHECK(s.MPI_TAG == 3, "the status is still there");
}

/* Free requests of both sides while they are under way: the data still comes. */
static void free_active(void)
{
    static char in[200000], out[200000];
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;
    MPI_Request r;

    check_fill(out, sizeof out, (uint64_t)mc_rank);
    OK(MPI_Irecv(in, sizeof in, MPI_BYTE, left, 1, MPI_COMM_WORLD, &r));
    OK(MPI_Request_free(&r));
    CHECK(r == MPI_REQUEST_NULL, "handle after free");
    OK(MPI_Isend(out, sizeof out, MPI_BYTE, right, 1, MPI_COMM_WORLD, &r));
    OK(MPI_Request_free(&r));
    while (in[sizeof in - 1] != (char)check_pattern((uint64_t)left, sizeof in - 1) ||
           check_differs(in, sizeof in, (uint64_t)left) != sizeof in) {
        int flag;

        OK(MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* More at once than any table begins with. */
static void many(void)
{
    enum { MANY = 5000 };
    MPI_Request *r = malloc(2 * MANY * sizeof *r);
    int *in = malloc(MANY * sizeof *in), *out = malloc(MANY * sizeof *out);
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;

    for (int i = 0; i < MANY; i++)
        OK(MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &r[i]));
    for (int i = MANY - 1; i >= 0; i--) {
        out[i] = i * 3 + mc_rank;
        OK(MPI_Isend(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &r[MANY + i]));
    }
    OK(MPI_Waitall(2 * MANY, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++)
        CHECK(in[i] == i * 3 + left, "message %d: %d", i, in[i]);
    free(r);
    free(in);
    free(out);
}

int main(void)
{
    mc_start();
    nulls();
    for (int way = 0; way < WAYS; way++)
        ends((enum way)way);
    get_status();
    free_active();
    many();
    return mc_finish();
}
