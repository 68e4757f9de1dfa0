/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What both ways to make a distributed graph share: each process gives edges of
 * its own (graph_dist.c), or any edges (graph_edges.c).
 */
#ifndef MPI_GRAPH_DIST_H
#define MPI_GRAPH_DIST_H

#include "mpi/topo/topo.h"

/* Ranks and weights of n edges; raises MPI_ERR_ARG. */
int mpii_dist_check_edges(struct mpii_comm *c, const char *what, int n, const int *ranks, const int *weights,
                          const char *call);
/* All processes learn whether arguments are right everywhere, weighted everywhere or
 * nowhere; if not all raise an error (this one has raised err). Collective. */
int mpii_dist_agree(struct mpii_comm *c, int err, bool weighted, const char *call);
struct mpii_topo *mpii_dist_new(int in, int out, bool weighted); /* NULL: out of memory */
/* Makes the communicator; t (NULL: raises MPI_ERR_NO_MEM) is consumed. Collective. */
int mpii_dist_give(struct mpii_comm *c, struct mpii_topo *t, MPI_Info info, MPI_Comm *newcomm, const char *call);

#endif
