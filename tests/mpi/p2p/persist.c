/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent requests of all modes (3.9), started many times alone and together;
 * sending and receiving in one call (3.10); and cancelling (3.8.4).
 */
#include <mcheck.h>

static int right, left;

static void rounds(int n)
{
    enum { KINDS = 4 };
    char *in[KINDS], *out[KINDS], *attached = malloc((size_t)n + MPI_BSEND_OVERHEAD + 64), *back;
    MPI_Request r[2 * KINDS];
    MPI_Status s[2 * KINDS];
    int size, count;

    for (int k = 0; k < KINDS; k++) {
        in[k] = malloc((size_t)n + 1);
        out[k] = malloc((size_t)n + 1);
        OK(MPI_Recv_init(in[k], n, MPI_BYTE, k % 2 ? left : MPI_ANY_SOURCE, k, MPI_COMM_WORLD, &r[k]));
    }
    OK(MPI_Buffer_attach(attached, n + MPI_BSEND_OVERHEAD + 64));
    OK(MPI_Send_init(out[0], n, MPI_BYTE, right, 0, MPI_COMM_WORLD, &r[4]));
    OK(MPI_Ssend_init(out[1], n, MPI_BYTE, right, 1, MPI_COMM_WORLD, &r[5]));
    OK(MPI_Bsend_init(out[2], n, MPI_BYTE, right, 2, MPI_COMM_WORLD, &r[6]));
    OK(MPI_Rsend_init(out[3], n, MPI_BYTE, right, 3, MPI_COMM_WORLD, &r[7]));
    for (int round = 0; round < 6; round++) {
        for (int k = 0; k < KINDS; k++)
            check_fill(out[k], (size_t)n, (uint64_t)(100 * round + 10 * k + mc_rank));
        if (round % 2) {
            OK(MPI_Startall(KINDS, r));
            OK(MPI_Barrier(MPI_COMM_WORLD)); /* for the ready one */
            OK(MPI_Startall(KINDS, r + KINDS));
        } else {
            for (int k = 0; k < KINDS; k++)
                OK(MPI_Start(&r[k]));
            OK(MPI_Barrier(MPI_COMM_WORLD));
            for (int k = KINDS; k < 2 * KINDS; k++)
                OK(MPI_Start(&r[k]));
        }
        OK(MPI_Waitall(2 * KINDS, r, s));
        for (int k = 0; k < KINDS; k++) {
            OK(MPI_Get_count(&s[k], MPI_BYTE, &count));
            CHECK(r[k] != MPI_REQUEST_NULL && s[k].MPI_SOURCE == left && s[k].MPI_TAG == k && count == n,
                  "round %d, kind %d", round, k);
            CHECK(check_differs(in[k], (size_t)n, (uint64_t)(100 * round + 10 * k + left)) == (size_t)n,
                  "round %d, kind %d: data", round, k);
        }
    }
    OK(MPI_Buffer_detach(&back, &size));
    CHECK(back == attached && size == n + MPI_BSEND_OVERHEAD + 64, "detached %d bytes", size);
    for (int i = 0; i < 2 * KINDS; i++)
        OK(MPI_Request_free(&r[i]));
    for (int k = 0; k < KINDS; k++) {
        free(in[k]);
        free(out[k]);
    }
    free(attached);
}

static void both(int n)
{
    char *in = malloc((size_t)n + 1), *out = malloc((size_t)n + 1);
    MPI_Request r;
    MPI_Status s;
    int count;

    for (int way = 0; way < 4; way++) {
        uint64_t mine = (uint64_t)(mc_rank * 8 + way), theirs = (uint64_t)(left * 8 + way);

        check_fill(out, (size_t)n, mine);
        check_fill(in, (size_t)n, mine);
        switch (way) {
        case 0:
            OK(MPI_Sendrecv(out, n, MPI_BYTE, right, way, in, n, MPI_BYTE, left, way, MPI_COMM_WORLD, &s));
            break;
        case 1:
            OK(MPI_Sendrecv_replace(in, n, MPI_BYTE, right, way, left, MPI_ANY_TAG, MPI_COMM_WORLD, &s));
            break;
        case 2:
            OK(MPI_Isendrecv(out, n, MPI_BYTE, right, way, in, n, MPI_BYTE, MPI_ANY_SOURCE, way, MPI_COMM_WORLD, &r));
            break;
        default:
            OK(MPI_Isendrecv_replace(in, n, MPI_BYTE, right, way, left, way, MPI_COMM_WORLD, &r));
        }
        if (way >= 2)
            OK(MPI_Wait(&r, &s));
        OK(MPI_Get_count(&s, MPI_BYTE, &count));
        CHECK(s.MPI_SOURCE == left && s.MPI_TAG == way && count == n, "way %d: %d, %d, %d", way, s.MPI_SOURCE,
              s.MPI_TAG, count);
        CHECK(check_differs(in, (size_t)n, theirs) == (size_t)n, "way %d, %d bytes: wrong at %zu", way, n,
              check_differs(in, (size_t)n, theirs));
        OK(MPI_Barrier(MPI_COMM_WORLD));
    }
    free(in);
    free(out);
}

static bool was_cancelled(MPI_Request *r)
{
    MPI_Status s;
    int flag = -1;

    OK(MPI_Wait(r, &s));
    OK(MPI_Test_cancelled(&s, &flag));
    return flag == 1;
}

static void cancels(void)
{
    int value = 5, in = 0, ins[3] = {0}, flag = 0;
    static char large[300000];
    MPI_Request r, recv[3];
    MPI_Status s;

    OK(MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &r));
    OK(MPI_Cancel(&r));
    CHECK(was_cancelled(&r) && r == MPI_REQUEST_NULL, "a receive nobody sent to");
    /* In the middle of others: they still match in order. */
    for (int i = 0; i < 3; i++)
        OK(MPI_Irecv(&ins[i], 1, MPI_INT, 0, i == 1 ? MPI_ANY_TAG : 51, MPI_COMM_SELF, &recv[i]));
    OK(MPI_Cancel(&recv[0]));
    CHECK(was_cancelled(&recv[0]), "the first of three");
    OK(MPI_Send(&value, 1, MPI_INT, 0, 51, MPI_COMM_SELF));
    OK(MPI_Wait(&recv[1], &s));
    CHECK(ins[1] == 5 && s.MPI_TAG == 51, "the second got it");
    OK(MPI_Test(&recv[2], &flag, &s));
    CHECK(flag == 0, "the third waits");
    OK(MPI_Cancel(&recv[2]));
    CHECK(was_cancelled(&recv[2]), "the third");
    /* Too late. */
    OK(MPI_Irecv(&in, 1, MPI_INT, 0, 52, MPI_COMM_SELF, &r));
    OK(MPI_Send(&value, 1, MPI_INT, 0, 52, MPI_COMM_SELF));
    for (flag = 0; !flag;)
        OK(MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE));
    OK(MPI_Cancel(&r));
    CHECK(!was_cancelled(&r), "a receive that had its message");
    /* A persistent one can be started again. */
    OK(MPI_Recv_init(&in, 1, MPI_INT, 0, 53, MPI_COMM_SELF, &r));
    OK(MPI_Start(&r));
    OK(MPI_Cancel(&r));
    CHECK(was_cancelled(&r) && r != MPI_REQUEST_NULL, "persistent");
    OK(MPI_Start(&r));
    OK(MPI_Send(&value, 1, MPI_INT, 0, 53, MPI_COMM_SELF));
    CHECK(!was_cancelled(&r), "persistent, started again");
    OK(MPI_Request_free(&r));
    /* Sends that nobody has matched come back; the next message is not disturbed. */
    for (int i = 0; i < 2; i++) {
        OK(MPI_Issend(large, i ? (int)sizeof large : 10, MPI_BYTE, right, 54, MPI_COMM_WORLD, &r));
        OK(MPI_Cancel(&r));
        CHECK(was_cancelled(&r), "a send of kind %d", i);
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Iprobe(MPI_ANY_SOURCE, 54, MPI_COMM_WORLD, &flag, &s));
        CHECK(flag == 0, "a cancelled message is there");
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Sendrecv(&value, 1, MPI_INT, right, 54, &in, 1, MPI_INT, left, 54, MPI_COMM_WORLD, &s));
    }
    /* One that was matched does not. */
    OK(MPI_Irecv(large, 10, MPI_BYTE, left, 55, MPI_COMM_WORLD, &recv[0]));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Issend(&value, sizeof value, MPI_BYTE, right, 55, MPI_COMM_WORLD, &r));
    OK(MPI_Wait(&recv[0], &s));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Cancel(&r));
    CHECK(!was_cancelled(&r), "a send that was received");
}

/* Data with gaps, so often that copies which were kept from one start to the next would find no room. */
static void again_and_again(void)
{
    enum { BLOCKS = 400, EACH = 64, APART = 65, ROUNDS = 300, ALL = BLOCKS * APART };
    double *in = calloc(ALL, sizeof *in), *out = calloc(ALL, sizeof *out);
    MPI_Datatype gaps;
    MPI_Request r[2];

    OK(MPI_Type_vector(BLOCKS, EACH, APART, MPI_DOUBLE, &gaps));
    OK(MPI_Type_commit(&gaps));
    OK(MPI_Recv_init(in, 1, gaps, left, 60, MPI_COMM_WORLD, &r[0]));
    OK(MPI_Send_init(out, 1, gaps, right, 60, MPI_COMM_WORLD, &r[1]));
    for (int i = 0; i < ROUNDS; i++) {
        out[0] = out[ALL - 2] = 1000 * mc_rank + i;
        OK(MPI_Startall(2, r));
        OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        if (!CHECK(in[0] == 1000 * left + i && in[ALL - 2] == in[0], "round %d: %g, %g", i, in[0], in[ALL - 2]))
            break;
    }
    for (int i = 0; i < 2; i++)
        OK(MPI_Request_free(&r[i]));
    OK(MPI_Type_free(&gaps));
    free(in);
    free(out);
}

/* More than a process copies of what is buffered, taken in reverse; and more messages than the receiver's ring holds.
 */
static void many_with_gaps(int n, int bytes)
{
    int ints = bytes / (int)sizeof(int), *data;
    MPI_Request *r = malloc((size_t)n * sizeof *r);
    MPI_Datatype gaps;

    data = calloc(2 * (size_t)ints, sizeof *data);
    OK(MPI_Type_vector(ints, 1, 2, MPI_INT, &gaps));
    OK(MPI_Type_commit(&gaps));
    data[0] = data[2 * ints - 2] = 7;
    for (int i = 0; mc_rank == 0 && i < n; i++)
        OK(MPI_Isend(data, 1, gaps, 1, i, MPI_COMM_WORLD, &r[i]));
    if (mc_rank == 0)
        OK(MPI_Waitall(n, r, MPI_STATUSES_IGNORE));
    for (int i = n - 1; mc_rank == 1 && i >= 0; i--) {
        data[0] = data[ints - 1] = 0;
        OK(MPI_Recv(data, ints, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(data[0] == 7 && data[ints - 1] == 7, "message %d of %d: %d, %d", i, n, data[0], data[ints - 1]);
    }
    OK(MPI_Type_free(&gaps));
    free(data);
    free(r);
}

int main(void)
{
    mc_start();
    right = (mc_rank + 1) % mc_size;
    left = (mc_rank + mc_size - 1) % mc_size;
    rounds(8);
    rounds(3000);
    rounds(200000);
    both(5);
    both(2000);
    both(300000);
    cancels();
    again_and_again();
    if (mc_size > 1) {
        many_with_gaps(20, 2200000);
        many_with_gaps(1000, 12000);
    }
    return mc_finish();
}
