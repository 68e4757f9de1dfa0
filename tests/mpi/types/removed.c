/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of MPI-1's time: the procedures and marks that MPI-3.0 removed. Bounds are those of MPI-1.1, 3.12.3 and its
 * examples; data go from rank to rank through the types.
 */
#include <stddef.h>

#include "mcheck.h"

struct particle {
    char kind;
    double at[3];
    int id;
    char tag[3];
};

static void check_bounds(MPI_Datatype t, MPI_Aint lb, MPI_Aint extent, const char *what)
{
    MPI_Aint low = -1, high = -1, all = -1, new_low = -1, new_extent = -1;

    OK(MPI_Type_lb(t, &low));
    OK(MPI_Type_ub(t, &high));
    OK(MPI_Type_extent(t, &all));
    CHECK(low == lb && all == extent && high == lb + extent, "%s: bounds %ld, %ld, extent %ld", what, (long)low,
          (long)high, (long)all);
    OK(MPI_Type_get_extent(t, &new_low, &new_extent));
    CHECK(new_low == lb && new_extent == extent, "%s: MPI_Type_get_extent has %ld, %ld", what, (long)new_low,
          (long)new_extent);
}

/* The usual way: displacements by addresses, MPI_UB for arrays of the structure. */
static MPI_Datatype make_particle(void)
{
    static struct particle p;
    int blocks[] = {1, 3, 1, 3, 1};
    MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_CHAR, MPI_UB}, made = MPI_DATATYPE_NULL;
    MPI_Aint at[5], base = 0;

    OK(MPI_Address(&p, &base));
    OK(MPI_Address(&p.kind, &at[0]));
    OK(MPI_Address(&p.at, &at[1]));
    OK(MPI_Address(&p.id, &at[2]));
    OK(MPI_Address(&p.tag, &at[3]));
    OK(MPI_Address(&p + 1, &at[4]));
    for (int i = 0; i < 5; i++)
        at[i] -= base;
    CHECK(at[3] == offsetof(struct particle, tag) && at[4] == sizeof p, "addresses: %ld, %ld", (long)at[3],
          (long)at[4]);
    OK(MPI_Type_struct(5, blocks, at, types, &made));
    OK(MPI_Type_commit(&made));
    return made;
}

static void check_particles(void)
{
    MPI_Datatype type = make_particle();
    struct particle mine[3], got[3];
    int bytes = 0, right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;

    OK(MPI_Type_size(type, &bytes));
    CHECK(bytes == 1 + 3 * (int)sizeof(double) + (int)sizeof(int) + 3, "a particle has %d bytes", bytes);
    check_bounds(type, 0, sizeof(struct particle), "particle");
    memset(mine, 0, sizeof mine);
    memset(got, 0, sizeof got);
    for (int i = 0; i < 3; i++)
        mine[i] = (struct particle){'a' + i, {mc_rank, i, mc_rank * i}, 10 * mc_rank + i, {'x', i, mc_rank}};
    OK(MPI_Sendrecv(mine, 3, type, right, 1, got, 3, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < 3; i++)
        CHECK(got[i].kind == 'a' + i && got[i].at[0] == left && got[i].at[2] == left * i &&
                  got[i].id == 10 * left + i && got[i].tag[2] == left,
              "particle %d: %c %g %d", i, got[i].kind, got[i].at[0], got[i].id);
    OK(MPI_Type_free(&type));
}

static void check_marks(void)
{
    /* MPI-1.1, example 3.26: {(lb, -3), (int, 0), (ub, 6)} has extent 9, and twice of it {lb -3 ... ub 15}. */
    MPI_Datatype types[] = {MPI_LB, MPI_INT, MPI_UB}, once, twice, inner, outer;
    MPI_Aint at[] = {-3, 0, 6};
    int ones[] = {1, 1, 1}, ints[8], addrs = 0, count, combiner;
    MPI_Aint displacements[8];
    MPI_Datatype made_of[8];

    OK(MPI_Type_struct(3, ones, at, types, &once));
    check_bounds(once, -3, 9, "the standard's example");
    OK(MPI_Type_contiguous(2, once, &twice));
    check_bounds(twice, -3, 18, "twice of it");
    /* Marks of what it consists of count, too; a mark of its own beyond them wins. */
    OK(MPI_Type_struct(2, ones, (MPI_Aint[]){0, 100}, (MPI_Datatype[]){once, MPI_INT}, &inner));
    check_bounds(inner, -3, 9, "a type with marks inside");
    OK(MPI_Type_struct(2, ones, (MPI_Aint[]){0, 40}, (MPI_Datatype[]){once, MPI_UB}, &outer));
    check_bounds(outer, -3, 43, "a mark behind marks");
    /* The names that came later take them, too. */
    OK(MPI_Type_free(&outer));
    OK(MPI_Type_create_struct(2, ones, (MPI_Aint[]){0, 40}, (MPI_Datatype[]){MPI_INT, MPI_UB}, &outer));
    check_bounds(outer, 0, 40, "MPI_Type_create_struct with a mark");
    OK(MPI_Type_get_envelope(once, &count, &addrs, &count, &combiner));
    CHECK(combiner == MPI_COMBINER_STRUCT && addrs == 3, "combiner %d, %d addresses", combiner, addrs);
    OK(MPI_Type_get_contents(once, 4, 3, 3, ints, displacements, made_of));
    CHECK(made_of[0] == MPI_LB && made_of[1] == MPI_INT && made_of[2] == MPI_UB && displacements[0] == -3,
          "contents have the marks");
    OK(MPI_Type_size(MPI_UB, &count));
    CHECK(count == 0, "MPI_UB has %d bytes", count);
    OK(MPI_Type_free(&once));
    OK(MPI_Type_free(&twice));
    OK(MPI_Type_free(&inner));
    OK(MPI_Type_free(&outer));
}

/* A matrix is transposed by types of types, as in MPI-1.1's example 3.32. */
static void check_transposition(void)
{
    enum { N = 5 };
    int a[N][N], b[N][N];
    MPI_Datatype row, all, list;

    for (int i = 0; i < N * N; i++)
        (&a[0][0])[i] = i;
    memset(b, 0, sizeof b);
    OK(MPI_Type_vector(N, 1, N, MPI_INT, &row));
    OK(MPI_Type_hvector(N, 1, sizeof(int), row, &all));
    OK(MPI_Type_commit(&all));
    OK(MPI_Sendrecv(a, 1, all, mc_rank, 2, b, N * N, MPI_INT, mc_rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < N * N; i++)
        CHECK(b[i / N][i % N] == a[i % N][i / N], "element %d is %d", i, b[i / N][i % N]);
    OK(MPI_Type_hindexed(2, (int[]){2, 1}, (MPI_Aint[]){sizeof(int) * 3, 0}, MPI_INT, &list));
    OK(MPI_Type_commit(&list));
    memset(b, 0, sizeof b);
    OK(MPI_Sendrecv(a, 1, list, mc_rank, 3, b, 3, MPI_INT, mc_rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(b[0][0] == 3 && b[0][1] == 4 && b[0][2] == 0, "hindexed: %d %d %d", b[0][0], b[0][1], b[0][2]);
    OK(MPI_Type_free(&row));
    OK(MPI_Type_free(&all));
    OK(MPI_Type_free(&list));
}

static int seen, code_seen;
static void note(MPI_Comm *comm, int *code, ...)
{
    seen += *comm == MPI_COMM_WORLD;
    code_seen = *code;
}

static void check_handlers(void)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL, before = MPI_ERRHANDLER_NULL, got = MPI_ERRHANDLER_NULL;
    MPI_Handler_function *function = note;
    MPI_Datatype none = MPI_DATATYPE_NULL;
    MPI_Aint extent;

    OK(MPI_Errhandler_get(MPI_COMM_WORLD, &before));
    CHECK(before == MPI_ERRORS_ARE_FATAL, "the first error handler");
    OK(MPI_Errhandler_create(function, &handler));
    OK(MPI_Errhandler_set(MPI_COMM_WORLD, handler));
    OK(MPI_Errhandler_get(MPI_COMM_WORLD, &got));
    CHECK(got == handler, "the handler that was set");
    MPI_Send(NULL, 1, MPI_INT, mc_size + 5, 0, MPI_COMM_WORLD);
    MPI_Error_class(code_seen, &code_seen);
    CHECK(seen == 1 && code_seen == MPI_ERR_RANK, "called %d times, class %d", seen, code_seen);
    OK(MPI_Errhandler_free(&got));
    OK(MPI_Errhandler_free(&handler));
    OK(PMPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    FAILS(MPI_Type_extent(MPI_DATATYPE_NULL, &extent), MPI_ERR_TYPE);
    FAILS(MPI_Type_lb(MPI_INT, NULL), MPI_ERR_ARG);
    FAILS(MPI_Address(&extent, NULL), MPI_ERR_ARG);
    FAILS(MPI_Type_struct(-1, NULL, NULL, NULL, &none), MPI_ERR_COUNT);
    FAILS(MPI_Type_hvector(1, -1, 0, MPI_INT, &none), MPI_ERR_ARG);
    FAILS(PMPI_Type_hindexed(1, NULL, NULL, MPI_INT, &none), MPI_ERR_ARG);
    FAILS(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL), MPI_ERR_ERRHANDLER);
    OK(MPI_Errhandler_set(MPI_COMM_WORLD, before));
}

int main(void)
{
    mc_start();
    check_particles();
    check_marks();
    check_transposition();
    check_handlers();
    return mc_finish();
}
