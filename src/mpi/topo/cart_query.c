/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one can ask a Cartesian topology (MPI-5.0, 8.5.5 and 8.5.6): all local.
 */
#include <string.h>

#include "mpi/topo/topo.h"

int mpii_Cartdim_get(MPI_Comm comm, int *ndims)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_topo_check(comm, MPI_CART, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, ndims, "ndims", __func__));
    *ndims = c->topo->cart.ndims;
    return MPI_SUCCESS;
}

static int check_maxdims(struct mpii_comm *c, int maxdims, const char *call)
{
    if (maxdims >= c->topo->cart.ndims)
        return MPI_SUCCESS;
    return mpii_error(c, MPI_ERR_ARG, call, "maxdims is %d, less than the %d dimensions of the grid", maxdims,
                      c->topo->cart.ndims);
}

int mpii_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[])
{
    struct mpii_comm *c;
    size_t n;

    MPII_TRY(mpii_topo_check(comm, MPI_CART, &c, __func__));
    MPII_TRY(check_maxdims(c, maxdims, __func__));
    n = (size_t)c->topo->cart.ndims * sizeof *dims;
    if (n == 0)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_pointer(c, dims, "dims", __func__));
    MPII_TRY(mpii_check_pointer(c, periods, "periods", __func__));
    MPII_TRY(mpii_check_pointer(c, coords, "coords", __func__));
    memcpy(dims, c->topo->cart.dims, n);
    memcpy(periods, c->topo->cart.periods, n);
    memcpy(coords, c->topo->cart.coords, n);
    return MPI_SUCCESS;
}

int mpii_Cart_rank(MPI_Comm comm, const int coords[], int *rank)
{
    struct mpii_comm *c;
    int found = 0;

    MPII_TRY(mpii_topo_check(comm, MPI_CART, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, rank, "rank", __func__));
    if (c->topo->cart.ndims > 0)
        MPII_TRY(mpii_check_pointer(c, coords, "coords", __func__));
    for (int d = 0; d < c->topo->cart.ndims; d++) {
        const int side = c->topo->cart.dims[d];
        int x = coords[d];

        if (x < 0 || x >= side) {
            if (!c->topo->cart.periods[d])
                return mpii_error(c, MPI_ERR_ARG, __func__,
                                  "coords[%d] is %d; this dimension is not periodic and goes from 0 to %d", d, x,
                                  side - 1);
            x = (x % side + side) % side;
        }
        found = found * side + x;
    }
    *rank = found;
    return MPI_SUCCESS;
}

int mpii_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[])
{
    struct mpii_comm *c;

    MPII_TRY(mpii_topo_check(comm, MPI_CART, &c, __func__));
    if (rank < 0 || rank >= c->size)
        return mpii_error(c, MPI_ERR_RANK, __func__, "rank is %d, not a rank of this communicator of %d processes",
                          rank, c->size);
    MPII_TRY(check_maxdims(c, maxdims, __func__));
    if (c->topo->cart.ndims > 0)
        MPII_TRY(mpii_check_pointer(c, coords, "coords", __func__));
    for (int d = c->topo->cart.ndims - 1; d >= 0; rank /= c->topo->cart.dims[d--])
        coords[d] = rank % c->topo->cart.dims[d];
    return MPI_SUCCESS;
}

/* The rank `by` steps away in dimension d. */
static int shifted(const struct mpii_comm *c, int d, int64_t by)
{
    const struct mpii_topo *t = c->topo;
    const int64_t side = t->cart.dims[d];
    int64_t x = t->cart.coords[d] + by;
    int below = 1;

    if (t->cart.periods[d])
        x = (x % side + side) % side;
    if (x < 0 || x >= side)
        return MPI_PROC_NULL;
    for (int i = d + 1; i < t->cart.ndims; i++)
        below *= t->cart.dims[i];
    return c->rank + (int)(x - t->cart.coords[d]) * below;
}

int mpii_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_topo_check(comm, MPI_CART, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, rank_source, "rank_source", __func__));
    MPII_TRY(mpii_check_pointer(c, rank_dest, "rank_dest", __func__));
    if (direction < 0 || direction >= c->topo->cart.ndims)
        return mpii_error(c, MPI_ERR_ARG, __func__, "direction is %d, but the grid has %d dimensions", direction,
                          c->topo->cart.ndims);
    *rank_source = shifted(c, direction, -(int64_t)disp);
    *rank_dest = shifted(c, direction, disp);
    return MPI_SUCCESS;
}
