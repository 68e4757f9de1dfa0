/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graph topologies (MPI-5.0, 8.5.3, 8.5.5): every process knows the whole graph.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "mpi/topo/topo.h"

static int check_graph(struct mpii_comm *c, int nnodes, const int index[], const int edges[], const char *call)
{
    int before = 0;

    MPII_TRY(mpii_topo_check_intra(c, call));
    if (nnodes < 0 || nnodes > c->size)
        return mpii_error(c, MPI_ERR_ARG, call, "nnodes is %d; expected 0 to %d, the processes of comm", nnodes,
                          c->size);
    if (nnodes > 0)
        MPII_TRY(mpii_check_pointer(c, index, "index", call));
    for (int i = 0; i < nnodes; before = index[i++])
        if (index[i] < before)
            return mpii_error(c, MPI_ERR_ARG, call, "index[%d] is %d, less than what comes before it", i, index[i]);
    if (before > 0)
        MPII_TRY(mpii_check_pointer(c, edges, "edges", call));
    for (int i = 0; i < before; i++)
        if (edges[i] < 0 || edges[i] >= nnodes)
            return mpii_error(c, MPI_ERR_ARG, call, "edges[%d] is %d, not a node of this graph of %d nodes", i,
                              edges[i], nnodes);
    return MPI_SUCCESS;
}

static struct mpii_topo *graph_new(int nnodes, const int index[], const int edges[], int rank)
{
    const int nedges = index[nnodes - 1];
    struct mpii_topo *t = mpii_topo_new(MPI_GRAPH, (size_t)nnodes + (size_t)nedges);

    if (!t)
        return NULL;
    t->graph.nnodes = nnodes;
    t->graph.nedges = nedges;
    t->graph.index = t->memory;
    t->graph.edges = t->memory + nnodes;
    memcpy(t->graph.index, index, (size_t)nnodes * sizeof *index);
    if (nedges > 0)
        memcpy(t->graph.edges, edges, (size_t)nedges * sizeof *edges);
    t->sources = t->destinations = t->graph.edges + (rank ? index[rank - 1] : 0);
    t->in = t->out = index[rank] - (rank ? index[rank - 1] : 0);
    return t;
}

static int64_t hash_of(int nnodes, const int index[], const int edges[])
{
    uint64_t h = CORE_HASH_BEGIN;

    for (int i = 0; i < nnodes; i++)
        h = core_hash_word(h, (uint64_t)index[i]);
    for (int i = 0; nnodes > 0 && i < index[nnodes - 1]; i++)
        h = core_hash_word(h, (uint64_t)edges[i]);
    return (int64_t)h;
}

int mpii_Graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[], int reorder,
                      MPI_Comm *comm_graph)
{
    struct mpii_comm *c, *made = NULL;
    struct mpii_place *places = NULL;
    int err = MPI_SUCCESS, *at = NULL;

    MPII_TRY(mpii_comm_begin(comm_old, comm_graph, &c, __func__));
    MPII_TRY(check_graph(c, nnodes, index, edges, __func__));
    MPII_TRY(mpii_check_together(c, __func__, 3,
                                 (struct mpii_same[]){{"nnodes", nnodes, false},
                                                      {"#index or edges", hash_of(nnodes, index, edges), false},
                                                      {"reorder", reorder != 0, false}}));
    if (reorder && nnodes > 0) {
        err = mpii_places(c, &places);
        at = malloc((size_t)nnodes * sizeof *at);
        if (err == MPI_SUCCESS)
            err = at ? mpii_place_graph(nnodes, index, edges, places, at) : MPI_ERR_NO_MEM;
    }
    if (err == MPI_SUCCESS && nnodes > 0)
        made = mpii_topo_comm(c, nnodes, at, &err);
    free(places);
    free(at);
    if (err != MPI_SUCCESS)
        return mpii_error(c, err, __func__, "the processes could not agree on a communicator");
    if (!made)
        return MPI_SUCCESS;
    return mpii_topo_give(c, made, graph_new(nnodes, index, edges, made->rank), comm_graph, __func__);
}

/* Local, as MPI_Cart_map. */
int mpii_Graph_map(MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank)
{
    struct mpii_comm *c;
    struct mpii_place *places;
    int err, *at;

    MPII_TRY(mpii_check_comm(comm, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, newrank, "newrank", __func__));
    MPII_TRY(check_graph(c, nnodes, index, edges, __func__));
    places = mpii_places_local(c);
    at = malloc((size_t)nnodes * sizeof *at + 1);
    err = places && at ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (err == MPI_SUCCESS && nnodes > 0)
        err = mpii_place_graph(nnodes, index, edges, places, at);
    *newrank = MPI_UNDEFINED;
    for (int i = 0; err == MPI_SUCCESS && i < nnodes; i++)
        if (at[i] == c->rank)
            *newrank = i;
    free(places);
    free(at);
    return err == MPI_SUCCESS ? err : mpii_error(c, err, __func__, "no memory for a graph of %d nodes", nnodes);
}

int mpii_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_topo_check(comm, MPI_GRAPH, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, nnodes, "nnodes", __func__));
    MPII_TRY(mpii_check_pointer(c, nedges, "nedges", __func__));
    *nnodes = c->topo->graph.nnodes;
    *nedges = c->topo->graph.nedges;
    return MPI_SUCCESS;
}

int mpii_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int index[], int edges[])
{
    struct mpii_comm *c;
    const struct mpii_topo *t;

    MPII_TRY(mpii_topo_check(comm, MPI_GRAPH, &c, __func__));
    t = c->topo;
    if (maxindex < t->graph.nnodes || maxedges < t->graph.nedges)
        return mpii_error(c, MPI_ERR_ARG, __func__,
                          "maxindex and maxedges are %d and %d, but the graph has %d nodes and %d edges", maxindex,
                          maxedges, t->graph.nnodes, t->graph.nedges);
    MPII_TRY(mpii_check_pointer(c, index, "index", __func__));
    memcpy(index, t->graph.index, (size_t)t->graph.nnodes * sizeof *index);
    if (t->graph.nedges == 0)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_pointer(c, edges, "edges", __func__));
    memcpy(edges, t->graph.edges, (size_t)t->graph.nedges * sizeof *edges);
    return MPI_SUCCESS;
}

/* The edges of a node: where they begin, and how many. */
static int edges_of(MPI_Comm comm, int rank, struct mpii_comm **c, const int **edges, int *n, const char *call)
{
    const struct mpii_topo *t;
    int begin;

    MPII_TRY(mpii_topo_check(comm, MPI_GRAPH, c, call));
    if (rank < 0 || rank >= (*c)->size)
        return mpii_error(*c, MPI_ERR_RANK, call, "rank is %d, not a rank of this communicator of %d processes", rank,
                          (*c)->size);
    t = (*c)->topo;
    begin = rank ? t->graph.index[rank - 1] : 0;
    *edges = t->graph.edges + begin;
    *n = t->graph.index[rank] - begin;
    return MPI_SUCCESS;
}

int mpii_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors)
{
    struct mpii_comm *c;
    const int *edges;
    int n;

    MPII_TRY(edges_of(comm, rank, &c, &edges, &n, __func__));
    MPII_TRY(mpii_check_pointer(c, nneighbors, "nneighbors", __func__));
    *nneighbors = n;
    return MPI_SUCCESS;
}

int mpii_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[])
{
    struct mpii_comm *c;
    const int *edges;
    int n;

    MPII_TRY(edges_of(comm, rank, &c, &edges, &n, __func__));
    if (maxneighbors < n)
        return mpii_error(c, MPI_ERR_ARG, __func__, "maxneighbors is %d, but rank %d has %d neighbors", maxneighbors,
                          rank, n);
    if (n == 0)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_pointer(c, neighbors, "neighbors", __func__));
    memcpy(neighbors, edges, (size_t)n * sizeof *neighbors);
    return MPI_SUCCESS;
}
