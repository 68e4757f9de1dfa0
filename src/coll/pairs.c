/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reduction of little data on very many nodes, whose vectors together would be
 * too much to hand round: leaders swap partial results with partners at doubling
 * distance. When the nodes are no power of two, the first few fold theirs into
 * their left neighbour's before, and get the result after. Always lower nodes
 * first, so that all have the same sums.
 */
#include "coll/internal.h"

/* Of n nodes: 2^doublings go through the swaps, `extra` fold before. */
struct plan {
    int doublings, extra;
};

static struct plan plan(int n)
{
    struct plan p = {0, 0};
    while (2 << p.doublings <= n)
        p.doublings++;
    p.extra = n - (1 << p.doublings);
    return p;
}

int coll_pairs_rounds(int nodes)
{
    return plan(nodes).doublings + 2;
}

struct partner {
    int group; /* -1: none in this round */
    bool send, receive;
};

/* Round 0: fold; 1 .. doublings: swap; then: give the result back. */
static struct partner partner_of(const struct coll_groups *g, struct plan p, int round)
{
    bool folds = g->own < 2 * p.extra, giver = folds && g->own % 2 == 1;
    if (round == 0 || round == p.doublings + 1)
        return (struct partner){folds ? g->own ^ 1 : -1, giver == (round == 0), giver != (round == 0)};
    if (giver)
        return (struct partner){-1, false, false};
    int place = folds ? g->own / 2 : g->own - p.extra, other = place ^ 1 << (round - 1);
    return (struct partner){other < p.extra ? 2 * other : other + p.extra, true, true};
}

static void take(struct coll_call *c, int from, const char *theirs, bool final)
{
    char *own = coll_result(c);
    bool higher = from > c->team->groups->own;
    if (final)
        core_copy(own, theirs, c->n);
    else
        coll_op_find(c->op, c->type)(higher ? own : theirs, higher ? theirs : own, own, c->nelems);
}

/* c->round counts half rounds: first the sending, then the receiving. */
static bool swap(struct coll_call *c)
{
    const struct coll_groups *g = c->team->groups;
    struct plan p = plan(g->n);
    if (c->round < 0)
        c->round = 0;
    for (; c->round < 2 * (p.doublings + 2); c->round++) {
        int round = c->round / 2;
        struct partner with = partner_of(g, p, round);
        char *inbox = c->team->sync->exchange[c->epoch & 1] + (size_t)round * c->n;
        if (with.group < 0)
            continue;
        if (c->round % 2 == 0 && with.send)
            coll_net_send(c, round, with.group, (struct coll_piece){inbox, coll_result(c), c->n});
        if (c->round % 2 == 0 || !with.receive)
            continue;
        if (!coll_net_came(c, round))
            return false;
        take(c, with.group, inbox, round == p.doublings + 1);
    }
    return true;
}

static void combine_node(struct coll_call *c)
{
    coll_combine_node(c, coll_result(c));
}

bool coll_reduce_pairs(struct coll_call *c)
{
    static const struct coll_piggyback piggyback = {.gathered = combine_node, .meet = swap};
    if (c->phase++ == 0) {
        coll_hand_in(c);
        coll_sync_start_with(c, &piggyback);
    }
    if (!coll_sync_poll(c))
        return false;
    core_copy(c->dest, coll_result(c), c->n);
    return true;
}
