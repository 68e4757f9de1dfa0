/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Process topologies: the objects behind struct mpii_comm's topo. They never
 * change once made and are shared, by counting, among duplicates.
 */
#ifndef MPI_TOPO_H
#define MPI_TOPO_H

#include "mpi/comm/comm.h"
#include "mpi/topo/topo_place.h"

struct mpii_topo {
    int refs;
    int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
    int in, out;                 /* this process's neighbours */
    int *sources, *destinations; /* MPI_CART, MPI_GRAPH: the same array */
    union {
        struct {
            int ndims;
            int *dims, *periods, *coords; /* coords: this process's */
        } cart;
        struct {
            int nnodes, nedges;
            int *index, *edges;
        } graph;
        struct {
            bool weighted;
            int *in_weights, *out_weights;
        } dist;
    };
    int memory[]; /* all arrays */
};

/* A topology with room for `n` ints in memory; NULL: out of memory. */
struct mpii_topo *mpii_topo_new(int kind, size_t n);

/* The communicator if its topology is of this kind; else MPI_ERR_TOPOLOGY raised. */
int mpii_topo_check(MPI_Comm comm, int kind, struct mpii_comm **c, const char *call);
/* Raises MPI_ERR_COMM if c is an intercommunicator. */
int mpii_topo_check_intra(struct mpii_comm *c, const char *call);

/* The intracommunicator that a topology of n <= c->size ranks is put on: the first n
 * processes of c, reordered by at (NULL: as they are); NULL for the others. Collective
 * on c. *err: an error class. */
struct mpii_comm *mpii_topo_comm(struct mpii_comm *c, int n, const int *at, int *err);
/* Gives the user the communicator `made` with topology t, both consumed; NULL: out of memory. */
int mpii_topo_give(struct mpii_comm *c, struct mpii_comm *made, struct mpii_topo *t, MPI_Comm *newcomm,
                   const char *call);

/* cart.c: the grid of a Cartesian topology for the process of this rank. NULL: out of memory. */
struct mpii_topo *mpii_cart_new(const struct mpii_grid *grid, int rank);

#endif
