/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cartesian topologies (MPI-5.0, 8.5): creation and parts of them. Where
 * processes go when ranks may be reordered: topo_place.c.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "mpi/topo/topo.h"

/* The neighbours in the order of 8.6: for each dimension the one below, then the one above. */
static void find_neighbours(struct mpii_topo *t, int rank)
{
    int below = 1;

    for (int d = t->cart.ndims - 1; d >= 0; below *= t->cart.dims[d--]) {
        const int x = t->cart.coords[d], side = t->cart.dims[d];
        const bool wraps = t->cart.periods[d];

        t->sources[2 * d] = x > 0 ? rank - below : wraps ? rank + (side - 1) * below : MPI_PROC_NULL;
        t->sources[2 * d + 1] = x < side - 1 ? rank + below : wraps ? rank - (side - 1) * below : MPI_PROC_NULL;
    }
}

struct mpii_topo *mpii_cart_new(const struct mpii_grid *grid, int rank)
{
    const int ndims = grid->ndims;
    struct mpii_topo *t = mpii_topo_new(MPI_CART, 5 * (size_t)ndims);
    int left = rank;

    if (!t)
        return NULL;
    t->cart.ndims = ndims;
    t->cart.dims = t->memory;
    t->cart.periods = t->cart.dims + ndims;
    t->cart.coords = t->cart.periods + ndims;
    t->sources = t->destinations = t->cart.coords + ndims;
    t->in = t->out = 2 * ndims;
    for (int d = ndims - 1; d >= 0; d--) {
        t->cart.dims[d] = grid->dims[d];
        t->cart.periods[d] = grid->periods[d] != 0;
        t->cart.coords[d] = left % grid->dims[d];
        left /= grid->dims[d];
    }
    find_neighbours(t, rank);
    return t;
}

/* Checks the grid and stores its number of ranks. */
static int check_grid(struct mpii_comm *c, const struct mpii_grid *grid, int *n, const char *call)
{
    int64_t product = 1;

    MPII_TRY(mpii_topo_check_intra(c, call));
    if (grid->ndims < 0)
        return mpii_error(c, MPI_ERR_DIMS, call, "ndims is %d, less than 0", grid->ndims);
    if (grid->ndims > 0) {
        MPII_TRY(mpii_check_pointer(c, grid->dims, "dims", call));
        MPII_TRY(mpii_check_pointer(c, grid->periods, "periods", call));
    }
    for (int d = 0; d < grid->ndims; d++) {
        if (grid->dims[d] < 0) /* none along a side: a grid of no processes */
            return mpii_error(c, MPI_ERR_DIMS, call, "dims[%d] is %d, less than 0", d, grid->dims[d]);
        product *= grid->dims[d];
        if (product > c->size)
            return mpii_error(c, MPI_ERR_DIMS, call, "the grid is larger than comm, which has %d processes", c->size);
    }
    *n = (int)product;
    return MPI_SUCCESS;
}

/* Old ranks in the order of the grid, malloc'ed: *at. */
static int reordered(struct mpii_comm *c, const struct mpii_grid *grid, int n, int **at)
{
    struct mpii_place *places;
    int err;

    MPII_TRY(mpii_places(c, &places));
    *at = malloc((size_t)n * sizeof **at + 1);
    err = *at ? mpii_place_grid(grid, n, places, *at) : MPI_ERR_NO_MEM;
    free(places);
    return err;
}

static int64_t hash_of(const struct mpii_grid *g)
{
    uint64_t h = CORE_HASH_BEGIN;

    for (int i = 0; i < g->ndims; i++)
        h = core_hash_word(h, (uint64_t)g->dims[i] << 1 ^ (g->periods[i] != 0));
    return (int64_t)h;
}

int mpii_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                     MPI_Comm *comm_cart)
{
    const struct mpii_grid grid = {ndims, dims, periods};
    struct mpii_comm *c, *made = NULL;
    int n, err = MPI_SUCCESS, *at = NULL;

    MPII_TRY(mpii_comm_begin(comm_old, comm_cart, &c, __func__));
    MPII_TRY(check_grid(c, &grid, &n, __func__));
    MPII_TRY(mpii_check_together(c, __func__, 3,
                                 (struct mpii_same[]){{"ndims", ndims, false},
                                                      {"#dims or periods", hash_of(&grid), false},
                                                      {"reorder", reorder != 0, false}}));
    if (reorder)
        err = reordered(c, &grid, n, &at);
    if (err == MPI_SUCCESS)
        made = mpii_topo_comm(c, n, at, &err);
    free(at);
    if (err != MPI_SUCCESS)
        return mpii_error(c, err, __func__, "the processes could not agree on a communicator");
    if (!made)
        return MPI_SUCCESS;
    return mpii_topo_give(c, made, mpii_cart_new(&grid, made->rank), comm_cart, __func__);
}

/* A local call: it knows what this process can find out by itself (comm/where.c). */
int mpii_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
    const struct mpii_grid grid = {ndims, dims, periods};
    struct mpii_comm *c;
    struct mpii_place *places;
    int n, err, *at;

    MPII_TRY(mpii_check_comm(comm, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, newrank, "newrank", __func__));
    MPII_TRY(check_grid(c, &grid, &n, __func__));
    places = mpii_places_local(c);
    at = malloc((size_t)n * sizeof *at + 1);
    err = places && at ? mpii_place_grid(&grid, n, places, at) : MPI_ERR_NO_MEM;
    *newrank = MPI_UNDEFINED;
    for (int i = 0; err == MPI_SUCCESS && i < n; i++)
        if (at[i] == c->rank)
            *newrank = i;
    free(places);
    free(at);
    return err == MPI_SUCCESS ? err : mpii_error(c, err, __func__, "no memory for a grid of %d processes", n);
}

/* The ranks that agree with this process in all dimensions that don't remain, row-major; NULL: out of memory. */
static struct mpii_group *slice(const struct mpii_comm *c, const int remain[], int n)
{
    const struct mpii_topo *t = c->topo;
    int *procs = malloc((size_t)n * sizeof *procs), count = 0;
    struct mpii_group *g;

    for (int rank = 0; procs && rank < c->size; rank++) {
        bool in = true;

        for (int d = t->cart.ndims - 1, left = rank; d >= 0; left /= t->cart.dims[d--])
            in &= remain[d] || left % t->cart.dims[d] == t->cart.coords[d];
        if (in)
            procs[count++] = c->procs[rank];
    }
    g = procs ? mpii_group_new(count, procs) : NULL;
    free(procs);
    return g;
}

static int64_t hash_of_remain(const struct mpii_comm *c, const int remain[])
{
    uint64_t h = CORE_HASH_BEGIN;

    for (int d = 0; d < c->topo->cart.ndims; d++)
        h = core_hash_word(h, remain[d] != 0);
    return (int64_t)h;
}

/* The grids of one call are disjoint: one context serves all, nobody needs to tell who is in which. */
int mpii_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm)
{
    struct mpii_comm *c, *made;
    struct mpii_grid grid = {0, NULL, NULL};
    uint64_t context;
    int n = 1, err, *sides;

    MPII_TRY(mpii_comm_begin(comm, newcomm, &c, __func__));
    MPII_TRY(mpii_topo_check(comm, MPI_CART, &c, __func__));
    if (c->topo->cart.ndims > 0)
        MPII_TRY(mpii_check_pointer(c, remain_dims, "remain_dims", __func__));
    MPII_TRY(mpii_check_together(c, __func__, 1,
                                 &(struct mpii_same){"#remain_dims", hash_of_remain(c, remain_dims), false}));
    err = mpii_context_agree(c, &context);
    if (err != MPI_SUCCESS)
        return mpii_error(c, err, __func__, "the processes could not agree on a communicator");
    sides = malloc(2 * (size_t)c->topo->cart.ndims * sizeof *sides + 1);
    if (!sides)
        return mpii_topo_give(c, NULL, NULL, newcomm, __func__);
    grid.dims = sides;
    grid.periods = sides + c->topo->cart.ndims;
    for (int d = 0; d < c->topo->cart.ndims; d++)
        if (remain_dims[d]) {
            sides[c->topo->cart.ndims + grid.ndims] = c->topo->cart.periods[d];
            sides[grid.ndims++] = c->topo->cart.dims[d];
            n *= c->topo->cart.dims[d];
        }
    made = mpii_comm_make(slice(c, remain_dims, n), context);
    err = mpii_topo_give(c, made, made ? mpii_cart_new(&grid, made->rank) : NULL, newcomm, __func__);
    free(sides);
    return err;
}
