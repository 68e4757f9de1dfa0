/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Topologies: which links a message takes. Links come in one array: for each node a port into the network and one out
 * of it, then those between routers, each for one direction.
 *
 * Torus: dimension by dimension, each the shorter way round (the T3D's and T3E's order; seed 000 counts its changes of
 * dimension). Hypercube: bit by bit (the Origin's). Fat tree: two levels. Dragonfly: the shortest way, through the one
 * link between two groups.
 */
#include <stdlib.h>

#include "predict/sim.h"

static int nodes(const struct sim_machine *m)
{
    return (m->pes + m->pes_per_node - 1) / m->pes_per_node;
}

static int routers(const struct sim_machine *m)
{
    int needed = (nodes(m) + m->nodes_per_router - 1) / m->nodes_per_router;

    switch (m->topology) {
    case SIM_TORUS:
        return m->size[0] * m->size[1] * m->size[2];
    case SIM_HYPERCUBE:
        return 1 << m->size[0];
    default:
        return needed;
    }
}

static int groups(const struct sim_machine *m)
{
    return (routers(m) + m->size[0] - 1) / m->size[0];
}

static int leaves(const struct sim_machine *m)
{
    return (nodes(m) + m->size[0] - 1) / m->size[0];
}

/* Those between routers. */
static int inner_links(const struct sim_machine *m)
{
    switch (m->topology) {
    case SIM_TORUS:
        return routers(m) * 2 * SIM_DIMENSIONS;
    case SIM_HYPERCUBE:
        return routers(m) * m->size[0];
    case SIM_FATTREE:
        return 2 * leaves(m);
    case SIM_DRAGONFLY:
        return routers(m) * m->size[0] + groups(m) * groups(m);
    case SIM_BUS:
        return 1;
    default:
        return 0;
    }
}

int sim_links(const struct sim_machine *m)
{
    return 2 * nodes(m) + inner_links(m);
}

double sim_link_rate(const struct sim_machine *m, int link)
{
    if (link < 2 * nodes(m))
        return m->port_rate;
    return m->topology == SIM_FATTREE ? m->link_rate * m->size[0] * m->taper : m->link_rate;
}

static void add(struct sim_path *path, int link)
{
    if (path->n < SIM_PATH)
        path->link[path->n++] = link;
}

static int router_of(const struct sim_machine *m, int pe)
{
    return pe / m->pes_per_node / m->nodes_per_router % routers(m);
}

static void route_torus(const struct sim_machine *m, int a, int b, int first, struct sim_path *path)
{
    int stride = 1, at = a;

    for (int d = 0; d < SIM_DIMENSIONS; stride *= m->size[d++]) {
        int size = m->size[d], x = at / stride % size, y = b / stride % size, forward = (y - x + size) % size;
        int step = forward <= size - forward ? 1 : -1;

        if (x != y && path->hops > 0)
            path->turns++;
        for (; x != y; path->hops++) {
            add(path, first + (at * SIM_DIMENSIONS + d) * 2 + (step < 0));
            at += ((x + step + size) % size - x) * stride;
            x = at / stride % size;
        }
    }
}

static void route_hypercube(const struct sim_machine *m, int a, int b, int first, struct sim_path *path)
{
    for (int bit = 0; bit < m->size[0]; bit++)
        if ((a ^ b) & 1 << bit) {
            add(path, first + a * m->size[0] + bit);
            a ^= 1 << bit;
            path->hops++;
        }
}

static void route_fattree(const struct sim_machine *m, int from, int to, int first, struct sim_path *path)
{
    int a = from / m->pes_per_node / m->size[0], b = to / m->pes_per_node / m->size[0];

    path->hops = 1;
    if (a == b)
        return;
    add(path, first + 2 * a);
    add(path, first + 2 * b + 1);
    path->hops = 3;
}

static void hop_in_group(const struct sim_machine *m, int a, int b, int first, struct sim_path *path)
{
    if (a == b)
        return;
    add(path, first + a * m->size[0] + b % m->size[0]);
    path->hops++;
}

static void route_dragonfly(const struct sim_machine *m, int a, int b, int first, struct sim_path *path)
{
    int size = m->size[0], ga = a / size, gb = b / size, global = first + routers(m) * size;

    if (ga == gb) {
        hop_in_group(m, a, b, first, path);
        return;
    }
    hop_in_group(m, a, ga * size + gb % size, first, path); /* the router that has the link to that group */
    add(path, global + ga * groups(m) + gb);
    path->hops++;
    hop_in_group(m, gb * size + ga % size, b, first, path);
}

void sim_route(const struct sim_machine *m, int from, int to, struct sim_path *path)
{
    int a = router_of(m, from), b = router_of(m, to), node = from / m->pes_per_node, other = to / m->pes_per_node;
    int first = 2 * nodes(m);

    path->n = path->hops = path->turns = 0;
    if (from == to)
        return;
    if (m->topology == SIM_BUS)
        add(path, first);
    else if (node == other)
        return;
    if (m->port_rate > 0) {
        add(path, 2 * node);
        add(path, 2 * other + 1);
    }
    if (m->topology == SIM_TORUS)
        route_torus(m, a, b, first, path);
    else if (m->topology == SIM_HYPERCUBE)
        route_hypercube(m, a, b, first, path);
    else if (m->topology == SIM_FATTREE)
        route_fattree(m, from, to, first, path);
    else if (m->topology == SIM_DRAGONFLY)
        route_dragonfly(m, a, b, first, path);
}

double sim_distance(const struct sim_machine *m, const struct sim_path *path)
{
    int turns = m->turns_max && path->turns > m->turns_max ? m->turns_max : path->turns;

    return path->hops * m->hop + turns * m->turn;
}
