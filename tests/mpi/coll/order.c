/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of the user: products of 2x2 matrices, which do not commute, over a derived type, with each reduction; a
 * type with gaps; a function of the large form; an operation freed while it is under way; MINLOC and MAXLOC. */
#include "cases.h"

struct matrix {
    uint32_t a, b, c, d;
};
/* The same with a gap in it, as a derived type sees it. */
struct gappy {
    uint32_t a, b, gap, c, d;
};

static MPI_Comm comm;
static int rank, size;
static MPI_Datatype matrix_type, gappy_type;
static long calls;

static struct matrix times(struct matrix x, struct matrix y)
{
    return (struct matrix){x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
}

static void multiply(void *in, void *inout, int *len, MPI_Datatype *type)
{
    struct matrix *x = in, *y = inout;

    CHECK(*type == matrix_type, "the function got another type");
    for (int i = 0; i < *len; i++)
        y[i] = times(x[i], y[i]);
    calls++;
}

static void multiply_gappy(void *in, void *inout, MPI_Count *len, MPI_Datatype *type)
{
    struct gappy *x = in, *y = inout;

    CHECK(*type == gappy_type, "the function got another type");
    for (MPI_Count i = 0; i < *len; i++) {
        struct matrix m =
            times((struct matrix){x[i].a, x[i].b, x[i].c, x[i].d}, (struct matrix){y[i].a, y[i].b, y[i].c, y[i].d});

        y[i].a = m.a;
        y[i].b = m.b;
        y[i].c = m.c;
        y[i].d = m.d;
    }
    calls++;
}

static struct matrix value(int r, long i)
{
    uint64_t x = check_mix((uint64_t)(r * 100000 + i + 1));

    return (struct matrix){(uint32_t)x | 1, (uint32_t)(x >> 16), (uint32_t)(x >> 24), (uint32_t)(x >> 32) | 1};
}

static struct matrix product(int from, int to, long i)
{
    struct matrix m = value(from, i);

    for (int r = from + 1; r < to; r++)
        m = times(m, value(r, i));
    return m;
}

static struct matrix *filled(long n)
{
    struct matrix *m = malloc((size_t)(n + 1) * sizeof *m);

    for (long i = 0; i < n; i++)
        m[i] = value(rank, i);
    return m;
}

static void compare(const char *what, const struct matrix *m, long n, long offset, int from, int to)
{
    for (long i = 0; i < n; i++) {
        struct matrix want = product(from, to, offset + i);

        if (!CHECK(memcmp(&m[i], &want, sizeof want) == 0,
                   "%s: matrix %ld of %ld on rank %d of %d is not the product in rank order", what, i, n, rank, size))
            return;
    }
}

static void all_reductions(int form, long n, MPI_Op op)
{
    struct matrix *in = filled(n * size), *out = filled(n * size);
    int counts[64];

    for (int root = 0; root < size; root++) {
        RUN_FORM(form, true, Reduce, Ireduce, in, out, (int)n, matrix_type, op, root, comm);
        if (rank == root)
            compare("reduce", out, n, 0, 0, size);
    }
    RUN_FORM(form, true, Allreduce, Iallreduce, in, out, (int)n, matrix_type, op, comm);
    compare("allreduce", out, n, 0, 0, size);
    RUN_FORM(form, true, Scan, Iscan, in, out, (int)n, matrix_type, op, comm);
    compare("scan", out, n, 0, 0, rank + 1);
    RUN_FORM(form, true, Exscan, Iexscan, in, out, (int)n, matrix_type, op, comm);
    if (rank > 0)
        compare("exscan", out, n, 0, 0, rank);
    RUN_FORM(form, true, Reduce_scatter_block, Ireduce_scatter_block, in, out, (int)n, matrix_type, op, comm);
    compare("reduce_scatter_block", out, n, n * rank, 0, size);
    for (int i = 0; i < size; i++)
        counts[i] = i % 2 ? 0 : (int)n;
    RUN_FORM(form, true, Reduce_scatter, Ireduce_scatter, in, out, counts, matrix_type, op, comm);
    compare("reduce_scatter", out, counts[rank], n * ((rank + 1) / 2), 0, size);
    /* in place */
    free(out);
    out = filled(n);
    RUN_FORM(form, false, Allreduce, Iallreduce, MPI_IN_PLACE, out, (int)n, matrix_type, op, comm);
    compare("allreduce in place", out, n, 0, 0, size);
    free(out);
    out = filled(n);
    RUN_FORM(form, false, Reduce, Ireduce, rank == size - 1 ? MPI_IN_PLACE : out, rank == size - 1 ? out : NULL, (int)n,
             matrix_type, op, size - 1, comm);
    if (rank == size - 1)
        compare("reduce in place", out, n, 0, 0, size);
    free(out);
    out = filled(n);
    RUN_FORM(form, false, Exscan, Iexscan, MPI_IN_PLACE, out, (int)n, matrix_type, op, comm);
    if (rank > 0)
        compare("exscan in place", out, n, 0, 0, rank);
    free(out);
    free(in);
}

static void with_gaps(long n)
{
    struct gappy *in = malloc((size_t)(n + 1) * sizeof *in), *out = malloc((size_t)(n + 1) * sizeof *out);
    MPI_Request q;
    MPI_Op op;

    OK(MPI_Op_create_c(multiply_gappy, 0, &op));
    for (long i = 0; i < n; i++) {
        struct matrix m = value(rank, i);

        in[i] = (struct gappy){m.a, m.b, 7, m.c, m.d};
        out[i].gap = 0xabcdef;
    }
    OK(MPI_Allreduce(in, out, (int)n, gappy_type, op, comm));
    for (long i = 0; i < n; i++) {
        struct matrix want = product(0, size, i);

        CHECK(out[i].a == want.a && out[i].b == want.b && out[i].c == want.c && out[i].d == want.d, "gappy matrix %ld",
              i);
    }
    OK(MPI_Iallreduce(in, out, (int)n, gappy_type, op, comm, &q));
    OK(MPI_Op_free(&op)); /* it stays until the reduction is done */
    CHECK(op == MPI_OP_NULL, "Op_free left its handle");
    OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    for (long i = 0; i < n; i++)
        CHECK(out[i].d == product(0, size, i).d, "gappy matrix %ld of a freed operation", i);
    free(in);
    free(out);
}

/* Ties go to the lower index. */
static void locations(void)
{
    struct {
        double value;
        int index;
    } in[9], low[9], high[9];
    struct {
        short value;
        int index;
    } s = {(short)(rank / 2), rank}, least;
    struct {
        long double value;
        int index;
    } l = {rank % 3, 100 - rank}, most;

    for (int i = 0; i < 9; i++) {
        in[i].value = (rank + i) % 3;
        in[i].index = rank;
    }
    OK(MPI_Allreduce(in, low, 9, MPI_DOUBLE_INT, MPI_MINLOC, comm));
    OK(MPI_Allreduce(in, high, 9, MPI_DOUBLE_INT, MPI_MAXLOC, comm));
    for (int i = 0; i < 9; i++) {
        int first_low = -1, first_high = -1, best = 0, worst = 3;

        for (int r = 0; r < size; r++) {
            if ((r + i) % 3 < worst) {
                worst = (r + i) % 3;
                first_low = r;
            }
            if (first_high < 0 || (r + i) % 3 > best) {
                best = (r + i) % 3;
                first_high = r;
            }
        }
        CHECK(low[i].value == worst && low[i].index == first_low, "minloc %d: %g at %d", i, low[i].value, low[i].index);
        CHECK(high[i].value == best && high[i].index == first_high, "maxloc %d: %g at %d", i, high[i].value,
              high[i].index);
    }
    OK(MPI_Allreduce(&s, &least, 1, MPI_SHORT_INT, MPI_MINLOC, comm));
    CHECK(least.value == 0 && least.index == 0, "minloc of short: %d at %d", least.value, least.index);
    OK(MPI_Allreduce(&l, &most, 1, MPI_LONG_DOUBLE_INT, MPI_MAXLOC, comm));
    CHECK(most.value == (size > 2 ? 2 : size - 1), "maxloc of long double");
    CHECK(most.index == 100 - (size > 2 ? (size - 3) / 3 * 3 + 2 : size - 1),
          "maxloc of long double: the lowest index is %d", most.index);
}

/* Floating point: the same bits on every rank, whatever the size. */
static void same_everywhere(long n)
{
    double *in = malloc((size_t)n * 8), *out = malloc((size_t)n * 8), *theirs = malloc((size_t)n * 8);
    MPI_Request q;

    for (long i = 0; i < n; i++)
        in[i] = (double)(int64_t)check_mix((uint64_t)(rank * 77777 + i)) * 1e-7;
    for (int k = 0; k < 2; k++) {
        if (k == 0) {
            OK(MPI_Allreduce(in, out, (int)n, MPI_DOUBLE, MPI_SUM, comm));
        } else {
            OK(MPI_Iallreduce(in, out, (int)n, MPI_DOUBLE, MPI_SUM, comm, &q));
            OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
        }
        memcpy(theirs, out, (size_t)n * 8);
        OK(MPI_Bcast(theirs, (int)n, MPI_DOUBLE, 0, comm));
        CHECK(memcmp(theirs, out, (size_t)n * 8) == 0, "a sum of %ld doubles is not the same on rank %d as on rank 0",
              n, rank);
    }
    free(in);
    free(out);
    free(theirs);
}

static void make_types(void)
{
    int lengths[2] = {2, 2};
    MPI_Aint at[2] = {offsetof(struct gappy, a), offsetof(struct gappy, c)};
    MPI_Datatype both[2] = {MPI_UINT32_T, MPI_UINT32_T};

    OK(MPI_Type_contiguous(4, MPI_UINT32_T, &matrix_type));
    OK(MPI_Type_commit(&matrix_type));
    OK(MPI_Type_create_struct(2, lengths, at, both, &gappy_type));
    OK(MPI_Type_commit(&gappy_type));
}

int main(void)
{
    MPI_Op op;

    mc_start();
    make_types();
    OK(MPI_Op_create(multiply, 0, &op));
    for (int n = mc_size; n >= 1; n -= n > 5 ? 3 : 1) {
        comm = case_comm(n);
        if (comm == MPI_COMM_NULL)
            continue;
        OK(MPI_Comm_rank(comm, &rank));
        OK(MPI_Comm_size(comm, &size));
        for (int form = 0; form < FORMS; form++) {
            all_reductions(form, 0, op);
            all_reductions(form, 1, op);
            all_reductions(form, 40, op);
            all_reductions(form, 3000, op);
        }
        all_reductions(BLOCKING, 20000, op);
        with_gaps(1);
        with_gaps(5000);
        locations();
        for (long k = 1; k < 100000; k *= 20)
            same_everywhere(k);
        OK(MPI_Comm_free(&comm));
    }
    CHECK(calls > 0 || mc_size == 1, "the functions were not called");
    OK(MPI_Op_free(&op));
    OK(MPI_Type_free(&matrix_type));
    OK(MPI_Type_free(&gappy_type));
    return mc_finish();
}
