/* SPDX-License-Identifier: BSD-3-Clause */
/* Reordering (src/mpi/topo/topo_place.c), on machines that are made up: nodes, NUMA nodes and caches of all sizes,
 * processes dealt out in any way. The answer is a permutation, no worse than no reordering, and the best there is where
 * one knows what that is. */
#include "mcheck.h"

#include "mpi/topo/topo_place.h"

enum { N = 512 };

struct machine {
    int n, size[PLACE_LEVELS]; /* processes that share a node, ... at most */
    struct mpii_place place[N];
};

/* Process number slot[r] of the machine is rank r. */
static void fill(struct machine *m, const int *slot)
{
    for (int r = 0; r < m->n; r++)
        for (int l = 0; l < PLACE_LEVELS; l++) {
            m->place[r].known = PLACE_LEVELS;
            for (int k = m->n - 1; k >= 0; k--)
                if (slot[k] / m->size[l] == slot[r] / m->size[l])
                    m->place[r].share[l] = k;
        }
}

/* In order (dealt 1), or round a number of nodes, or at random (0). */
static void deal(int *slot, int n, int dealt, uint64_t *state)
{
    for (int r = 0; r < n; r++)
        slot[r] = dealt ? r % dealt * (n / dealt) + r / dealt : r;
    for (int r = n - 1; r > 0 && !dealt; r--) {
        const int k = (int)check_random_below(state, (uint64_t)r + 1), keep = slot[r];

        slot[r] = slot[k];
        slot[k] = keep;
    }
}

/* Edges of the grid whose ends don't share this level. */
static long cut(const struct mpii_grid *g, const struct machine *m, const int *at, int level)
{
    long edges = 0;

    for (int i = 0; i < m->n; i++)
        for (int d = g->ndims - 1, below = 1; d >= 0; below *= g->dims[d--]) {
            const int x = i / below % g->dims[d];
            int other = x + 1 < g->dims[d] ? i + below : g->periods[d] ? i - x * below : i;

            edges += m->place[at[i]].share[level] != m->place[at[other]].share[level];
        }
    return edges;
}

static void check_permutation(const int *at, int n)
{
    bool seen[N] = {false};

    for (int i = 0; i < n; i++) {
        CHECK(at[i] >= 0 && at[i] < n && !seen[at[i]], "rank %d goes to %d, which is taken or does not exist", i,
              at[i]);
        if (at[i] >= 0 && at[i] < n)
            seen[at[i]] = true;
    }
}

/* What the method weighs (topo_place.c): nodes above all. */
static long cost(const struct mpii_grid *g, const struct machine *m, const int *at)
{
    return 970 * cut(g, m, at, PLACE_NODE) + 20 * cut(g, m, at, PLACE_NUMA) + 9 * cut(g, m, at, PLACE_CACHE) +
           cut(g, m, at, PLACE_CORE);
}

static void check_randomly(uint64_t seed)
{
    uint64_t state = seed;
    int dims[4], periods[4], slot[N], at[N], identity[N];
    struct mpii_grid g = {1 + (int)check_random_below(&state, 4), dims, periods};
    static struct machine m;

    m.n = 1;
    for (int d = 0; d < g.ndims; d++) {
        dims[d] = 1 + (int)check_random_below(&state, (uint64_t)(N / m.n < 8 ? N / m.n : 8));
        periods[d] = (int)check_random_below(&state, 2);
        m.n *= dims[d];
    }
    m.size[PLACE_CORE] = 1 + (int)check_random_below(&state, 2);
    for (int l = PLACE_CORE - 1; l >= 0; l--)
        m.size[l] = m.size[l + 1] * (1 + (int)check_random_below(&state, 5));
    deal(slot, m.n, (int)check_random_below(&state, 2), &state);
    fill(&m, slot);
    for (int i = 0; i < m.n; i++)
        identity[i] = i;
    CHECK(mpii_place_grid(&g, m.n, m.place, at) == MPI_SUCCESS, "no order for %d processes", m.n);
    check_permutation(at, m.n);
    CHECK(cost(&g, &m, at) <= cost(&g, &m, identity), "the new order costs %ld, the old one %ld", cost(&g, &m, at),
          cost(&g, &m, identity));
}

/* A grid for which the best is known: boxes in boxes. */
struct known {
    int ndims, dims[3], periodic, node, numa, dealt;
    long node_cut, numa_cut;
};

static const struct known knowns[] = {
    {2, {8, 8}, 0, 16, 16, 4, 16, 16}, /* 4 nodes of 4 x 4: two lines of 8 are cut */
    {2, {8, 8}, 1, 16, 16, 4, 32, 32}, /* and where it wraps round */
    {2, {8, 8}, 0, 16, 4, 1, 16, 48}, /* 16 NUMA nodes of 2 x 2 */
    {2, {16, 4}, 0, 16, 16, 1, 12, 12}, /* 4 x 4 again: three lines of 4 */
    {3, {8, 8, 8}, 0, 64, 64, 8, 192, 192}, /* cubes */
    {3, {4, 4, 8}, 0, 16, 16, 0, 80, 80}, /* 2 x 2 x 4 */
    {2, {6, 6}, 0, 9, 9, 0, 12, 12}, /* not a power of two */
    {1, {12, 1, 1}, 0, 4, 4, 3, 2, 2}, /* a line */
    {1, {12, 1, 1}, 1, 4, 2, 0, 3, 6}, /* a ring */
};

static void check_known(const struct known *k, uint64_t *state)
{
    static struct machine m;
    const int periods[3] = {k->periodic, k->periodic, k->periodic};
    const struct mpii_grid g = {k->ndims, k->dims, periods};
    int slot[N], at[N];

    m.n = 1;
    for (int d = 0; d < k->ndims; d++)
        m.n *= k->dims[d];
    m.size[PLACE_NODE] = k->node;
    m.size[PLACE_NUMA] = m.size[PLACE_CACHE] = m.size[PLACE_CORE] = k->numa;
    deal(slot, m.n, k->dealt, state);
    fill(&m, slot);
    CHECK(mpii_place_grid(&g, m.n, m.place, at) == MPI_SUCCESS, "no order");
    check_permutation(at, m.n);
    CHECK(cut(&g, &m, at, PLACE_NODE) == k->node_cut, "grid %zd: %ld edges between nodes, expected %ld", k - knowns,
          cut(&g, &m, at, PLACE_NODE), k->node_cut);
    CHECK(cut(&g, &m, at, PLACE_NUMA) == k->numa_cut, "grid %zd: %ld edges between NUMA nodes, expected %ld",
          k - knowns, cut(&g, &m, at, PLACE_NUMA), k->numa_cut);
}

/* Two nodes, two clusters of which every other rank is a member, one edge between: the graph finds them. */
static void check_graph(void)
{
    static struct machine m = {.n = 16, .size = {8, 8, 8, 8}};
    int slot[16], index[16], edges[200], at[16], n = 0, between = 0;

    for (int i = 0; i < 16; i++) {
        slot[i] = i;
        for (int k = i % 2; k < 16; k += 2)
            if (k != i)
                edges[n++] = k;
        if (i < 2)
            edges[n++] = 1 - i;
        index[i] = n;
    }
    fill(&m, slot);
    CHECK(mpii_place_graph(16, index, edges, m.place, at) == MPI_SUCCESS, "no order");
    check_permutation(at, 16);
    for (int i = 0, e = 0; i < 16; i++)
        for (; e < index[i]; e++)
            between += m.place[at[i]].share[PLACE_NODE] != m.place[at[edges[e]]].share[PLACE_NODE];
    CHECK(between == 2, "%d edges between the nodes, expected 2", between);
}

/* With nothing to gain nobody moves. */
static void check_still(void)
{
    static struct machine m = {.n = 24, .size = {24, 24, 24, 24}};
    const int dims[2] = {6, 4}, periods[2] = {0, 0};
    int slot[24], at[24];

    for (int i = 0; i < 24; i++)
        slot[i] = i;
    fill(&m, slot);
    CHECK(mpii_place_grid(&(struct mpii_grid){2, dims, periods}, 24, m.place, at) == MPI_SUCCESS, "no order");
    for (int i = 0; i < 24; i++)
        CHECK(at[i] == i, "on one node rank %d became %d", at[i], i);
}

int main(void)
{
    uint64_t state;

    mc_start();
    state = check_seed(8555);
    for (size_t i = 0; i < sizeof knowns / sizeof *knowns; i++)
        check_known(&knowns[i], &state);
    for (uint64_t round = 0; round < 300; round++)
        check_randomly(state + round);
    check_graph();
    check_still();
    return mc_finish();
}
