/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every argument of every call, wrong: the standard's class through the handler
 * in force, nothing sent, received or leaked. Truncation, in one and in several
 * requests, leaves a receiver and a sender that go on.
 */
#include <mcheck.h>

static int v[4];
static MPI_Request r;
static MPI_Status s;

/* CALL(before arguments) with each argument bad in turn. */
#define SEND_ERRORS(send_, ...)                                                                \
    do {                                                                                       \
        FAILS(send_(v, -1, MPI_INT, 0, 0, MPI_COMM_WORLD __VA_ARGS__), MPI_ERR_COUNT);         \
        FAILS(send_(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD __VA_ARGS__), MPI_ERR_BUFFER);      \
        FAILS(send_(v, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD __VA_ARGS__), MPI_ERR_TYPE); \
        FAILS(send_(v, 1, raw, 0, 0, MPI_COMM_WORLD __VA_ARGS__), MPI_ERR_TYPE);               \
        FAILS(send_(v, 1, MPI_INT, mc_size, 0, MPI_COMM_WORLD __VA_ARGS__), MPI_ERR_RANK);     \
        FAILS(send_(v, 1, MPI_INT, -7, 0, MPI_COMM_WORLD __VA_ARGS__), MPI_ERR_RANK);          \
        FAILS(send_(v, 1, MPI_INT, 0, -9, MPI_COMM_WORLD __VA_ARGS__), MPI_ERR_TAG);           \
        FAILS(send_(v, 1, MPI_INT, 0, 0, MPI_COMM_NULL __VA_ARGS__), MPI_ERR_COMM);            \
        FAILS(send_(v, 1, MPI_INT, 0, 0, (MPI_Comm)(uintptr_t)v __VA_ARGS__), MPI_ERR_COMM);   \
    } while (0)
#define COMMA_R , &r
#define COMMA_S , &s

static void sends(MPI_Datatype raw)
{
    SEND_ERRORS(MPI_Send);
    SEND_ERRORS(MPI_Ssend);
    SEND_ERRORS(MPI_Rsend);
    SEND_ERRORS(MPI_Bsend);
    SEND_ERRORS(MPI_Isend, COMMA_R);
    SEND_ERRORS(MPI_Issend, COMMA_R);
    SEND_ERRORS(MPI_Irsend, COMMA_R);
    SEND_ERRORS(MPI_Ibsend, COMMA_R);
    SEND_ERRORS(MPI_Send_init, COMMA_R);
    SEND_ERRORS(MPI_Ssend_init, COMMA_R);
    SEND_ERRORS(MPI_Rsend_init, COMMA_R);
    SEND_ERRORS(MPI_Bsend_init, COMMA_R);
    SEND_ERRORS(MPI_Recv, COMMA_S);
    SEND_ERRORS(MPI_Irecv, COMMA_R);
    SEND_ERRORS(MPI_Recv_init, COMMA_R);
    FAILS(MPI_Send(v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    FAILS(MPI_Send(v, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD), MPI_ERR_TAG);
    FAILS(MPI_Isend(v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    FAILS(MPI_Irecv(v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    FAILS(MPI_Recv_init(v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    FAILS(MPI_Ssend_init(v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
}

static void both(void)
{
    FAILS(MPI_Sendrecv(v, -1, MPI_INT, 0, 0, v + 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &s), MPI_ERR_COUNT);
    FAILS(MPI_Sendrecv(v, 1, MPI_INT, 0, 0, v + 1, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &s), MPI_ERR_COUNT);
    FAILS(MPI_Sendrecv(v, 1, MPI_DATATYPE_NULL, 0, 0, v + 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &s), MPI_ERR_TYPE);
    FAILS(MPI_Sendrecv(v, 1, MPI_INT, 0, 0, v + 1, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD, &s), MPI_ERR_TYPE);
    FAILS(MPI_Sendrecv(v, 1, MPI_INT, mc_size, 0, v + 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &s), MPI_ERR_RANK);
    FAILS(MPI_Sendrecv(v, 1, MPI_INT, 0, 0, v + 1, 1, MPI_INT, mc_size, 0, MPI_COMM_WORLD, &s), MPI_ERR_RANK);
    FAILS(MPI_Sendrecv(v, 1, MPI_INT, 0, -5, v + 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &s), MPI_ERR_TAG);
    FAILS(MPI_Sendrecv(v, 1, MPI_INT, 0, 0, v + 1, 1, MPI_INT, 0, -5, MPI_COMM_WORLD, &s), MPI_ERR_TAG);
    FAILS(MPI_Sendrecv(NULL, 1, MPI_INT, 0, 0, v + 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &s), MPI_ERR_BUFFER);
    FAILS(MPI_Sendrecv(v, 1, MPI_INT, 0, 0, NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &s), MPI_ERR_BUFFER);
    FAILS(MPI_Sendrecv_replace(NULL, 1, MPI_INT, 0, 0, 0, 0, MPI_COMM_WORLD, &s), MPI_ERR_BUFFER);
    FAILS(MPI_Sendrecv_replace(v, 1, MPI_INT, mc_size, 0, 0, 0, MPI_COMM_WORLD, &s), MPI_ERR_RANK);
    FAILS(MPI_Isendrecv(v, 1, MPI_INT, 0, 0, v + 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    FAILS(MPI_Isendrecv_replace(v, 1, MPI_INT, 0, 0, 0, 0, MPI_COMM_NULL, &r), MPI_ERR_COMM);
}

static void probes(void)
{
    int flag;
    MPI_Message m = MPI_MESSAGE_NULL;

    FAILS(MPI_Probe(mc_size, 0, MPI_COMM_WORLD, &s), MPI_ERR_RANK);
    FAILS(MPI_Probe(0, -5, MPI_COMM_WORLD, &s), MPI_ERR_TAG);
    FAILS(MPI_Probe(0, 0, MPI_COMM_NULL, &s), MPI_ERR_COMM);
    FAILS(MPI_Iprobe(0, 0, MPI_COMM_WORLD, NULL, &s), MPI_ERR_ARG);
    FAILS(MPI_Mprobe(0, 0, MPI_COMM_WORLD, NULL, &s), MPI_ERR_ARG);
    FAILS(MPI_Improbe(0, 0, MPI_COMM_WORLD, &flag, NULL, &s), MPI_ERR_ARG);
    FAILS(MPI_Mrecv(v, 1, MPI_INT, &m, &s), MPI_ERR_REQUEST);
    FAILS(MPI_Mrecv(v, 1, MPI_INT, NULL, &s), MPI_ERR_ARG);
    m = (MPI_Message)(uintptr_t)v;
    FAILS(MPI_Imrecv(v, 1, MPI_INT, &m, &r), MPI_ERR_REQUEST);
    /* A message that was asked for badly is still there. */
    OK(MPI_Send(v, 1, MPI_INT, 0, 6, MPI_COMM_SELF));
    OK(MPI_Mprobe(0, 6, MPI_COMM_SELF, &m, &s));
    FAILS(MPI_Mrecv(v, -1, MPI_INT, &m, &s), MPI_ERR_COUNT);
    FAILS(MPI_Mrecv(v, 1, MPI_DATATYPE_NULL, &m, &s), MPI_ERR_TYPE);
    FAILS(MPI_Mrecv(NULL, 1, MPI_INT, &m, &s), MPI_ERR_BUFFER);
    OK(MPI_Mrecv(v, 1, MPI_INT, &m, &s));
}

static void completions(void)
{
    MPI_Request none = MPI_REQUEST_NULL, bad = (MPI_Request)(uintptr_t)v, old,
                both_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status several[2];
    int flag, index, n, indices[2];

    FAILS(MPI_Wait(&bad, &s), MPI_ERR_REQUEST);
    FAILS(MPI_Wait(NULL, &s), MPI_ERR_ARG);
    FAILS(MPI_Test(&bad, &flag, &s), MPI_ERR_REQUEST);
    FAILS(MPI_Test(&none, NULL, &s), MPI_ERR_ARG);
    FAILS(MPI_Waitall(-1, both_, several), MPI_ERR_COUNT);
    FAILS(MPI_Waitall(2, NULL, several), MPI_ERR_ARG);
    FAILS(MPI_Waitany(2, both_, NULL, &s), MPI_ERR_ARG);
    FAILS(MPI_Testany(2, both_, &index, NULL, &s), MPI_ERR_ARG);
    FAILS(MPI_Waitsome(2, both_, NULL, indices, several), MPI_ERR_ARG);
    FAILS(MPI_Testsome(2, both_, &n, NULL, several), MPI_ERR_ARG);
    FAILS(MPI_Testall(2, both_, NULL, several), MPI_ERR_ARG);
    FAILS(MPI_Request_free(&none), MPI_ERR_REQUEST);
    FAILS(MPI_Request_free(&bad), MPI_ERR_REQUEST);
    FAILS(MPI_Cancel(&none), MPI_ERR_REQUEST);
    FAILS(MPI_Start(&none), MPI_ERR_REQUEST);
    FAILS(MPI_Startall(1, &bad), MPI_ERR_REQUEST);
    FAILS(MPI_Request_get_status(bad, &flag, &s), MPI_ERR_REQUEST);
    FAILS(MPI_Request_get_status(none, NULL, &s), MPI_ERR_ARG);
    OK(MPI_Irecv(v, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r));
    FAILS(MPI_Start(&r), MPI_ERR_REQUEST);
    old = r;
    both_[0] = r, both_[1] = bad;
    FAILS(MPI_Waitall(2, both_, several), MPI_ERR_REQUEST);
    OK(MPI_Cancel(&r));
    OK(MPI_Wait(&r, &s));
    FAILS(MPI_Wait(&old, &s), MPI_ERR_REQUEST); /* a handle that is no more */
    OK(MPI_Recv_init(v, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r));
    OK(MPI_Start(&r));
    FAILS(MPI_Start(&r), MPI_ERR_REQUEST); /* it is active */
    OK(MPI_Cancel(&r));
    OK(MPI_Wait(&r, &s));
    OK(MPI_Request_free(&r));
    FAILS(MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT, &n), MPI_ERR_ARG);
    FAILS(MPI_Get_count(&s, MPI_DATATYPE_NULL, &n), MPI_ERR_TYPE);
    FAILS(MPI_Get_count(&s, MPI_INT, NULL), MPI_ERR_ARG);
    FAILS(MPI_Test_cancelled(&s, NULL), MPI_ERR_ARG);
    FAILS(MPI_Status_set_elements(&s, MPI_INT, -1), MPI_ERR_COUNT);
}

static void truncated_one(int n, int room)
{
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size, count = -1;
    char *out = malloc((size_t)n), *in = malloc((size_t)n);
    MPI_Request send;

    memset(out, 'x', (size_t)n);
    memset(in, '-', (size_t)n);
    OK(MPI_Issend(out, n, MPI_CHAR, right, 20, MPI_COMM_WORLD, &send));
    FAILS(MPI_Recv(in, room, MPI_CHAR, left, 20, MPI_COMM_WORLD, &s), MPI_ERR_TRUNCATE);
    OK(MPI_Wait(&send, &s)); /* the sender is not to blame */
    for (int i = 0; i < n; i++)
        if (in[i] != (i < room ? 'x' : '-')) {
            CHECK(false, "byte %d of %d with room for %d: %c", i, n, room, in[i]);
            break;
        }
    OK(MPI_Sendrecv(out, 3, MPI_CHAR, right, 20, in, n, MPI_CHAR, left, 20, MPI_COMM_WORLD, &s));
    OK(MPI_Get_count(&s, MPI_CHAR, &count));
    CHECK(count == 3, "the message behind it has %d bytes", count);
    free(out);
    free(in);
}

static void truncated_some(void)
{
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size, in[3][2], out[2] = {1, 2};
    MPI_Request q[6];
    MPI_Status st[6];

    for (int i = 0; i < 3; i++)
        OK(MPI_Irecv(in[i], i == 1 ? 1 : 2, MPI_INT, left, 30 + i, MPI_COMM_WORLD, &q[i]));
    for (int i = 0; i < 3; i++)
        OK(MPI_Isend(out, 2, MPI_INT, right, 30 + i, MPI_COMM_WORLD, &q[3 + i]));
    FAILS(MPI_Waitall(6, q, st), MPI_ERR_IN_STATUS);
    for (int i = 0; i < 6; i++) {
        CHECK(st[i].MPI_ERROR == (i == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "status %d says %d", i, st[i].MPI_ERROR);
        CHECK(q[i] == MPI_REQUEST_NULL, "request %d", i);
    }
}

int main(void)
{
    MPI_Datatype raw;

    mc_start();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Type_contiguous(2, MPI_INT, &raw)); /* not committed */
    sends(raw);
    OK(MPI_Type_free(&raw));
    both();
    probes();
    completions();
    truncated_one(10, 3);
    truncated_one(10, 0);
    truncated_one(5000, 4000);
    truncated_one(500000, 100);
    truncated_one(500000, 0);
    truncated_some();
    return mc_finish();
}
