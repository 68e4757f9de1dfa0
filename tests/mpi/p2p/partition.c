/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned communication (chapter 4): equal and different counts of partitions
 * on both sides, small and large, ready in any order, many rounds, derived
 * types, messages that must match in the order of their inits.
 */
#include <mcheck.h>

static int right, left;

struct shape {
    int out_parts, in_parts;
    int total; /* ints: a multiple of both */
};
static const struct shape shapes[] = {{1, 1, 1},    {4, 4, 4},     {8, 2, 16},     {3, 6, 600},    {5, 1, 5000},
                                      {1, 5, 5000}, {64, 16, 640}, {6, 4, 120000}, {4, 4, 400000}, {2, 3, 6}};

static void ready(MPI_Request r, int n, int how)
{
    int list[64];

    switch (how) {
    case 0:
        for (int i = 0; i < n; i++)
            OK(MPI_Pready(i, r));
        break;
    case 1:
        OK(MPI_Pready_range(0, n - 1, r));
        break;
    case 2:
        for (int i = 0; i < n; i++)
            list[i] = n - 1 - i;
        OK(MPI_Pready_list(n, list, r));
        break;
    default:
        for (int i = 1; i < n; i += 2)
            OK(MPI_Pready(i, r));
        for (int i = 0; i < n; i += 2)
            OK(MPI_Pready(i, r));
    }
}

static void rounds(const struct shape *s)
{
    int *in = malloc((size_t)s->total * sizeof *in), *out = malloc((size_t)s->total * sizeof *out);
    int out_n = s->total / s->out_parts, in_n = s->total / s->in_parts, count = 0, flag;
    MPI_Request r[2];
    MPI_Status st[2];

    OK(MPI_Psend_init(out, s->out_parts, out_n, MPI_INT, right, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]));
    OK(MPI_Precv_init(in, s->in_parts, in_n, MPI_INT, left, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]));
    for (int round = 0; round < 8; round++) {
        memset(in, 0xff, (size_t)s->total * sizeof *in);
        for (int i = 0; i < s->total; i++)
            out[i] = round * 1000003 + mc_rank * 101 + i;
        if (round % 2)
            OK(MPI_Startall(2, r));
        else
            for (int i = 1; i >= 0; i--)
                OK(MPI_Start(&r[i]));
        ready(r[0], s->out_parts, round % 4);
        for (int p = s->in_parts - 1; p >= 0 && round >= 4; p--) {
            for (flag = 0; !flag;)
                OK(MPI_Parrived(r[1], p, &flag));
            for (int i = p * in_n; i < (p + 1) * in_n; i++)
                if (in[i] != round * 1000003 + left * 101 + i) {
                    CHECK(false, "partition %d has arrived, but element %d has not", p, i);
                    break;
                }
        }
        OK(MPI_Waitall(2, r, st));
        OK(MPI_Get_count(&st[1], MPI_INT, &count));
        CHECK(count == s->total && st[1].MPI_SOURCE == left && st[1].MPI_TAG == 9, "status: %d of %d, tag %d", count,
              st[1].MPI_SOURCE, st[1].MPI_TAG);
        for (int i = 0; i < s->total; i++)
            if (in[i] != round * 1000003 + left * 101 + i) {
                CHECK(false, "%d to %d partitions, round %d: element %d is %d", s->out_parts, s->in_parts, round, i,
                      in[i]);
                break;
            }
        OK(MPI_Parrived(r[1], 0, &flag));
        CHECK(flag == 1, "all has arrived");
    }
    for (int i = 0; i < 2; i++)
        OK(MPI_Request_free(&r[i]));
    free(in);
    free(out);
}

/* Two pairs with the same tag, and a plain message that must not meet them. */
static void matching(void)
{
    int out[2] = {10, 20}, in[2] = {0, 0}, plain = 0, value = 30;
    MPI_Request r[5];

    for (int i = 0; i < 2; i++)
        OK(MPI_Psend_init(&out[i], 1, 1, MPI_INT, right, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &r[i]));
    OK(MPI_Irecv(&plain, 1, MPI_INT, left, 4, MPI_COMM_WORLD, &r[4]));
    for (int i = 0; i < 2; i++)
        OK(MPI_Precv_init(&in[i], 1, 1, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &r[2 + i]));
    OK(MPI_Startall(4, r));
    OK(MPI_Pready(0, r[1]));
    OK(MPI_Pready(0, r[0]));
    OK(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
    CHECK(in[0] == 10 && in[1] == 20 && plain == 0, "got %d %d %d", in[0], in[1], plain);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Send(&value, 1, MPI_INT, right, 4, MPI_COMM_WORLD));
    OK(MPI_Wait(&r[4], MPI_STATUS_IGNORE));
    CHECK(plain == 30, "got %d", plain);
    for (int i = 0; i < 4; i++)
        OK(MPI_Request_free(&r[i]));
}

/* Every other int, in partitions of one column each. */
static void strided(int n)
{
    enum { PARTS = 3 };
    int *out = malloc((size_t)(2 * PARTS * n) * sizeof *out), *in = malloc((size_t)(2 * PARTS * n) * sizeof *in);
    MPI_Datatype column;
    MPI_Request r[2];

    for (int i = 0; i < 2 * PARTS * n; i++) {
        out[i] = i + 7 * mc_rank;
        in[i] = -1;
    }
    OK(MPI_Type_vector(n, 1, 2, MPI_INT, &column));
    {
        MPI_Datatype sized;

        OK(MPI_Type_create_resized(column, 0, 2 * n * (MPI_Aint)sizeof(int), &sized));
        OK(MPI_Type_free(&column));
        column = sized;
    }
    OK(MPI_Type_commit(&column));
    OK(MPI_Psend_init(out, PARTS, 1, column, right, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]));
    OK(MPI_Precv_init(in, PARTS, 1, column, left, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]));
    OK(MPI_Type_free(&column));
    OK(MPI_Startall(2, r));
    OK(MPI_Pready_range(0, PARTS - 1, r[0]));
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 2 * PARTS * n; i++)
        if (in[i] != (i % 2 ? -1 : i + 7 * left)) {
            CHECK(false, "element %d of columns of %d is %d", i, n, in[i]);
            break;
        }
    for (int i = 0; i < 2; i++)
        OK(MPI_Request_free(&r[i]));
    free(out);
    free(in);
}

static void errors(void)
{
    int value[4] = {0}, flag, twice[2] = {1, 1};
    MPI_Request r[2], plain;

    OK(MPI_Psend_init(value, 2, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_INFO_NULL, &r[0]));
    OK(MPI_Precv_init(value + 2, 2, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_INFO_NULL, &r[1]));
    FAILS(MPI_Pready(0, r[0]), MPI_ERR_REQUEST); /* not started */
    OK(MPI_Startall(2, r));
    FAILS(MPI_Pready(2, r[0]), MPI_ERR_ARG);
    FAILS(MPI_Pready(-1, r[0]), MPI_ERR_ARG);
    FAILS(MPI_Pready(0, r[1]), MPI_ERR_REQUEST);
    FAILS(MPI_Pready_range(1, 0, r[0]), MPI_ERR_ARG);
    FAILS(MPI_Pready_range(0, 2, r[0]), MPI_ERR_ARG);
    FAILS(MPI_Pready_list(2, twice, r[0]), MPI_ERR_ARG);
    FAILS(MPI_Pready_list(-1, twice, r[0]), MPI_ERR_COUNT);
    FAILS(MPI_Parrived(r[0], 0, &flag), MPI_ERR_REQUEST);
    FAILS(MPI_Parrived(r[1], 2, &flag), MPI_ERR_ARG);
    FAILS(MPI_Parrived(r[1], 0, NULL), MPI_ERR_ARG);
    FAILS(MPI_Parrived(MPI_REQUEST_NULL, 0, &flag), MPI_ERR_REQUEST);
    OK(MPI_Pready(0, r[0]));
    FAILS(MPI_Pready(0, r[0]), MPI_ERR_ARG);
    OK(MPI_Pready(1, r[0]));
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 2; i++)
        OK(MPI_Request_free(&r[i]));
    FAILS(MPI_Psend_init(value, -1, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_INFO_NULL, &r[0]), MPI_ERR_ARG);
    FAILS(MPI_Precv_init(value, 1, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_SELF, MPI_INFO_NULL, &r[0]), MPI_ERR_RANK);
    FAILS(MPI_Precv_init(value, 1, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_SELF, MPI_INFO_NULL, &r[0]), MPI_ERR_TAG);
    FAILS(MPI_Psend_init(value, 1, -1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_INFO_NULL, &r[0]), MPI_ERR_COUNT);
    OK(MPI_Irecv(value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &plain));
    FAILS(MPI_Pready(0, plain), MPI_ERR_REQUEST);
    OK(MPI_Cancel(&plain));
    OK(MPI_Wait(&plain, MPI_STATUS_IGNORE));
    OK(MPI_Psend_init(value, 2, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_SELF, MPI_INFO_NULL, &r[0]));
    OK(MPI_Precv_init(value + 2, 2, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_SELF, MPI_INFO_NULL, &r[1]));
    OK(MPI_Startall(2, r));
    OK(MPI_Pready_range(0, 1, r[0]));
    OK(MPI_Parrived(r[1], 1, &flag));
    CHECK(flag == 1, "nothing of MPI_PROC_NULL has arrived");
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < 2; i++)
        OK(MPI_Request_free(&r[i]));
}

int main(void)
{
    mc_start();
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    right = (mc_rank + 1) % mc_size;
    left = (mc_rank + mc_size - 1) % mc_size;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        rounds(&shapes[i]);
    matching();
    strided(5);
    strided(30000);
    errors();
    return mc_finish();
}
