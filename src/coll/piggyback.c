/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives of little data on several nodes: the data travels with the signals
 * of one barrier, so they take no more hand-overs than it does. In round k a
 * leader hands what it has to the group 2^k ahead: after the last round every
 * leader has everything.
 *
 * Every node's data lies in its leader's `exchange`: of broadcasts root's bytes,
 * of the others one entry for each group, entry i of the group i behind. In
 * round k entries 0 to 2^k - 1 become the receiver's 2^k and following.
 */
#include <string.h>

#include "coll/internal.h"

static char *exchange(const struct coll_call *c)
{
    return coll_sync_of(c->team, coll_own_leader(c->team))->exchange[c->epoch & 1];
}

/* ... of the barrier about to start */
static char *next_exchange(const struct coll_call *c)
{
    return coll_sync_of(c->team, coll_own_leader(c->team))->exchange[(c->team->epoch + 1) & 1];
}

/* What group `group` may hand on in this round: entries before this. */
static int entries(const struct coll_groups *g, int round)
{
    int have = 1 << round, lacking = g->n - have;
    return have < lacking ? have : lacking;
}

static int behind(const struct coll_groups *g, int group, int i)
{
    return group >= i ? group - i : group - i + g->n;
}

/* Members of the groups in entries [0, i) of a group. */
static size_t members(const struct coll_groups *g, int group, int i)
{
    int lo = group + 1 - i;
    if (lo >= 0)
        return (size_t)(g->first[group + 1] - g->first[lo]);
    return (size_t)(g->first[group + 1] + g->size - g->first[lo + g->n]);
}

/* ---- broadcast ---- */

static struct coll_piece root_piece(struct coll_call *c, int round)
{
    const struct coll_groups *g = c->team->groups;
    int from_root = behind(g, g->own, g->group_of[c->root]), ahead = 1 << round;
    if (from_root >= ahead || from_root + ahead >= g->n)
        return (struct coll_piece){0};
    return (struct coll_piece){exchange(c), exchange(c), c->n};
}

bool coll_broadcast_piggyback(struct coll_call *c)
{
    static const struct coll_piggyback piggyback = {.piece = root_piece};
    bool root = c->team->rank == c->root;
    if (c->phase++ == 0) {
        if (root)
            core_copy(next_exchange(c), c->source, c->n);
        coll_sync_start_with(c, &piggyback);
    }
    if (!coll_sync_poll(c))
        return false;
    if (!root)
        core_copy(c->dest, exchange(c), c->n);
    else if (!c->root_keeps && c->dest != c->source)
        core_copy(c->dest, c->source, c->n);
    return true;
}

/* ---- everybody's bytes to everybody ---- */

static size_t share(const struct coll_call *c)
{
    return c->kind == COLL_ALLTOALL ? c->n * c->nelems * (size_t)c->team->size : c->kind == COLL_COLLECT ? 8 : c->n;
}

static struct coll_piece members_piece(struct coll_call *c, int round)
{
    const struct coll_groups *g = c->team->groups;
    int ahead = 1 << round, to = g->own + ahead < g->n ? g->own + ahead : g->own + ahead - g->n;
    char *block = exchange(c);
    return (struct coll_piece){block + members(g, to, ahead) * share(c), block,
                               members(g, g->own, entries(g, round)) * share(c)};
}
static const struct coll_piggyback members_piggyback = {.piece = members_piece};

/* Where this PE puts its bytes before the start, and finds rank's after it. */
static char *own_entry(const struct coll_call *c)
{
    return next_exchange(c) + (size_t)coll_own_place(c->team) * share(c);
}

const char *coll_piggybacked(const struct coll_call *c, int rank)
{
    const struct coll_groups *g = c->team->groups;
    int group = g->group_of[rank];
    size_t before = members(g, g->own, behind(g, g->own, group));
    return exchange(c) + (before + (size_t)(g->place_of[rank] - g->first[group])) * share(c);
}

void coll_piggyback_start(struct coll_call *c, const void *data)
{
    core_copy(own_entry(c), data, share(c));
    coll_sync_start_with(c, &members_piggyback);
}

bool coll_fcollect_piggyback(struct coll_call *c)
{
    if (c->phase++ == 0)
        coll_piggyback_start(c, c->source);
    if (!coll_sync_poll(c))
        return false;
    for (int r = 0; r < c->team->size; r++)
        core_copy((char *)c->dest + (size_t)r * c->n, coll_piggybacked(c, r), c->n);
    return true;
}

/* Block j of everybody's source to or from a contiguous place. */
static void pack(const struct coll_call *c, char *to)
{
    size_t block = c->n * c->nelems;
    ptrdiff_t step = c->source_step * (ptrdiff_t)c->n;
    for (int r = 0; r < c->team->size; r++, to += block)
        core_copy_strided(to, (ptrdiff_t)c->n, (const char *)c->source + r * (ptrdiff_t)c->nelems * step, step, c->n,
                          c->nelems);
}

bool coll_alltoall_piggyback(struct coll_call *c)
{
    if (c->phase++ == 0) {
        pack(c, own_entry(c));
        coll_sync_start_with(c, &members_piggyback);
    }
    if (!coll_sync_poll(c))
        return false;
    size_t block = c->n * c->nelems;
    ptrdiff_t step = c->dest_step * (ptrdiff_t)c->n;
    for (int r = 0; r < c->team->size; r++)
        core_copy_strided((char *)c->dest + r * (ptrdiff_t)c->nelems * step, step,
                          coll_piggybacked(c, r) + (size_t)c->team->rank * block, (ptrdiff_t)c->n, c->n, c->nelems);
    return true;
}

static const void *piggybacked(const struct coll_call *c, int rank)
{
    return coll_piggybacked(c, rank);
}

bool coll_scan_piggyback(struct coll_call *c)
{
    if (c->phase++ == 0)
        coll_piggyback_start(c, c->source);
    if (!coll_sync_poll(c))
        return false;
    coll_scan_fold(c, piggybacked);
    return true;
}

/* ---- reduction: leaders combine their node's vectors, then all nodes' ---- */

void coll_hand_in(struct coll_call *c)
{
    core_copy(c->team->sync->share[(c->team->epoch + 1) & 1], c->source, c->n);
}

void coll_combine_node(struct coll_call *c, char *acc)
{
    const struct coll_groups *g = c->team->groups;
    int e = c->epoch & 1;
    if (acc != c->team->sync->share[e])
        core_copy(acc, c->team->sync->share[e], c->n);
    for (int i = g->first[g->own] + 1; i < g->first[g->own + 1]; i++)
        coll_op_find(c->op, c->type)(acc, coll_sync_of(c->team, g->by_group[i])->share[e], acc, c->nelems);
}

static void combine_node(struct coll_call *c)
{
    coll_combine_node(c, exchange(c));
}

static struct coll_piece nodes_piece(struct coll_call *c, int round)
{
    char *block = exchange(c);
    return (struct coll_piece){block + ((size_t)1 << round) * c->n, block,
                               (size_t)entries(c->team->groups, round) * c->n};
}

/* In the same order on all nodes, so that all have the same sums. */
static void combine_nodes(struct coll_call *c)
{
    const struct coll_groups *g = c->team->groups;
    char *acc = coll_result(c), *block = exchange(c);
    core_copy(acc, block + (size_t)behind(g, g->own, 0) * c->n, c->n);
    for (int i = 1; i < g->n; i++)
        coll_op_find(c->op, c->type)(acc, block + (size_t)behind(g, g->own, i) * c->n, acc, c->nelems);
}

bool coll_reduce_piggyback(struct coll_call *c)
{
    static const struct coll_piggyback piggyback = {
        .gathered = combine_node, .piece = nodes_piece, .last = combine_nodes};
    if (c->phase++ == 0) {
        coll_hand_in(c);
        coll_sync_start_with(c, &piggyback);
    }
    if (!coll_sync_poll(c))
        return false;
    core_copy(c->dest, coll_result(c), c->n);
    return true;
}
