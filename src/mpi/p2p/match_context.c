/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The contexts in which messages match: those of this process's communicators,
 * and those of messages that came before their communicator.
 */
#include "mpi/p2p/p2p.h"

static struct mpii_p2p_state *const p2p = &mpii_state.p2p;

static inline unsigned hash(uint64_t key)
{
    return (unsigned)((key * 0x9e3779b97f4a7c15u) >> 40);
}

static void rehash(unsigned chains)
{
    struct mpii_p2p_context **chain = calloc(chains, sizeof *chain);

    if (!chain) {
        if (!p2p->contexts.chain)
            core_fatal("out of memory for the table of communicators");
        return;
    }
    for (unsigned i = 0; p2p->contexts.chain && i <= p2p->contexts.mask; i++)
        for (struct mpii_p2p_context *c = p2p->contexts.chain[i], *next; c; c = next) {
            next = c->next;
            c->next = chain[hash(c->key) & (chains - 1)];
            chain[hash(c->key) & (chains - 1)] = c;
        }
    free(p2p->contexts.chain);
    p2p->contexts.chain = chain;
    p2p->contexts.mask = chains - 1;
}

struct mpii_p2p_context *mpii_p2p_context_find(uint64_t key)
{
    struct mpii_p2p_context *c = p2p->contexts.chain ? p2p->contexts.chain[hash(key) & p2p->contexts.mask] : NULL;

    while (c && c->key != key)
        c = c->next;
    return c;
}

struct mpii_p2p_context *mpii_p2p_context_make(uint64_t key)
{
    struct mpii_p2p_context *c = mpii_p2p_context_find(key), **at;

    if (c)
        return c;
    if (!p2p->contexts.chain || p2p->contexts.n > p2p->contexts.mask)
        rehash(p2p->contexts.chain ? 2 * (p2p->contexts.mask + 1) : 64);
    c = malloc(sizeof *c);
    if (!c)
        core_fatal("out of memory for the messages of a communicator");
    match_init(&c->q);
    c->key = key;
    at = &p2p->contexts.chain[hash(key) & p2p->contexts.mask];
    c->next = *at;
    *at = c;
    p2p->contexts.n++;
    return c;
}

struct mpii_p2p_context *mpii_p2p_context_open(struct mpii_comm *c, enum mpii_lane lane)
{
    struct mpii_p2p_context **lanes = c->match;

    if (!lanes) {
        lanes = calloc(MPII_LANES, sizeof *lanes);
        if (!lanes)
            core_fatal("out of memory for the messages of a communicator");
        c->match = lanes;
    }
    if (!lanes[lane])
        lanes[lane] = mpii_p2p_context_make(c->context + lane);
    return lanes[lane];
}

/* What nobody has received by then nobody can receive. */
static void context_free(struct mpii_p2p_context *c)
{
    struct mpii_p2p_context **at = &p2p->contexts.chain[hash(c->key) & p2p->contexts.mask];
    struct match_node *n;

    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    p2p->contexts.n--;
    if (p2p->last_context == c)
        p2p->last_context = NULL;
    if (MPT_UNLIKELY(core_params.check) && !mpii_state.ft.on)
        mpii_p2p_tell_unreceived(c);
    while ((n = c->q.arrived.order.first))
        mpii_p2p_unexpected_drop(c, n);
    match_finish(&c->q);
    free(c);
}

void mpii_match_forget(struct mpii_comm *c)
{
    struct mpii_p2p_context **lanes = c->match;

    for (int i = 0; i < MPII_LANES; i++) {
        struct mpii_p2p_context *there = lanes && lanes[i] ? lanes[i] : mpii_p2p_context_find(c->context + (unsigned)i);

        if (there)
            context_free(there);
    }
    free(lanes);
    c->match = NULL;
    free(c->bsend); /* empty: what was in it held c */
    c->bsend = NULL;
}
