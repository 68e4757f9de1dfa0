/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions and scans of much data on several nodes. The vector is cut so that
 * every member of every node has its range.
 *   reduce  members combine their node's vectors, a share each, into the
 *           leader's dest; then each fetches its range from all leaders, combines
 *           it in group order (so that the sums are the same everywhere) and puts
 *           it into all leaders' dests; members copy from their leader
 *   scan    each fetches its range of everybody's vector and puts everybody's
 *           result back
 * A range of the sources is read by its owner only, before it writes there: source
 * and dest may be the same array.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/stages.h"

enum { BUFFER = 1 << 20 }; /* bytes of private memory for a call, about */

char *coll_buffer(struct coll_call *c, size_t n)
{
    c->buffer = malloc(n);
    if (!c->buffer)
        core_fatal("%s: no memory for a buffer of %zu bytes", c->where, n);
    return c->buffer;
}

struct range {
    size_t lo, hi; /* elements */
};

/* Elements of a piece when `copies` of it must fit the buffer. */
static size_t piece_of(const struct coll_call *c, int copies)
{
    size_t n = BUFFER / (size_t)copies / coll_element(c);
    return n ? n : 1;
}

/* What is to be done next of [.., range.hi): from c->at, one piece at most. */
static size_t piece_count(const struct coll_call *c, struct range range, int copies)
{
    size_t most = piece_of(c, copies), left = range.hi - c->at;
    return left < most ? left : most;
}

/* ---- reduce ---- */

static struct range reduce_range(const struct coll_call *c)
{
    const struct coll_groups *g = c->team->groups;
    int m = coll_own_size(c->team), i = coll_own_place(c->team);
    size_t lo = coll_cut(c->nelems, g->n, g->own), n = coll_cut(c->nelems, g->n, g->own + 1) - lo;
    return (struct range){lo + coll_cut(n, m, i), lo + coll_cut(n, m, i + 1)};
}

/* Where a group's combined vector lies, as an address of this PE's. */
static const char *node_vector(const struct coll_call *c, int group)
{
    return coll_group_size(c->team->groups, group) == 1 ? c->source : c->dest;
}

static void combine_share(struct coll_call *c)
{
    enum { BLOCK = 8192 };
    _Alignas(64) char acc[BLOCK];
    struct coll_team *t = c->team;
    const struct coll_groups *g = t->groups;
    int m = coll_own_size(t), leader = coll_own_leader(t), i = coll_own_place(t);
    size_t element = coll_element(c), hi = coll_cut(c->nelems, m, i + 1), most = BLOCK / element;
    for (size_t at = coll_cut(c->nelems, m, i); m > 1 && at < hi; at += most) {
        size_t count = hi - at < most ? hi - at : most, offset = at * element;
        core_copy(acc, coll_at(c, leader, (const char *)c->source + offset), count * element);
        for (int k = g->first[g->own] + 1; k < g->first[g->own + 1]; k++)
            coll_op_find(c->op, c->type)(acc, coll_at(c, g->by_group[k], (const char *)c->source + offset), acc, count);
        core_copy(coll_at(c, leader, (char *)c->dest + offset), acc, count * element);
    }
    coll_meet(c);
}

static void fetch_piece(struct coll_call *c)
{
    const struct coll_groups *g = c->team->groups;
    size_t element = coll_element(c), count = piece_count(c, reduce_range(c), g->n);
    for (int i = 1; count && i < g->n; i++) {
        int h = g->own + i < g->n ? g->own + i : g->own + i - g->n;
        core_get_nbi(&c->flow, coll_leader_pe(c, h), c->buffer + (size_t)h * count * element,
                     node_vector(c, h) + c->at * element, count * element);
    }
}

static void begin_range(struct coll_call *c)
{
    const struct coll_groups *g = c->team->groups;
    struct range range = reduce_range(c);
    c->at = range.lo;
    coll_buffer(c, (size_t)g->n * piece_count(c, range, g->n) * coll_element(c) + 1);
    fetch_piece(c);
}

static void combine_piece(struct coll_call *c)
{
    const struct coll_groups *g = c->team->groups;
    size_t element = coll_element(c), count = piece_count(c, reduce_range(c), g->n), n = count * element;
    size_t offset = c->at * element;
    int leader = coll_own_leader(c->team);
    if (count == 0)
        return;
    core_copy(c->buffer + (size_t)g->own * n, coll_at(c, leader, node_vector(c, g->own) + offset), n);
    for (int h = 1; h < g->n; h++)
        coll_op_find(c->op, c->type)(c->buffer, c->buffer + (size_t)h * n, c->buffer, count);
    for (int i = 1; i < g->n; i++) {
        int h = g->own + i < g->n ? g->own + i : g->own + i - g->n;
        core_put_nbi(&c->flow, coll_leader_pe(c, h), (char *)c->dest + offset, c->buffer, n);
    }
    core_copy(coll_at(c, leader, (char *)c->dest + offset), c->buffer, n);
}

enum { FETCHED = 3 }; /* index of the stage below that a next piece goes back to */

static void next_piece(struct coll_call *c)
{
    struct range range = reduce_range(c);
    c->at += piece_count(c, range, c->team->groups->n);
    if (c->at < range.hi) {
        fetch_piece(c);
        c->phase = FETCHED - 1;
    } else
        coll_meet(c);
}

static void copy_result(struct coll_call *c)
{
    if (!coll_is_leader(c))
        core_copy(c->dest, coll_at(c, coll_own_leader(c->team), c->dest), c->n);
    coll_node_start(c);
}

bool coll_reduce_net(struct coll_call *c)
{
    static const struct coll_stage stages[] = {
        {coll_at_once, coll_node_start}, {coll_node_poll, combine_share},
        {coll_sync_poll, begin_range},   [FETCHED] = {coll_moved, combine_piece},
        {coll_moved, next_piece},        {coll_sync_poll, copy_result},
        {coll_node_poll, NULL},
    };
    return COLL_STAGES_STEP(c, stages);
}

/* ---- scan ---- */

static struct range scan_range(const struct coll_call *c)
{
    int size = c->team->size, rank = c->team->rank;
    return (struct range){coll_cut(c->nelems, size, rank), coll_cut(c->nelems, size, rank + 1)};
}

/* Room for everybody's vector, for the prefix and for a copy. */
static size_t scan_count(const struct coll_call *c)
{
    return piece_count(c, scan_range(c), c->team->size + 2);
}

static void scan_fetch(struct coll_call *c)
{
    size_t n = scan_count(c) * coll_element(c), offset = c->at * coll_element(c);
    for (int i = 0; n && i < c->team->size; i++) {
        int r = c->team->rank + i < c->team->size ? c->team->rank + i : c->team->rank + i - c->team->size;
        core_get_nbi(&c->flow, coll_team_pe(c->team, r), c->buffer + (size_t)r * n, (const char *)c->source + offset,
                     n);
    }
}

static void scan_begin(struct coll_call *c)
{
    c->at = scan_range(c).lo;
    coll_buffer(c, (size_t)(c->team->size + 2) * scan_count(c) * coll_element(c) + 1);
    scan_fetch(c);
}

static void scan_fold(struct coll_call *c)
{
    size_t count = scan_count(c), n = count * coll_element(c), offset = c->at * coll_element(c);
    char *prefix = c->buffer + (size_t)c->team->size * n, *kept = prefix + n;
    memset(prefix, 0, n);
    for (int r = 0; n && r < c->team->size; r++) {
        char *own = c->buffer + (size_t)r * n;
        core_copy(kept, prefix, n);
        if (r == 0)
            core_copy(prefix, own, n);
        else
            coll_op_find(c->op, c->type)(prefix, own, prefix, count);
        core_copy(own, c->kind == COLL_EXSCAN ? kept : prefix, n);
        core_put_nbi(&c->flow, coll_team_pe(c->team, r), (char *)c->dest + offset, own, n);
    }
}

static void scan_next(struct coll_call *c)
{
    c->at += scan_count(c);
    if (c->at < scan_range(c).hi) {
        scan_fetch(c);
        c->phase = 1;
    } else
        coll_meet(c);
}

bool coll_scan_net(struct coll_call *c)
{
    static const struct coll_stage stages[] = {
        {coll_at_once, coll_meet}, {coll_sync_poll, scan_begin}, {coll_moved, scan_fold},
        {coll_moved, scan_next},   {coll_sync_poll, NULL},
    };
    return COLL_STAGES_STEP(c, stages);
}
