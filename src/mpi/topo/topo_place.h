/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the processes of a communicator run, as far as hardware is shared, and
 * which process should become which rank of a graph of neighbours.
 */
#ifndef MPI_TOPO_PLACE_H
#define MPI_TOPO_PLACE_H

#include "mpi/mpii.h"

/* Each level lies within the one before. */
enum { PLACE_NODE, PLACE_NUMA, PLACE_CACHE, PLACE_CORE, PLACE_LEVELS };

/* share[l]: the lowest rank (of a group) that runs on the same node, NUMA node, cache, core.
 * Levels from `known` on are not known (the same as the one before). */
struct mpii_place {
    int share[PLACE_LEVELS];
    int known;
};

/* This process's. */
struct mpii_place mpii_place_own(const struct mpii_group *g);
/* Everybody's, malloc'ed, in rank order. Collective. An error class. */
int mpii_places(struct mpii_comm *c, struct mpii_place **places);
/* What this process knows of everybody's without asking: all levels when they share one
 * node, else nodes only; so all who ask find the same. malloc'ed; NULL: out of memory. */
struct mpii_place *mpii_places_local(const struct mpii_comm *c);

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
