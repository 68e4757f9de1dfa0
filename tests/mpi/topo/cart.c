/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian topologies (8.5): random grids, coordinates, shifts and neighbours against arithmetic on tuples, parts of
 * grids, duplicates, reordered ranks, errors. */
#include "mcheck.h"

enum { DIMS = 4 };

struct grid {
    int ndims, dims[DIMS], periods[DIMS], n;
};

static int rank_at(const struct grid *g, const int *coords)
{
    int rank = 0;

    for (int d = 0; d < g->ndims; d++)
        rank = rank * g->dims[d] + coords[d];
    return rank;
}

static void coords_at(const struct grid *g, int rank, int *coords)
{
    for (int d = g->ndims - 1; d >= 0; rank /= g->dims[d--])
        coords[d] = rank % g->dims[d];
}

/* The rank `by` steps from rank in dimension d, or MPI_PROC_NULL. */
static int step(const struct grid *g, int rank, int d, int by)
{
    int c[DIMS];

    coords_at(g, rank, c);
    while (by != 0) { /* one step after the other: slow, but plain */
        c[d] += by > 0 ? 1 : -1;
        by += by > 0 ? -1 : 1;
        if (g->periods[d])
            c[d] = c[d] < 0 ? g->dims[d] - 1 : c[d] == g->dims[d] ? 0 : c[d];
    }
    return c[d] < 0 || c[d] >= g->dims[d] ? MPI_PROC_NULL : rank_at(g, c);
}

static struct grid random_grid(uint64_t *state, int size)
{
    struct grid g = {.ndims = (int)check_random_below(state, DIMS + 1), .n = 1};

    for (int d = 0; d < g.ndims; d++) {
        g.dims[d] = 1 + (int)check_random_below(state, (uint64_t)(size / g.n < 4 ? size / g.n : 4));
        g.n *= g.dims[d];
        g.periods[d] = check_random_below(state, 2) ? 1 + d : 0; /* any number but 0 is true */
    }
    return g;
}

static void check_shape(MPI_Comm c, const struct grid *g)
{
    int kind = -1, n = -1, size = -1, me = -1, dims[DIMS], periods[DIMS], coords[DIMS], mine[DIMS];

    OK(MPI_Topo_test(c, &kind));
    OK(MPI_Cartdim_get(c, &n));
    OK(MPI_Comm_size(c, &size));
    OK(MPI_Comm_rank(c, &me));
    CHECK(kind == MPI_CART && n == g->ndims && size == g->n, "topology %d, %d dimensions, %d processes", kind, n, size);
    OK(MPI_Cart_get(c, g->ndims, dims, periods, coords));
    coords_at(g, me, mine);
    for (int d = 0; d < g->ndims; d++)
        CHECK(dims[d] == g->dims[d] && !periods[d] == !g->periods[d] && coords[d] == mine[d],
              "dimension %d: side %d, periodic %d, coordinate %d", d, dims[d], periods[d], coords[d]);
}

static void check_arithmetic(MPI_Comm c, const struct grid *g, uint64_t *state)
{
    int me = -1, coords[DIMS], away[DIMS], rank = -1, from = -1, to = -1;

    OK(MPI_Comm_rank(c, &me));
    for (int r = 0; r < g->n; r++) {
        int expected[DIMS];

        OK(MPI_Cart_coords(c, r, g->ndims, coords));
        coords_at(g, r, expected);
        for (int d = 0; d < g->ndims; d++) {
            CHECK(coords[d] == expected[d], "coordinate %d of rank %d is %d, expected %d", d, r, coords[d],
                  expected[d]);
            away[d] = coords[d] + (g->periods[d] ? g->dims[d] * ((int)check_random_below(state, 9) - 4) : 0);
        }
        OK(MPI_Cart_rank(c, away, &rank));
        CHECK(rank == r, "coordinates of rank %d are rank %d", r, rank);
    }
    for (int d = 0; d < g->ndims; d++)
        for (int by = -7; by <= 7; by++) {
            OK(MPI_Cart_shift(c, d, by, &from, &to));
            CHECK(from == step(g, me, d, -by) && to == step(g, me, d, by),
                  "rank %d by %d in dimension %d: from %d to %d", me, by, d, from, to);
        }
}

/* What travels along a shift arrives. */
static void check_shift(MPI_Comm c, const struct grid *g)
{
    int me = -1, from, to;

    OK(MPI_Comm_rank(c, &me));
    for (int d = 0; d < g->ndims; d++) {
        int got = -1;

        OK(MPI_Cart_shift(c, d, 1, &from, &to));
        OK(MPI_Sendrecv(&me, 1, MPI_INT, to, d, &got, 1, MPI_INT, from, d, c, MPI_STATUS_IGNORE));
        CHECK(got == (from == MPI_PROC_NULL ? -1 : from), "got %d along dimension %d from %d", got, d, from);
    }
}

static void check_sub(MPI_Comm c, const struct grid *g, uint64_t *state)
{
    int remain[DIMS] = {0}, me = -1, sub_me = -1, mine[DIMS], all[64], got[64];
    struct grid sub = {.n = 1};
    MPI_Comm part;
    MPI_Group gc, gp;

    OK(MPI_Comm_rank(c, &me));
    coords_at(g, me, mine);
    for (int d = 0; d < g->ndims; d++) {
        remain[d] = check_random_below(state, 2) ? 3 : 0;
        if (!remain[d])
            continue;
        sub.dims[sub.ndims] = g->dims[d];
        sub.periods[sub.ndims++] = g->periods[d];
        sub.n *= g->dims[d];
    }
    OK(MPI_Cart_sub(c, remain, &part));
    check_shape(part, &sub);
    OK(MPI_Comm_rank(part, &sub_me));
    OK(MPI_Comm_group(c, &gc));
    OK(MPI_Comm_group(part, &gp));
    for (int i = 0; i < sub.n; i++)
        all[i] = i;
    OK(MPI_Group_translate_ranks(gp, sub.n, all, gc, got));
    for (int i = 0; i < sub.n; i++) {
        int there[DIMS], inner[DIMS];

        coords_at(&sub, i, inner);
        for (int d = 0, k = 0; d < g->ndims; d++)
            there[d] = remain[d] ? inner[k++] : mine[d];
        CHECK(got[i] == rank_at(g, there), "rank %d of the part is %d of the grid, expected %d", i, got[i],
              rank_at(g, there));
    }
    OK(MPI_Barrier(part));
    OK(MPI_Group_free(&gc));
    OK(MPI_Group_free(&gp));
    OK(MPI_Comm_free(&part));
}

static void check_randomly(uint64_t seed, int reorder)
{
    uint64_t state = seed;
    struct grid g = random_grid(&state, mc_size);
    MPI_Comm c = MPI_COMM_WORLD, copy;
    int me = -1;

    OK(MPI_Cart_create(MPI_COMM_WORLD, g.ndims, g.dims, g.periods, reorder, &c));
    if (c == MPI_COMM_NULL) {
        CHECK(reorder || mc_rank >= g.n, "rank %d is not in a grid of %d", mc_rank, g.n);
        return;
    }
    OK(MPI_Comm_rank(c, &me));
    if (!reorder)
        CHECK(me == mc_rank, "rank %d became %d", mc_rank, me);
    check_shape(c, &g);
    check_arithmetic(c, &g, &state);
    check_shift(c, &g);
    check_sub(c, &g, &state);
    OK(MPI_Comm_dup(c, &copy));
    OK(MPI_Comm_free(&c));
    check_shape(copy, &g); /* a duplicate has the topology, and keeps it */
    check_shift(copy, &g);
    OK(MPI_Comm_free(&copy));
}

/* Every process has a different place. */
static void check_map(void)
{
    int dims[2] = {0, 0}, periods[2] = {1, 0}, rank = -1, seen[64] = {0}, line = mc_size - 1;

    OK(MPI_Dims_create(mc_size, 2, dims));
    OK(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &rank));
    CHECK(rank >= 0 && rank < mc_size, "mapped to %d", rank);
    if (rank >= 0 && rank < mc_size)
        seen[rank] = 1;
    OK(MPI_Allreduce(MPI_IN_PLACE, seen, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < mc_size; i++)
        CHECK(seen[i] == 1, "%d processes were mapped to %d", seen[i], i);
    if (mc_size == 1)
        return;
    OK(MPI_Cart_map(MPI_COMM_WORLD, 1, &line, periods, &rank)); /* one too few: somebody stays out */
    seen[0] = rank == MPI_UNDEFINED;
    OK(MPI_Allreduce(MPI_IN_PLACE, seen, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(seen[0] == 1, "%d processes stay out", seen[0]);
}

static void check_errors(void)
{
    int dims[2] = {mc_size, 1}, periods[2] = {0, 1}, zero[2] = {0, 1}, below[2] = {-1, 1}, large[2] = {mc_size, 2},
        huge[2] = {1 << 30, 1 << 30};
    int n = -1, m = -1, coords[2] = {0, 0}, outside[2] = {mc_size, 0};
    MPI_Comm c, out = MPI_COMM_WORLD, plain;

    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int reorder = 0; reorder < 2; reorder++) {
        OK(MPI_Cart_create(MPI_COMM_WORLD, 2, zero, periods, reorder, &c));
        CHECK(c == MPI_COMM_NULL, "a grid without processes has a communicator");
    }
    FAILS(MPI_Cart_create(MPI_COMM_WORLD, 2, below, periods, 0, &out), MPI_ERR_DIMS);
    FAILS(MPI_Cart_create(MPI_COMM_WORLD, 2, large, periods, 1, &out), MPI_ERR_DIMS);
    FAILS(MPI_Cart_create(MPI_COMM_WORLD, 2, huge, periods, 0, &out), MPI_ERR_DIMS);
    FAILS(MPI_Cart_create(MPI_COMM_WORLD, -1, dims, periods, 0, &out), MPI_ERR_DIMS);
    FAILS(MPI_Cart_create(MPI_COMM_WORLD, 2, NULL, periods, 0, &out), MPI_ERR_ARG);
    FAILS(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, NULL, 0, &out), MPI_ERR_ARG);
    FAILS(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, NULL), MPI_ERR_ARG);
    FAILS(MPI_Cart_create(MPI_COMM_NULL, 2, dims, periods, 0, &out), MPI_ERR_COMM);
    CHECK(out == MPI_COMM_NULL, "a failed call stored %p", (void *)out);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &plain));
    FAILS(MPI_Cartdim_get(plain, &n), MPI_ERR_TOPOLOGY);
    FAILS(MPI_Cart_shift(plain, 0, 1, &n, &m), MPI_ERR_TOPOLOGY);
    FAILS(MPI_Cart_sub(plain, dims, &out), MPI_ERR_TOPOLOGY);
    OK(MPI_Topo_test(plain, &n));
    CHECK(n == MPI_UNDEFINED, "a plain communicator has the topology %d", n);
    OK(MPI_Comm_free(&plain));
    OK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &c));
    FAILS(MPI_Cart_rank(c, outside, &n), MPI_ERR_ARG);
    FAILS(MPI_Cart_rank(c, NULL, &n), MPI_ERR_ARG);
    FAILS(MPI_Cart_coords(c, mc_size, 2, coords), MPI_ERR_RANK);
    FAILS(MPI_Cart_coords(c, -1, 2, coords), MPI_ERR_RANK);
    FAILS(MPI_Cart_coords(c, 0, 1, coords), MPI_ERR_ARG);
    FAILS(MPI_Cart_get(c, 1, dims, periods, coords), MPI_ERR_ARG);
    FAILS(MPI_Cart_shift(c, 2, 1, &n, &m), MPI_ERR_ARG);
    FAILS(MPI_Cart_shift(c, -1, 1, &n, &m), MPI_ERR_ARG);
    FAILS(MPI_Cart_shift(c, 0, 1, NULL, &m), MPI_ERR_ARG);
    FAILS(MPI_Graphdims_get(c, &n, &m), MPI_ERR_TOPOLOGY);
    OK(MPI_Cart_shift(c, 1, INT32_MIN, &n, &m));
    CHECK(n == mc_rank && m == mc_rank, "round a circle of one: from %d to %d", n, m);
    OK(MPI_Cart_shift(c, 0, INT32_MAX, &n, &m));
    CHECK(n == MPI_PROC_NULL && m == MPI_PROC_NULL, "far outside: from %d to %d", n, m);
    OK(MPI_Comm_free(&c));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

/* A topology of no dimensions has one process (8.5.1). */
static void check_point(void)
{
    int n = -1, rank = -1;
    MPI_Comm c, d;

    OK(MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &c));
    CHECK((c != MPI_COMM_NULL) == (mc_rank == 0), "rank %d got %p", mc_rank, (void *)c);
    if (c == MPI_COMM_NULL)
        return;
    OK(MPI_Cartdim_get(c, &n));
    OK(MPI_Cart_rank(c, NULL, &rank));
    CHECK(n == 0 && rank == 0, "%d dimensions, rank %d", n, rank);
    OK(MPI_Cart_coords(c, 0, 0, NULL));
    OK(MPI_Cart_get(c, 0, NULL, NULL, NULL));
    OK(MPI_Cart_sub(c, NULL, &d));
    OK(MPI_Cartdim_get(d, &n));
    CHECK(n == 0, "%d dimensions", n);
    OK(MPI_Comm_free(&d));
    OK(MPI_Comm_free(&c));
}

int main(void)
{
    mc_start();
    for (int round = 0; round < 120; round++)
        check_randomly(check_seed(8501) + (uint64_t)round, round % 2);
    check_map();
    check_point();
    check_errors();
    return mc_finish();
}
