/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which process should become which rank of a grid, or of a graph of neighbours.
 */
#ifndef MPI_TOPO_PLACE_H
#define MPI_TOPO_PLACE_H

#include "mpi/comm/where.h"

/* A grid: its dimensions, and which of them wrap round. */
struct mpii_grid {
    int ndims;
    const int *dims, *periods;
};

/* Which process shall be which rank of a grid, or of a graph in which the edges of
 * vertex i end at edges[index[i - 1]] .. edges[index[i] - 1]: at[i] is the old rank of
 * the new rank i, for the first n processes. Computed alike by all. An error class. */
int mpii_place_grid(const struct mpii_grid *grid, int n, const struct mpii_place *places, int *at);
int mpii_place_graph(int n, const int *index, const int *edges, const struct mpii_place *places, int *at);

#endif
