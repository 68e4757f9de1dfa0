/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Distributed graphs (MPI-5.0, 8.5.4): each process knows its own neighbours. The
 * order of the processes stays, whatever reorder says: with the graph spread over
 * all of them a better one would cost more to find than most programs gain.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/topo/graph_dist.h"

int mpii_dist_check_edges(struct mpii_comm *c, const char *what, int n, const int *ranks, const int *weights,
                          const char *call)
{
    if (n < 0)
        return mpii_error(c, MPI_ERR_ARG, call, "the number of %s is %d, less than 0", what, n);
    if (n == 0)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_pointer(c, ranks, what, call));
    for (int i = 0; i < n; i++)
        if (ranks[i] < 0 || ranks[i] >= c->size)
            return mpii_error(c, MPI_ERR_ARG, call, "%s[%d] is %d, not a rank of this communicator of %d processes",
                              what, i, ranks[i], c->size);
    if (weights == MPI_UNWEIGHTED)
        return MPI_SUCCESS;
    if (!weights || weights == MPI_WEIGHTS_EMPTY)
        return mpii_error(c, MPI_ERR_ARG, call, "there are %d %s, but their weights are %s", n, what,
                          weights ? "MPI_WEIGHTS_EMPTY" : "NULL");
    for (int i = 0; i < n; i++)
        if (weights[i] < 0)
            return mpii_error(c, MPI_ERR_ARG, call, "weight %d of %s is %d, less than 0", i, what, weights[i]);
    return MPI_SUCCESS;
}

int mpii_dist_agree(struct mpii_comm *c, int err, bool weighted, const char *call)
{
    int64_t v[3] = {err, err == MPI_SUCCESS && weighted, err == MPI_SUCCESS && !weighted};
    int failed = mpii_coll_allreduce(c, v, 3, MPI_MAX);

    if (err != MPI_SUCCESS)
        return err; /* raised */
    if (failed != MPI_SUCCESS)
        return mpii_error(c, failed, call, "the processes could not agree on a communicator");
    if (v[0] != MPI_SUCCESS)
        return mpii_error(c, (int)v[0], call, "arguments are wrong on another process");
    if (v[1] && v[2])
        return mpii_error(c, MPI_ERR_ARG, call, "weights are %s here, and not so on another process",
                          weighted ? "given" : "MPI_UNWEIGHTED");
    return MPI_SUCCESS;
}

struct mpii_topo *mpii_dist_new(int in, int out, bool weighted)
{
    struct mpii_topo *t = mpii_topo_new(MPI_DIST_GRAPH, 2 * ((size_t)in + (size_t)out));

    if (!t)
        return NULL;
    t->in = in;
    t->out = out;
    t->dist.weighted = weighted;
    t->sources = t->memory;
    t->dist.in_weights = t->sources + in;
    t->destinations = t->dist.in_weights + in;
    t->dist.out_weights = t->destinations + out;
    return t;
}

int mpii_dist_give(struct mpii_comm *c, struct mpii_topo *t, MPI_Info info, MPI_Comm *newcomm, const char *call)
{
    struct mpii_comm *made;
    int err;

    made = mpii_topo_comm(c, c->size, NULL, &err);
    if (err != MPI_SUCCESS) {
        mpii_topo_release(t);
        return mpii_error(c, err, call, "the processes could not agree on a communicator");
    }
    MPII_TRY(mpii_topo_give(c, made, t, newcomm, call));
    return mpii_comm_hints(made, info, call);
}

static void copy_list(int *to, const int *from, int n)
{
    if (n > 0)
        memcpy(to, from, (size_t)n * sizeof *to);
}

static int check_adjacent(struct mpii_comm *c, int in, const int sources[], const int in_weights[], int out,
                          const int destinations[], const int out_weights[], const char *call)
{
    MPII_TRY(mpii_dist_check_edges(c, "sources", in, sources, in_weights, call));
    MPII_TRY(mpii_dist_check_edges(c, "destinations", out, destinations, out_weights, call));
    if ((in_weights == MPI_UNWEIGHTED) != (out_weights == MPI_UNWEIGHTED))
        return mpii_error(c, MPI_ERR_ARG, call,
                          "MPI_UNWEIGHTED is given for one of sourceweights and destweights only");
    return MPI_SUCCESS;
}

int mpii_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[],
                                    int outdegree, const int destinations[], const int destweights[], MPI_Info info,
                                    int reorder, MPI_Comm *comm_dist_graph)
{
    const bool weighted = sourceweights != MPI_UNWEIGHTED;
    struct mpii_comm *c;
    struct mpii_topo *t;
    int err;

    MPII_TRY(mpii_comm_begin(comm_old, comm_dist_graph, &c, __func__));
    MPII_TRY(mpii_topo_check_intra(c, __func__));
    MPII_TRY(mpii_check_together(c, __func__, 1, &(struct mpii_same){"reorder", reorder != 0, false}));
    MPII_TRY(mpii_check_info(c, info, __func__));
    err = check_adjacent(c, indegree, sources, sourceweights, outdegree, destinations, destweights, __func__);
    MPII_TRY(mpii_dist_agree(c, err, weighted, __func__));
    t = mpii_dist_new(indegree, outdegree, weighted);
    if (t) {
        copy_list(t->sources, sources, indegree);
        copy_list(t->destinations, destinations, outdegree);
        copy_list(t->dist.in_weights, sourceweights, weighted ? indegree : 0);
        copy_list(t->dist.out_weights, destweights, weighted ? outdegree : 0);
    }
    return mpii_dist_give(c, t, info, comm_dist_graph, __func__);
}

int mpii_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_topo_check(comm, MPI_DIST_GRAPH, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, indegree, "indegree", __func__));
    MPII_TRY(mpii_check_pointer(c, outdegree, "outdegree", __func__));
    MPII_TRY(mpii_check_pointer(c, weighted, "weighted", __func__));
    *indegree = c->topo->in;
    *outdegree = c->topo->out;
    *weighted = c->topo->dist.weighted;
    return MPI_SUCCESS;
}

/* Gives as many as there is room for; weights only if the graph has them and the caller wants them. */
static int neighbours_out(struct mpii_comm *c, const char *what, int max, int n, const int *ranks, const int *weights,
                          int ranks_out[], int weights_out[], const char *call)
{
    if (max < 0)
        return mpii_error(c, MPI_ERR_ARG, call, "the room for %s is %d, less than 0", what, max);
    if (n > max)
        n = max;
    if (n == 0)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_pointer(c, ranks_out, what, call));
    copy_list(ranks_out, ranks, n);
    if (!c->topo->dist.weighted || weights_out == MPI_UNWEIGHTED || weights_out == MPI_WEIGHTS_EMPTY)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_pointer(c, weights_out, "weights", call));
    copy_list(weights_out, weights, n);
    return MPI_SUCCESS;
}

int mpii_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree,
                              int destinations[], int destweights[])
{
    struct mpii_comm *c;
    const struct mpii_topo *t;

    MPII_TRY(mpii_topo_check(comm, MPI_DIST_GRAPH, &c, __func__));
    t = c->topo;
    MPII_TRY(neighbours_out(c, "sources", maxindegree, t->in, t->sources, t->dist.in_weights, sources, sourceweights,
                            __func__));
    return neighbours_out(c, "destinations", maxoutdegree, t->out, t->destinations, t->dist.out_weights, destinations,
                          destweights, __func__);
}
