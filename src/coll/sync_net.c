/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The barrier of a team whose members are on several nodes, in two levels: the
 * members on a node arrive at their leader through shared memory, leaders meet
 * over the network, each releases its node.
 *   net         leaders: dissemination, log2(nodes) signals one after the other,
 *               each into a line of its own; data may travel along
 *   net words   in the caller's words, which are zero again afterwards: up a
 *               tree of leaders by counting, down by releasing
 * Every signal is awaited by its receiver before it completes the barrier: when
 * a team ends, none is under way that could reach the next owner of its block.
 * That is also why nobody asks for their completion (no flow).
 */
#include "coll/internal.h"

static void signal_leader(const struct coll_team *t, int group, struct coll_piece p, uint64_t *flag,
                          enum core_amo_op op, uint64_t value)
{
    int pe = coll_team_pe(t, coll_leader(t->groups, group));
    core_put_signal(NULL, pe, p.at, p.from, p.n, flag, op, value);
}

/* The last member to arrive on a node lets its leader look. */
static void arrive(const struct coll_team *t, uint64_t *count)
{
    int leader = coll_own_leader(t), all = coll_group_size(t->groups, t->groups->own);
    /* model: central.arrive */
    if (__atomic_add_fetch(count, 1, __ATOMIC_ACQ_REL) == (uint64_t)all && leader != t->rank)
        coll_wake(t, leader);
}

/* Leader: has the node arrived? Nobody counts again before the release. */
static bool all_arrived(const struct coll_team *t, uint64_t *count)
{
    /* model: central.all_here */
    if (__atomic_load_n(count, __ATOMIC_ACQUIRE) != (uint64_t)coll_group_size(t->groups, t->groups->own))
        return false;
    __atomic_store_n(count, 0, __ATOMIC_RELAXED);
    return true;
}

static void wake_node(const struct coll_team *t)
{
    const struct coll_groups *g = t->groups;
    for (int i = g->first[g->own]; i < g->first[g->own + 1]; i++)
        if (g->by_group[i] != t->rank)
            coll_wake(t, g->by_group[i]);
}

/* ---- in the team's block ---- */

void coll_net_send(struct coll_call *c, int line, int group, struct coll_piece p)
{
    struct coll_team *t = c->team;
    signal_leader(t, group, p, &t->sync->line[c->epoch & 1][line].flag, CORE_AMO_SET, c->epoch);
}

bool coll_net_came(const struct coll_call *c, int line)
{
    return __atomic_load_n(&c->team->sync->line[c->epoch & 1][line].flag, __ATOMIC_ACQUIRE) == c->epoch;
}

static void send_ahead(struct coll_call *c)
{
    const struct coll_groups *g = c->team->groups;
    int ahead = 1 << c->round, to = g->own + ahead < g->n ? g->own + ahead : g->own + ahead - g->n;
    struct coll_piece p = {0};
    if (c->piggyback)
        p = c->piggyback->piece(c, c->round);
    coll_net_send(c, c->round, to, p);
}

static bool disseminate(struct coll_call *c)
{
    if (c->round < 0) {
        c->round = 0;
        send_ahead(c);
    }
    while (coll_net_came(c, c->round)) {
        if (1 << ++c->round >= c->team->groups->n)
            return true;
        send_ahead(c);
    }
    return false;
}

enum { GATHERING = -2, GATHERED = -1 };

static bool gathered(struct coll_call *c)
{
    if (c->round != GATHERING)
        return true;
    if (!all_arrived(c->team, &c->team->sync->count))
        return false;
    if (c->piggyback && c->piggyback->gathered)
        c->piggyback->gathered(c);
    c->round = GATHERED;
    return true;
}

void coll_net_start(struct coll_call *c)
{
    c->round = GATHERING;
    arrive(c->team, &coll_sync_of(c->team, coll_own_leader(c->team))->count);
}

bool coll_net_poll(struct coll_call *c)
{
    struct coll_team *t = c->team;
    int leader = coll_own_leader(t);
    if (leader != t->rank)
        /* model: central.poll */
        return __atomic_load_n(&coll_sync_of(t, leader)->released, __ATOMIC_ACQUIRE) >= c->epoch;
    if (!gathered(c) || !(c->piggyback && c->piggyback->meet ? c->piggyback->meet : disseminate)(c))
        return false;
    if (c->piggyback && c->piggyback->last)
        c->piggyback->last(c);
    /* model: central.release */
    __atomic_store_n(&t->sync->released, c->epoch, __ATOMIC_RELEASE);
    wake_node(t);
    return true;
}

/* ---- in the caller's words ---- */

enum { BRANCHES = 4, ARRIVING = 0, COUNTING, WAITING };

/* Groups [*lo, *hi) are the children of this one in the tree. */
static void children(const struct coll_groups *g, int *lo, int *hi)
{
    *lo = g->own * BRANCHES + 1 < g->n ? g->own * BRANCHES + 1 : g->n;
    *hi = *lo + BRANCHES < g->n ? *lo + BRANCHES : g->n;
}

void coll_net_words_start(struct coll_call *c)
{
    c->round = ARRIVING;
    arrive(c->team, &coll_words_of(c->team, coll_own_leader(c->team))->count);
}

/* This PE's word was set by whoever lets it go, who cannot do it again before it has
 * arrived again. */
static bool take(uint64_t *word)
{
    if (!__atomic_load_n(word, __ATOMIC_ACQUIRE))
        return false;
    __atomic_store_n(word, 0, __ATOMIC_RELAXED);
    return true;
}

/* Set a word of every member on this node, but not this PE's. */
static void let_node_go(const struct coll_team *t, size_t offset)
{
    const struct coll_groups *g = t->groups;
    for (int i = g->first[g->own]; i < g->first[g->own + 1]; i++) {
        int r = g->by_group[i];
        if (r == t->rank)
            continue;
        __atomic_store_n((uint64_t *)((char *)coll_words_of(t, r) + offset), 1, __ATOMIC_RELEASE);
        coll_wake(t, r);
    }
}

/* Leader: up the tree, then wait for the way down. */
static bool climb(struct coll_call *c)
{
    struct coll_team *t = c->team;
    struct coll_words *w = t->words;
    const struct coll_groups *g = t->groups;
    int lo, hi;
    children(g, &lo, &hi);
    if (c->round == ARRIVING) {
        if (!all_arrived(t, &w->count))
            return false;
        c->round = COUNTING;
    }
    if (c->round == COUNTING) {
        if (__atomic_load_n(&w->net_count, __ATOMIC_ACQUIRE) != (uint64_t)(hi - lo))
            return false;
        __atomic_store_n(&w->net_count, 0, __ATOMIC_RELAXED);
        c->round = WAITING;
        if (g->own > 0)
            signal_leader(t, (g->own - 1) / BRANCHES, (struct coll_piece){0}, &w->net_count, CORE_AMO_ADD, 1);
    }
    if (g->own > 0 && !take(&w->release))
        return false;
    for (int i = lo; i < hi; i++)
        signal_leader(t, i, (struct coll_piece){0}, &w->release, CORE_AMO_SET, 1);
    return true;
}

bool coll_net_words_poll(struct coll_call *c)
{
    struct coll_team *t = c->team;
    if (coll_own_leader(t) != t->rank)
        return take(&t->words->release);
    if (!climb(c))
        return false;
    let_node_go(t, offsetof(struct coll_words, release));
    return true;
}

/* ---- of one node ---- */

/* Counted by itself: its epochs are not those of the lines. */
void coll_node_start(struct coll_call *c)
{
    struct coll_team *t = c->team;
    int leader = coll_own_leader(t), all = coll_group_size(t->groups, t->groups->own);
    uint64_t *count =
        t->way == COLL_ON_NET ? &coll_sync_of(t, leader)->node_count : &coll_words_of(t, leader)->node_count;
    c->node_epoch = ++t->node_epoch;
    if (__atomic_add_fetch(count, 1, __ATOMIC_ACQ_REL) != (uint64_t)all)
        return;
    __atomic_store_n(count, 0, __ATOMIC_RELAXED);
    if (t->way == COLL_ON_NET) {
        __atomic_store_n(&coll_sync_of(t, leader)->node_released, c->node_epoch, __ATOMIC_RELEASE);
        wake_node(t);
        return;
    }
    let_node_go(t, offsetof(struct coll_words, node_release));
    __atomic_store_n(&t->words->node_release, 1, __ATOMIC_RELEASE);
}

bool coll_node_poll(struct coll_call *c)
{
    struct coll_team *t = c->team;
    if (t->way != COLL_ON_NET)
        return take(&t->words->node_release);
    return __atomic_load_n(&coll_sync_of(t, coll_own_leader(t))->node_released, __ATOMIC_ACQUIRE) >= c->node_epoch;
}
