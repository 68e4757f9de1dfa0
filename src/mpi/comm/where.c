/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where processes run: who shares a node, a NUMA node, a cache, a core with whom.
 * Core knows distances between processes of its own node only, so everybody finds
 * its own place and tells it.
 */
#include "mpi/comm/where.h"

#include <stdlib.h>

static bool here(int proc)
{
    return proc < core_size() && core_on_node(proc);
}

/* Core's distances: 0 the same core, 1 cache, 2 NUMA node, 3 further, -1 unknown. */
static const int nearest[PLACE_LEVELS] = {[PLACE_NODE] = 3, [PLACE_NUMA] = 2, [PLACE_CACHE] = 1, [PLACE_CORE] = 0};

/* The place of `rank`, a process of this process's job; levels below nodes for those of its node. */
static struct mpii_place place_of(const struct mpii_group *g, int rank, int levels)
{
    const int *procs = g->procs;
    struct mpii_place p = {.known = levels};

    for (int l = 0; l < PLACE_LEVELS; l++)
        p.share[l] = rank;
    for (int r = 0; r < rank && p.share[PLACE_NODE] == rank; r++)
        if (procs[r] < core_size() && core_node_of(procs[r]) == core_node_of(procs[rank]))
            p.share[PLACE_NODE] = r;
    for (int r = 0; r < g->size && p.known > 1; r++) {
        const int distance =
            r != rank && here(procs[r]) ? core_topology_distance(procs[r], procs[rank]) : nearest[PLACE_NODE];

        if (distance < 0)
            p.known = 1;
        for (int l = 1; l < p.known; l++)
            if (r < p.share[l] && distance <= nearest[l])
                p.share[l] = r;
    }
    for (int l = p.known; l < PLACE_LEVELS; l++)
        p.share[l] = p.share[l - 1];
    return p;
}

struct mpii_place mpii_place_own(const struct mpii_group *g)
{
    return place_of(g, g->rank, PLACE_LEVELS);
}

struct mpii_place *mpii_places_local(const struct mpii_comm *c)
{
    const int levels = mpii_comm_on_node(c) ? PLACE_LEVELS : 1;
    struct mpii_place *places = malloc((size_t)c->size * sizeof *places);

    for (int rank = 0; places && rank < c->size; rank++) {
        if (c->group->procs[rank] < core_size())
            places[rank] = place_of(c->group, rank, levels);
        else
            places[rank] = (struct mpii_place){{rank, rank, rank, rank}, 1};
    }
    return places;
}

int mpii_places(struct mpii_comm *c, struct mpii_place **places)
{
    struct mpii_place own = mpii_place_own(c->group);
    int err;

    *places = malloc((size_t)c->size * sizeof **places);
    if (!*places)
        return MPI_ERR_NO_MEM;
    err = mpii_coll_allgather(c, &own, sizeof own, *places);
    if (err == MPI_SUCCESS)
        return err;
    free(*places);
    return err;
}
