/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of derived types: dense and strided on either side, of every size
 * class; counts of received elements, also of part of a type; statuses that a
 * program sets itself.
 */
#include <mcheck.h>

static int right, left;

/* Sender and receiver each with blocks of `block` ints every `stride`; the same data. */
static void strided(int ints, int block, int out_stride, int in_stride)
{
    int blocks = ints / block, count = -1, elements = -1;
    size_t out_n = (size_t)blocks * (size_t)out_stride, in_n = (size_t)blocks * (size_t)in_stride;
    int *out = malloc(out_n * sizeof *out), *in = malloc(in_n * sizeof *in);
    MPI_Datatype out_type, in_type;
    MPI_Request r[2];
    MPI_Status s;

    for (size_t i = 0; i < out_n; i++)
        out[i] = (int)(i * 3 + (size_t)mc_rank);
    OK(MPI_Type_vector(blocks, block, out_stride, MPI_INT, &out_type));
    OK(MPI_Type_vector(blocks, block, in_stride, MPI_INT, &in_type));
    OK(MPI_Type_commit(&out_type));
    OK(MPI_Type_commit(&in_type));
    for (int mode = 0; mode < 3; mode++) {
        memset(in, 0xff, in_n * sizeof *in);
        OK(MPI_Irecv(in, 1, in_type, left, mode, MPI_COMM_WORLD, &r[0]));
        switch (mode) {
        case 0:
            OK(MPI_Isend(out, 1, out_type, right, mode, MPI_COMM_WORLD, &r[1]));
            break;
        case 1:
            OK(MPI_Issend(out, 1, out_type, right, mode, MPI_COMM_WORLD, &r[1]));
            break;
        default:
            OK(MPI_Send_init(out, 1, out_type, right, mode, MPI_COMM_WORLD, &r[1]));
            OK(MPI_Start(&r[1]));
        }
        OK(MPI_Wait(&r[0], &s));
        OK(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
        if (mode == 2)
            OK(MPI_Request_free(&r[1]));
        OK(MPI_Get_count(&s, in_type, &count));
        OK(MPI_Get_elements(&s, in_type, &elements));
        CHECK(count == 1 && elements == ints, "count %d, elements %d of %d", count, elements, ints);
        for (size_t i = 0; i < in_n; i++) {
            size_t in_block = i / (size_t)in_stride, at = i % (size_t)in_stride;
            int want = at < (size_t)block ? (int)((in_block * (size_t)out_stride + at) * 3 + (size_t)left) : -1;

            if (in[i] != want && !(at >= (size_t)block && in[i] == -1)) {
                CHECK(false, "%d ints, blocks of %d, strides %d to %d, mode %d: [%zu] is %d, expected %d", ints, block,
                      out_stride, in_stride, mode, i, in[i], want);
                break;
            }
        }
    }
    OK(MPI_Type_free(&out_type));
    OK(MPI_Type_free(&in_type));
    free(in);
    free(out);
}

static void part_of_a_type(void)
{
    struct pair {
        double d;
        int i;
    } in[3] = {{0, 0}};
    unsigned char packed[64];
    MPI_Datatype pair, kinds[2] = {MPI_DOUBLE, MPI_INT};
    int lengths[2] = {1, 1}, count = 0, position = 0;
    MPI_Aint at[2] = {offsetof(struct pair, d), offsetof(struct pair, i)};
    MPI_Count elements = 0;
    double d = 2.5;
    int i = 7;
    MPI_Status s;

    OK(MPI_Type_create_struct(2, lengths, at, kinds, &pair));
    {
        MPI_Datatype sized;

        OK(MPI_Type_create_resized(pair, 0, sizeof(struct pair), &sized));
        OK(MPI_Type_free(&pair));
        pair = sized;
    }
    OK(MPI_Type_commit(&pair));
    OK(MPI_Pack(&d, 1, MPI_DOUBLE, packed, sizeof packed, &position, MPI_COMM_WORLD));
    OK(MPI_Pack(&i, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD));
    OK(MPI_Pack(&d, 1, MPI_DOUBLE, packed, sizeof packed, &position, MPI_COMM_WORLD));
    OK(MPI_Sendrecv(packed, position, MPI_PACKED, right, 1, in, 3, pair, left, 1, MPI_COMM_WORLD, &s));
    OK(MPI_Get_count(&s, pair, &count));
    OK(MPI_Get_elements_x(&s, pair, &elements));
    CHECK(count == MPI_UNDEFINED && elements == 3, "count %d, elements %lld", count, (long long)elements);
    CHECK(in[0].d == 2.5 && in[0].i == 7 && in[1].d == 2.5 && in[1].i == 0, "data");
    OK(MPI_Status_set_elements(&s, pair, 4));
    OK(MPI_Get_count(&s, pair, &count));
    OK(MPI_Get_elements_x(&s, pair, &elements));
    CHECK(count == 2 && elements == 4, "set: count %d, elements %lld", count, (long long)elements);
    OK(MPI_Status_set_elements_c(&s, pair, 5));
    OK(MPI_Get_elements_x(&s, pair, &elements));
    CHECK(elements == 5, "set: elements %lld", (long long)elements);
    OK(MPI_Type_free(&pair));
}

static void large_counts(void)
{
    MPI_Status s;
    int n = 0;
    MPI_Count large = 0;

    memset(&s, 0, sizeof s);
    OK(MPI_Status_set_elements_x(&s, MPI_INT, 3000000000));
    OK(MPI_Get_count(&s, MPI_INT, &n));
    CHECK(n == MPI_UNDEFINED, "small count %d", n);
    OK(MPI_Get_count_c(&s, MPI_INT, &large));
    CHECK(large == 3000000000, "large count %lld", (long long)large);
    OK(MPI_Get_elements(&s, MPI_INT, &n));
    CHECK(n == MPI_UNDEFINED, "small elements %d", n);
    OK(MPI_Status_set_cancelled(&s, 1));
    OK(MPI_Test_cancelled(&s, &n));
    CHECK(n == 1, "cancelled %d", n);
    OK(MPI_Status_set_source(&s, 5));
    OK(MPI_Status_set_tag(&s, 6));
    OK(MPI_Status_set_error(&s, MPI_ERR_OTHER));
    OK(MPI_Status_get_source(&s, &n));
    CHECK(n == 5 && s.MPI_SOURCE == 5, "source %d", n);
    OK(MPI_Status_get_tag(&s, &n));
    CHECK(n == 6, "tag %d", n);
    OK(MPI_Status_get_error(&s, &n));
    CHECK(n == MPI_ERR_OTHER, "error %d", n);
    OK(MPI_Get_count_c(&s, MPI_INT, &large));
    CHECK(large == 3000000000, "the count is still there");
}

/* The type may be freed while messages of it are under way; absolute addresses need no buffer. */
static void freed_type(void)
{
    static int in[40000], out[40000];
    MPI_Datatype t;
    MPI_Aint place;
    MPI_Request r[2];
    int one = 40000;

    check_fill(out, sizeof out, (uint64_t)mc_rank);
    OK(MPI_Get_address(in, &place));
    OK(MPI_Type_create_hindexed(1, &one, &place, MPI_INT, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_Irecv(MPI_BOTTOM, 1, t, left, 3, MPI_COMM_WORLD, &r[0]));
    OK(MPI_Type_free(&t));
    OK(MPI_Get_address(out, &place));
    OK(MPI_Type_create_hindexed(1, &one, &place, MPI_INT, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_Issend(MPI_BOTTOM, 1, t, right, 3, MPI_COMM_WORLD, &r[1]));
    OK(MPI_Type_free(&t));
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    CHECK(check_differs(in, sizeof in, (uint64_t)left) == sizeof in, "data by absolute addresses");
}

int main(void)
{
    static const int sizes[] = {4, 120, 248, 256, 1200, 15000, 16800, 60000, 300000};

    mc_start();
    right = (mc_rank + 1) % mc_size;
    left = (mc_rank + mc_size - 1) % mc_size;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        strided(sizes[i], 1, 1, 1);
        strided(sizes[i], 1, 2, 1);
        strided(sizes[i], 2, 2, 3);
        strided(sizes[i], 4, 7, 5);
    }
    part_of_a_type();
    large_counts();
    freed_type();
    return mc_finish();
}
