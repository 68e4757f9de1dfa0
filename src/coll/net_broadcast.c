/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast of much data to several nodes: leaders fetch it from root, members
 * copy it from their leader's dest (on root's node, from root). When root would
 * have to send it out many times, each leader fetches a part and then the other
 * parts from the other leaders.
 */
#include "coll/stages.h"

enum { SEND_OUT = 64 << 10 }; /* bytes that root may send beyond one copy of the data */

static int nodes_behind_root(const struct coll_call *c)
{
    return c->team->groups->n - 1;
}

static bool in_parts(const struct coll_call *c)
{
    int receivers = nodes_behind_root(c);
    return receivers > 1 && c->n > (size_t)SEND_OUT / (size_t)(receivers - 1);
}

/* 0 for root's group, then 1, 2, ... */
static int from_root(const struct coll_call *c, int group)
{
    const struct coll_groups *g = c->team->groups;
    int d = group - g->group_of[c->root];
    return d < 0 ? d + g->n : d;
}

/* Get part i of nodes_behind_root from PE pe's `where`. */
static void fetch_part(struct coll_call *c, int i, int pe, const void *where)
{
    size_t lo = coll_cut(c->n, nodes_behind_root(c), i), hi = coll_cut(c->n, nodes_behind_root(c), i + 1);
    core_get_nbi(&c->flow, pe, (char *)c->dest + lo, (const char *)where + lo, hi - lo);
}

static void fetch_from_root(struct coll_call *c)
{
    struct coll_team *t = c->team;
    int d = from_root(c, t->groups->own), root = coll_team_pe(t, c->root);
    if (t->rank == c->root) {
        if (!c->root_keeps && c->dest != c->source)
            core_copy(c->dest, c->source, c->n);
    } else if (d == 0)
        core_copy(c->dest, coll_at(c, c->root, c->source), c->n);
    else if (coll_is_leader(c) && in_parts(c))
        fetch_part(c, d - 1, root, c->source);
    else if (coll_is_leader(c))
        core_get_nbi(&c->flow, root, c->dest, c->source, c->n);
}

static void meet_if_parts(struct coll_call *c)
{
    if (in_parts(c))
        coll_sync_start(c, NULL);
}

static bool met_if_parts(struct coll_call *c)
{
    return !in_parts(c) || coll_sync_poll(c);
}

static void fetch_from_leaders(struct coll_call *c)
{
    const struct coll_groups *g = c->team->groups;
    if (!in_parts(c) || !coll_is_leader(c) || from_root(c, g->own) == 0)
        return;
    for (int i = 1; i < g->n; i++) {
        int group = g->own + i < g->n ? g->own + i : g->own + i - g->n, d = from_root(c, group);
        if (d > 0)
            fetch_part(c, d - 1, coll_leader_pe(c, group), c->dest);
    }
}

static void copy_from_leader(struct coll_call *c)
{
    if (!coll_is_leader(c) && from_root(c, c->team->groups->own) > 0)
        core_copy(c->dest, coll_at(c, coll_own_leader(c->team), c->dest), c->n);
    coll_meet(c); /* source and the leaders' dests may change when all have it */
}

bool coll_broadcast_net(struct coll_call *c)
{
    static const struct coll_stage stages[] = {
        {coll_at_once, coll_meet},     {coll_sync_poll, fetch_from_root},
        {coll_moved, meet_if_parts},   {met_if_parts, fetch_from_leaders},
        {coll_moved, coll_node_start}, {coll_node_poll, copy_from_leader},
        {coll_sync_poll, NULL},
    };
    return COLL_STAGES_STEP(c, stages);
}
