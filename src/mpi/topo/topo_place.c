/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reordering: which process becomes which rank of a topology (MPI_Cart_create,
 * MPI_Graph_create). Some ways to fill the machine are tried; each costs the sum,
 * over the edges of the topology, of what lies between both ends (another node,
 * NUMA node, cache, core), and the cheapest is taken. The order as it stands is
 * the first candidate, so reordering never makes it worse.
 *
 * Processes are put in the order of the machine: those of a node follow one
 * another, within them those of a NUMA node, and so on. A candidate is then an
 * order of the ranks of the topology, in which near ones follow one another:
 *
 *  - row-major, for processes that were dealt out round the nodes;
 *  - of grids, blocks: each node gets a box whose volume is the number of its
 *    processes, of the shape that cuts the fewest edges; the same within nodes
 *    (as when all have equally many and shapes fit);
 *  - of grids, halves: the longest side is cut in the middle again and again;
 *  - of graphs, clusters: a node's next rank is one with most edges into those
 *    that it has.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/topo/topo_place.h"

enum { CLUSTERS_MOST = 4096 }; /* vertices: finding clusters takes time quadratic in it */

/* What an edge costs whose ends share no node, no NUMA node, ... */
static const int64_t weight[PLACE_LEVELS] = {
    [PLACE_NODE] = 1000, [PLACE_NUMA] = 30, [PLACE_CACHE] = 10, [PLACE_CORE] = 1};

struct search {
    int n;
    const int *index, *edges;
    const struct mpii_place *places;
    int *machine; /* old ranks in the order of the machine */
    int *order;   /* the candidate: ranks of the topology */
    int *seat;    /* old rank by rank of the topology */
    int *best;    /* the cheapest such */
    int64_t cost;
};

static int64_t distance(const struct mpii_place *a, const struct mpii_place *b)
{
    for (int l = 0; l < PLACE_LEVELS; l++)
        if (a->share[l] != b->share[l])
            return weight[l];
    return 0;
}

/* Takes the seats as they are if they cost less than the best so far. */
static void consider_seats(struct search *s)
{
    int64_t cost = 0;

    for (int i = 0, e = 0; i < s->n; i++)
        for (; e < s->index[i]; e++)
            cost += distance(&s->places[s->seat[i]], &s->places[s->seat[s->edges[e]]]);
    if (cost >= s->cost)
        return;
    s->cost = cost;
    memcpy(s->best, s->seat, (size_t)s->n * sizeof *s->best);
}

static void consider_order(struct search *s)
{
    for (int i = 0; i < s->n; i++)
        s->seat[s->order[i]] = s->machine[i];
    consider_seats(s);
}

static int by_machine(const void *a, const void *b, void *arg)
{
    const struct mpii_place *places = arg;
    const int x = *(const int *)a, y = *(const int *)b;

    for (int l = 0; l < PLACE_LEVELS; l++)
        if (places[x].share[l] != places[y].share[l])
            return places[x].share[l] < places[y].share[l] ? -1 : 1;
    return x < y ? -1 : 1;
}

/* False: nothing to gain, or no memory; best is the old order then. */
static bool search_begin(struct search *s)
{
    bool differ = false;

    for (int i = 0; i < s->n; i++) {
        s->best[i] = i;
        differ |= distance(&s->places[i], &s->places[0]) > 0;
    }
    s->machine = differ ? malloc(3 * (size_t)s->n * sizeof *s->machine) : NULL;
    if (!s->machine)
        return false;
    s->order = s->machine + s->n;
    s->seat = s->order + s->n;
    for (int i = 0; i < s->n; i++)
        s->machine[i] = s->order[i] = s->seat[i] = i;
    s->cost = INT64_MAX;
    consider_seats(s);
    qsort_r(s->machine, (size_t)s->n, sizeof *s->machine, by_machine, (void *)(uintptr_t)s->places);
    consider_order(s);
    return true;
}

/* ---------------------------------------------------------------- grids -- */

/* Processes that share something of this level, if equally many everywhere; else 0. */
static int equal_share(const struct search *s, int level)
{
    int size = 0, run = 0;

    for (int i = 0; i < s->n; i++) {
        run++;
        if (i + 1 < s->n && s->places[s->machine[i]].share[level] == s->places[s->machine[i + 1]].share[level])
            continue;
        if (size && run != size)
            return 0;
        size = run;
        run = 0;
    }
    return size;
}

struct shape {
    const struct mpii_grid *grid;
    const int *outer; /* sides of the box that is divided */
    int volume;       /* its volume */
    int *now, *best;  /* sides of the boxes within */
    int64_t least;    /* edges that best cuts; -1: none found */
};

static int64_t edges_cut(const struct shape *f)
{
    int64_t edges = 0;

    for (int i = 0; i < f->grid->ndims; i++) {
        const bool wraps = f->grid->periods[i] && f->outer[i] == f->grid->dims[i];
        const int pieces = f->outer[i] / f->now[i];

        if (pieces > 1)
            edges += (int64_t)(wraps ? pieces : pieces - 1) * (f->volume / f->outer[i]);
    }
    return edges;
}

/* All boxes of volume `volume` whose sides divide those of the outer one. */
static void find_shape(struct shape *f, int dim, int volume)
{
    int64_t edges;

    if (dim < f->grid->ndims) {
        for (int side = 1; side <= volume && side <= f->outer[dim]; side++)
            if (volume % side == 0 && f->outer[dim] % side == 0) {
                f->now[dim] = side;
                find_shape(f, dim + 1, volume / side);
            }
        return;
    }
    edges = volume == 1 ? edges_cut(f) : -1;
    if (edges < 0 || (f->least >= 0 && edges >= f->least))
        return;
    f->least = edges;
    memcpy(f->best, f->now, (size_t)f->grid->ndims * sizeof *f->best);
}

/* Boxes within boxes: sides[k * ndims ...], the outermost is the grid. */
struct boxes {
    const struct mpii_grid *grid;
    int *sides;
    int depth;
    int *order, n;
};

/* Appends the ranks of the box of depth d that begins at coordinates `at`. */
static void walk_boxes(struct boxes *b, int d, int *at)
{
    const int ndims = b->grid->ndims, *box = b->sides + d * ndims, *inner = box + ndims;
    int *from = at + ndims, dim, rank = 0;

    if (d == b->depth) {
        for (int i = 0; i < ndims; i++)
            rank = rank * b->grid->dims[i] + at[i];
        b->order[b->n++] = rank;
        return;
    }
    memcpy(from, at, (size_t)ndims * sizeof *at);
    do {
        walk_boxes(b, d + 1, from);
        for (dim = ndims - 1; dim >= 0; dim--) { /* the next box, row-major */
            from[dim] += inner[dim];
            if (from[dim] < at[dim] + box[dim])
                break;
            from[dim] = at[dim];
        }
    } while (dim >= 0);
}

static void consider_boxes(struct search *s, const struct mpii_grid *grid)
{
    const int ndims = grid->ndims, rows = PLACE_LEVELS + 2;
    int *memory = calloc((size_t)(2 * rows + 1) * (size_t)ndims, sizeof *memory);
    struct boxes b = {grid, memory, 0, s->order, 0};

    if (!memory)
        return;
    memcpy(b.sides, grid->dims, (size_t)ndims * sizeof *b.sides);
    for (int l = 0, outer = s->n; l < PLACE_LEVELS; l++) {
        const int volume = equal_share(s, l);
        struct shape f = {
            grid, b.sides + b.depth * ndims, outer, memory + 2 * rows * ndims, b.sides + (b.depth + 1) * ndims, -1};

        if (volume > 1)
            find_shape(&f, 0, volume);
        if (f.least < 0)
            continue;
        outer = volume;
        b.depth++;
    }
    b.depth++;
    for (int i = 0; i < ndims; i++)
        b.sides[b.depth * ndims + i] = 1;
    walk_boxes(&b, 0, memory + rows * ndims);
    free(memory);
    consider_order(s);
}

/* Appends the ranks of a box, `low` to `high` (excluded), in halves of halves. */
static void walk_halves(const struct mpii_grid *grid, int *low, int *high, struct search *s, int *n)
{
    int longest = 0, rank = 0, middle, end, begin;

    for (int i = 1; i < grid->ndims; i++)
        if (high[i] - low[i] > high[longest] - low[longest])
            longest = i;
    if (high[longest] - low[longest] == 1) {
        for (int i = 0; i < grid->ndims; i++)
            rank = rank * grid->dims[i] + low[i];
        s->order[(*n)++] = rank;
        return;
    }
    begin = low[longest];
    end = high[longest];
    middle = (begin + end + 1) / 2;
    high[longest] = middle;
    walk_halves(grid, low, high, s, n);
    high[longest] = end;
    low[longest] = middle;
    walk_halves(grid, low, high, s, n);
    low[longest] = begin;
}

static void consider_halves(struct search *s, const struct mpii_grid *grid)
{
    int *low = calloc(2 * (size_t)grid->ndims, sizeof *low), n = 0;

    if (!low)
        return;
    memcpy(low + grid->ndims, grid->dims, (size_t)grid->ndims * sizeof *low);
    walk_halves(grid, low, low + grid->ndims, s, &n);
    free(low);
    consider_order(s);
}

/* The edges of rank i of the grid, appended. */
static int grid_edges(const struct mpii_grid *grid, int i, int *edges, int n)
{
    int below = 1; /* ranks between neighbours in this dimension */

    for (int d = grid->ndims - 1; d >= 0; below *= grid->dims[d--]) {
        const int side = grid->dims[d], x = i / below % side;

        if (x > 0 || (grid->periods[d] && side > 1))
            edges[n++] = i + (x > 0 ? -1 : side - 1) * below;
        if (x < side - 1 || (grid->periods[d] && side > 1))
            edges[n++] = i + (x < side - 1 ? 1 : 1 - side) * below;
    }
    return n;
}

int mpii_place_grid(const struct mpii_grid *grid, int n, const struct mpii_place *places, int *at)
{
    int *index = malloc((size_t)n * (2 * (size_t)grid->ndims + 1) * sizeof *index + 1), *edges, count = 0;
    struct search s = {.n = n, .places = places, .best = at};

    if (!index)
        return MPI_ERR_NO_MEM;
    edges = index + n;
    for (int i = 0; i < n; i++)
        index[i] = count = grid_edges(grid, i, edges, count);
    s.index = index;
    s.edges = edges;
    if (search_begin(&s) && grid->ndims > 0) {
        consider_boxes(&s, grid);
        consider_halves(&s, grid);
    }
    free(s.machine);
    free(index);
    return MPI_SUCCESS;
}

/* --------------------------------------------------------------- graphs -- */

/* The rank not yet taken that has most edges into `ties`; of equals the one with fewest edges. */
static int closest(const struct search *s, const int *ties)
{
    int found = -1;

    for (int i = 0; i < s->n; i++) {
        const int degree = s->index[i] - (i ? s->index[i - 1] : 0);

        if (ties[i] < 0)
            continue;
        if (found < 0 || ties[i] > ties[found] ||
            (ties[i] == ties[found] && degree < s->index[found] - (found ? s->index[found - 1] : 0)))
            found = i;
    }
    return found;
}

static void consider_clusters(struct search *s)
{
    int *ties = calloc((size_t)s->n, sizeof *ties); /* edges into the node being filled; -1: taken */

    for (int i = 0; ties && i < s->n; i++) {
        const int found = closest(s, ties);

        s->order[i] = found;
        ties[found] = -1;
        if (i + 1 < s->n &&
            s->places[s->machine[i]].share[PLACE_NODE] != s->places[s->machine[i + 1]].share[PLACE_NODE]) {
            for (int k = 0; k < s->n; k++) /* a new node */
                ties[k] = ties[k] < 0 ? -1 : 0;
            continue;
        }
        for (int e = found ? s->index[found - 1] : 0; e < s->index[found]; e++)
            if (ties[s->edges[e]] >= 0)
                ties[s->edges[e]]++;
    }
    if (ties)
        consider_order(s);
    free(ties);
}

int mpii_place_graph(int n, const int *index, const int *edges, const struct mpii_place *places, int *at)
{
    struct search s = {.n = n, .index = index, .edges = edges, .places = places, .best = at};

    if (search_begin(&s) && n <= CLUSTERS_MOST)
        consider_clusters(&s);
    free(s.machine);
    return MPI_SUCCESS;
}
