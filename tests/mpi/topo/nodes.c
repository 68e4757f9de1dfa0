/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Cart_create with reorder uses the machine: processes of several nodes, dealt out so that neighbours on the grid
 * are strangers, end up with as few neighbours on other nodes as boxes of a node's size have. Run over the network with
 * pretended nodes; on one node it still checks that nothing gets worse. */
#include "mcheck.h"

/* An identifier of this process's node: the lowest rank of the world on it. */
static int node_of(void)
{
    MPI_Comm c;
    int low = mc_rank;

    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c));
    OK(MPI_Allreduce(MPI_IN_PLACE, &low, 1, MPI_INT, MPI_MIN, c));
    OK(MPI_Comm_free(&c));
    return low;
}

/* Neighbours on other nodes, of all processes. */
static int strangers(MPI_Comm grid, int ndims, int node)
{
    int n = 0;

    for (int d = 0; d < ndims; d++)
        for (int by = -1; by <= 1; by += 2) {
            int from, to, theirs = node;

            OK(MPI_Cart_shift(grid, d, by, &from, &to));
            OK(MPI_Sendrecv(&node, 1, MPI_INT, to, 0, &theirs, 1, MPI_INT, from, 0, grid, MPI_STATUS_IGNORE));
            n += theirs != node;
        }
    OK(MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_SUM, grid));
    return n;
}

int main(void)
{
    int node, nodes = 0, dims[2] = {0, 0}, periods[2] = {0, 0}, count[2], per_node;
    MPI_Comm dealt, grid;

    mc_start();
    node = node_of();
    OK(MPI_Allreduce(&(int){node == mc_rank}, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    per_node = mc_size / nodes;
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, mc_rank % per_node, &dealt)); /* one of each node in turn */
    OK(MPI_Dims_create(mc_size, 2, dims));
    for (int reorder = 0; reorder < 2; reorder++) {
        OK(MPI_Cart_create(dealt, 2, dims, periods, reorder, &grid));
        count[reorder] = strangers(grid, 2, node);
        OK(MPI_Comm_free(&grid));
    }
    CHECK(count[1] <= count[0], "%d neighbours on other nodes, without reordering %d", count[1], count[0]);
    if (nodes == 2 && mc_size == 8) /* 4 x 2 in two squares: two edges, seen from both ends */
        CHECK(count[1] == 4, "%d neighbours on the other node, expected 4 (without reordering %d)", count[1], count[0]);
    if (nodes == 2 && mc_size == 4)
        CHECK(count[1] == 4, "%d neighbours on the other node, expected 4", count[1]);
    OK(MPI_Comm_free(&dealt));
    return mc_finish();
}
