/* SPDX-License-Identifier: BSD-3-Clause */
/* Graph topologies (8.5.3) and distributed graphs (8.5.4): random graphs with loops and double edges, made in each way,
 * against a list of all edges; weights; duplicates; reordered ranks; errors. */
#include "mcheck.h"

enum { EDGES = 200 };

struct edge {
    int from, to, weight, giver;
};

struct list {
    int n;
    struct edge edge[EDGES];
};

/* The same on all ranks. */
static struct list random_edges(uint64_t *state, int nodes)
{
    struct list l = {.n = (int)check_random_below(state, EDGES)};

    for (int i = 0; i < l.n; i++)
        l.edge[i] = (struct edge){(int)check_random_below(state, (uint64_t)nodes),
                                  (int)check_random_below(state, (uint64_t)nodes), (int)check_random_below(state, 100),
                                  (int)check_random_below(state, (uint64_t)mc_size)};
    return l;
}

/* Edges of `node` (out: from it; else to it), in the order of givers and of the list. */
static int edges_of(const struct list *l, int node, bool out, int *others, int *weights)
{
    int n = 0;

    for (int giver = 0; giver < mc_size; giver++)
        for (int i = 0; i < l->n; i++)
            if (l->edge[i].giver == giver && (out ? l->edge[i].from : l->edge[i].to) == node) {
                others[n] = out ? l->edge[i].to : l->edge[i].from;
                weights[n++] = l->edge[i].weight;
            }
    return n;
}

static void check_neighbours(MPI_Comm c, const struct list *l, bool weighted)
{
    int kind = -1, in = -1, out = -1, flag = -1, me, n[2], others[2][EDGES], weights[2][EDGES];
    int got[2][EDGES], got_weights[2][EDGES];

    OK(MPI_Comm_rank(c, &me));
    OK(MPI_Topo_test(c, &kind));
    OK(MPI_Dist_graph_neighbors_count(c, &in, &out, &flag));
    for (int k = 0; k < 2; k++)
        n[k] = edges_of(l, me, k, others[k], weights[k]);
    CHECK(kind == MPI_DIST_GRAPH && in == n[0] && out == n[1] && !flag == !weighted,
          "topology %d, %d in, %d out, weighted %d; expected %d, %d, %d", kind, in, out, flag, n[0], n[1], weighted);
    memset(got_weights, 0xff, sizeof got_weights);
    OK(MPI_Dist_graph_neighbors(c, in, got[0], got_weights[0], out, got[1], got_weights[1]));
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n[k]; i++) {
            CHECK(got[k][i] == others[k][i], "%s %d of %d is %d, expected %d", k ? "destination" : "source", i, me,
                  got[k][i], others[k][i]);
            CHECK(got_weights[k][i] == (weighted ? weights[k][i] : -1), "weight %d of %s is %d", i,
                  k ? "destinations" : "sources", got_weights[k][i]);
        }
    memset(got, 0xff, sizeof got);
    OK(MPI_Dist_graph_neighbors(c, in / 2, got[0], MPI_UNWEIGHTED, 0, NULL, NULL)); /* room for some only */
    for (int i = 0; i <= in / 2 && i < n[0]; i++)
        CHECK(got[0][i] == (i < in / 2 ? others[0][i] : -1), "of %d sources, %d is %d", in / 2, i, got[0][i]);
}

static void check_general(const struct list *l, bool weighted)
{
    int n = 0, sources[EDGES], degrees[EDGES], destinations[EDGES], weights[EDGES];
    MPI_Comm c, copy;

    for (int i = 0; i < l->n; i++)
        if (l->edge[i].giver == mc_rank) {
            sources[n] = l->edge[i].from;
            degrees[n] = 1;
            destinations[n] = l->edge[i].to;
            weights[n++] = l->edge[i].weight;
        }
    OK(MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, destinations,
                             weighted ? n ? weights : MPI_WEIGHTS_EMPTY : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
    check_neighbours(c, l, weighted);
    OK(MPI_Comm_dup(c, &copy));
    OK(MPI_Comm_free(&c));
    check_neighbours(copy, l, weighted);
    OK(MPI_Comm_free(&copy));
}

static void check_adjacent(const struct list *l, bool weighted)
{
    int n[2], others[2][EDGES], weights[2][EDGES];
    MPI_Comm c;

    for (int k = 0; k < 2; k++)
        n[k] = edges_of(l, mc_rank, k, others[k], weights[k]);
    OK(MPI_Dist_graph_create_adjacent(
        MPI_COMM_WORLD, n[0], others[0], weighted ? n[0] ? weights[0] : MPI_WEIGHTS_EMPTY : MPI_UNWEIGHTED, n[1],
        others[1], weighted ? n[1] ? weights[1] : MPI_WEIGHTS_EMPTY : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
    check_neighbours(c, l, weighted);
    OK(MPI_Comm_free(&c));
}

/* Several edges with one source; nothing at all. */
static void check_degrees(void)
{
    int source = mc_rank, degree = mc_size, destinations[64], in = -1, out = -1, flag = -1, got[64], sources[64];
    MPI_Comm c;

    for (int i = 0; i < mc_size; i++)
        destinations[i] = mc_size - 1 - i;
    OK(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &c));
    OK(MPI_Dist_graph_neighbors_count(c, &in, &out, &flag));
    CHECK(in == mc_size && out == mc_size && flag == 0, "all to all: %d in, %d out, weighted %d", in, out, flag);
    OK(MPI_Dist_graph_neighbors(c, in, sources, MPI_UNWEIGHTED, out, got, MPI_UNWEIGHTED));
    for (int i = 0; i < mc_size; i++)
        CHECK(got[i] == destinations[i] && sources[i] == i, "neighbours %d: to %d from %d", i, got[i], sources[i]);
    OK(MPI_Comm_free(&c));
    OK(MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &c));
    OK(MPI_Dist_graph_neighbors_count(c, &in, &out, &flag));
    CHECK(in == 0 && out == 0 && flag == 1, "no edges: %d in, %d out, weighted %d", in, out, flag);
    OK(MPI_Comm_free(&c));
}

/* MPI_Graph_create: everybody has the whole graph. */
static void check_graph(uint64_t seed, int reorder)
{
    uint64_t state = seed;
    const int nodes = (int)check_random_below(&state, (uint64_t)mc_size + 1);
    struct list l = {0};
    int index[64], edges[EDGES], got_index[64], got_edges[EDGES], n = 0, me = -1, count = -1, total = -1, kind = -1;
    MPI_Comm c = MPI_COMM_WORLD;

    if (nodes > 0)
        l = random_edges(&state, nodes);
    for (int node = 0; node < nodes; node++) {
        for (int i = 0; i < l.n; i++)
            if (l.edge[i].from == node)
                edges[n++] = l.edge[i].to;
        index[node] = n;
    }
    OK(MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, reorder, &c));
    if (c == MPI_COMM_NULL) {
        CHECK(mc_rank >= nodes, "rank %d is not in a graph of %d", mc_rank, nodes);
        return;
    }
    OK(MPI_Comm_rank(c, &me));
    CHECK(reorder || me == mc_rank, "rank %d became %d", mc_rank, me);
    OK(MPI_Topo_test(c, &kind));
    OK(MPI_Graphdims_get(c, &count, &total));
    CHECK(kind == MPI_GRAPH && count == nodes && total == n, "topology %d, %d nodes, %d edges", kind, count, total);
    OK(MPI_Graph_get(c, nodes, n, got_index, got_edges));
    CHECK(!memcmp(index, got_index, (size_t)nodes * sizeof *index) &&
              !memcmp(edges, got_edges, (size_t)n * sizeof *edges),
          "another graph");
    for (int node = 0; node < nodes; node++) {
        const int begin = node ? index[node - 1] : 0;

        OK(MPI_Graph_neighbors_count(c, node, &count));
        CHECK(count == index[node] - begin, "node %d has %d neighbours", node, count);
        OK(MPI_Graph_neighbors(c, node, count, got_edges));
        CHECK(!memcmp(edges + begin, got_edges, (size_t)count * sizeof *edges), "node %d has other neighbours", node);
    }
    OK(MPI_Barrier(c));
    OK(MPI_Comm_free(&c));
}

static void check_map(void)
{
    int index[64], edges[64], rank = -1, sum = 0;

    for (int i = 0; i < mc_size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % mc_size;
    }
    OK(MPI_Graph_map(MPI_COMM_WORLD, mc_size, index, edges, &rank));
    OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(rank >= 0 && rank < mc_size && sum == mc_size * (mc_size - 1) / 2, "mapped to %d, the sum is %d", rank, sum);
}

static void check_graph_errors(void)
{
    int down[2] = {1, 0}, beyond[1] = {mc_size}, one[1] = {1}, none[1] = {0}, n = -1;
    MPI_Comm c, out = MPI_COMM_WORLD;

    FAILS(MPI_Graph_create(MPI_COMM_WORLD, -1, one, none, 0, &out), MPI_ERR_ARG);
    FAILS(MPI_Graph_create(MPI_COMM_WORLD, mc_size + 1, one, none, 0, &out), MPI_ERR_ARG);
    FAILS(MPI_Graph_create(MPI_COMM_WORLD, 1, one, beyond, 0, &out), MPI_ERR_ARG);
    FAILS(MPI_Graph_create(MPI_COMM_WORLD, 1, one, NULL, 0, &out), MPI_ERR_ARG);
    FAILS(MPI_Graph_create(MPI_COMM_WORLD, 1, NULL, none, 0, &out), MPI_ERR_ARG);
    if (mc_size > 1)
        FAILS(MPI_Graph_create(MPI_COMM_WORLD, 2, down, none, 0, &out), MPI_ERR_ARG);
    CHECK(out == MPI_COMM_NULL, "a failed call stored %p", (void *)out);
    OK(MPI_Graph_create(MPI_COMM_WORLD, 1, one, none, 0, &c));
    if (c == MPI_COMM_NULL)
        return;
    OK(MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN));
    FAILS(MPI_Graph_neighbors_count(c, 1, &n), MPI_ERR_RANK);
    FAILS(MPI_Graph_neighbors(c, 0, 0, none), MPI_ERR_ARG);
    FAILS(MPI_Graph_get(c, 0, 1, none, one), MPI_ERR_ARG);
    FAILS(MPI_Cartdim_get(c, &n), MPI_ERR_TOPOLOGY);
    FAILS(MPI_Dist_graph_neighbors(c, 0, NULL, NULL, 0, NULL, NULL), MPI_ERR_TOPOLOGY);
    OK(MPI_Comm_free(&c));
}

static void check_dist_errors(void)
{
    int zero = 0, beyond = mc_size, one = 1, negative = -1;
    const bool wrong = mc_rank == mc_size - 1; /* one process's mistake: all are told */
    MPI_Comm out = MPI_COMM_WORLD;

    FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &zero, &one, wrong ? &beyond : &zero, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                0, &out),
          MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, wrong ? &beyond : &zero, &one, &zero, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                0, &out),
          MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, wrong ? -1 : 1, &zero, &one, &zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                &out),
          MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &zero, wrong ? &negative : &one, &zero, MPI_UNWEIGHTED,
                                MPI_INFO_NULL, 0, &out),
          MPI_ERR_ARG);
    FAILS(
        MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &zero, &one, &zero, wrong ? &negative : &one, MPI_INFO_NULL, 0, &out),
        MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &zero, &one, &zero, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &out),
          MPI_ERR_ARG);
    if (mc_size > 1)
        FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &zero, &one, &zero, wrong ? &one : MPI_UNWEIGHTED, MPI_INFO_NULL,
                                    0, &out),
              MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, wrong ? &beyond : &zero, MPI_UNWEIGHTED, 0, NULL,
                                         MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &out),
          MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &zero, &one, 1, &zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                         &out),
          MPI_ERR_ARG);
    FAILS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, wrong ? -1 : 0, NULL, MPI_UNWEIGHTED,
                                         MPI_INFO_NULL, 0, &out),
          MPI_ERR_ARG);
    CHECK(out == MPI_COMM_NULL, "a failed call stored %p", (void *)out);
}

int main(void)
{
    mc_start();
    for (uint64_t round = 0; round < 40; round++) {
        uint64_t state = check_seed(8504) + round;
        struct list l = random_edges(&state, mc_size);

        check_general(&l, round % 2);
        check_adjacent(&l, round % 2);
        check_graph(state, round % 2);
    }
    check_degrees();
    check_map();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    check_graph_errors();
    check_dist_errors();
    return mc_finish();
}
