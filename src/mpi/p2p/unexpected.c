/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The unexpected queue: messages that no receive has matched.
 */
#include <sched.h>

#include "mpi/p2p/p2p.h"

static struct mpii_p2p_state *const p2p = &mpii_state.p2p;

/* Kept by size: most messages are short, and many of them may wait. */
static const size_t rooms[] = {64, 256, CORE_SEND_MAX - P2P_SHORT, CORE_SEND_RNDV_MAX};
enum { ROOMS = sizeof rooms / sizeof *rooms, SPARE_BYTES = 256 << 10 };
_Static_assert((int)ROOMS == (int)P2P_HELD_SIZES, "one list for each size");

static unsigned room_for(size_t n)
{
    unsigned i = 0;

    while (i < ROOMS - 1 && rooms[i] < n)
        i++;
    return i;
}

static struct mpii_p2p_arrived *arrived_new(size_t n)
{
    unsigned i = room_for(n);
    struct mpii_p2p_arrived *a = p2p->spare_held[i].first;

    if (MPT_LIKELY(a != NULL)) {
        p2p->spare_held[i].first = a->next;
        p2p->spare_held[i].bytes -= rooms[i];
    } else if (!(a = malloc(sizeof *a + rooms[i]))) {
        core_fatal("out of memory for a message of %zu bytes that no receive has matched", n);
    }
    a->room = rooms[i];
    return a;
}

void mpii_p2p_arrived_free(struct mpii_p2p_arrived *a)
{
    unsigned i = room_for(a->room);

    if (p2p->spare_held[i].bytes >= SPARE_BYTES) {
        free(a);
        return;
    }
    a->next = p2p->spare_held[i].first;
    p2p->spare_held[i].first = a;
    p2p->spare_held[i].bytes += a->room;
}

void mpii_p2p_unexpected_hold(struct mpii_p2p_context *c, const struct mpii_p2p_mail *m)
{
    struct mpii_p2p_arrived *a = arrived_new(m->data ? m->n : 0);

    a->node.source = m->source;
    a->node.tag = m->tag;
    a->told = false;
    a->context = c;
    a->mail = *m;
    if (MPT_UNLIKELY(m->label != NULL)) {
        mpii_p2p_label_unexpected(m);
        a->label = *m->label;
        a->mail.label = &a->label;
    }
    if (m->data) {
        a->mail.data = a->data;
        core_copy(a->data, m->data, m->n);
    } else if (m->n) {
        a->rndv = *m->rndv;
        a->mail.rndv = &a->rndv;
    }
    match_hold(&c->q, &a->node);
    mpii_state.counters.unexpected++;
}

/* The oldest of as many sources as fit: any of them. Those after SOURCES_MOST are not looked for. */
struct match_node *mpii_p2p_find_any(const struct match_queue *q, struct match_node *oldest, int tag)
{
    enum { SOURCES_MOST = 64 };
    struct match_node *of[SOURCES_MOST];
    unsigned n = 0;

    if (!core_adversary_does(CORE_ADVERSARY_WILDCARD))
        return oldest;
    for (struct match_node *m = q->arrived.order.first; m && n < SOURCES_MOST; m = m->link[MATCH_ORDER].next) {
        unsigned i = 0;

        while (i < n && of[i]->source != m->source)
            i++;
        if (i == n && (tag == MPI_ANY_TAG || m->tag == tag))
            of[n++] = m;
    }
    return of[core_adversary_choose(n)];
}

/* Nobody will receive it. */
static void drop_body(const struct mpii_p2p_arrived *a)
{
    if (a->mail.data || !a->mail.n)
        return;
    if (a->mail.form == P2P_IS_OFFER)
        while (!mpii_p2p_offer_drop(&a->rndv)) /* soon: its sender is copying it */
            sched_yield();
    else
        mpii_p2p_fetch_end(&a->rndv);
}

void mpii_p2p_unexpected_drop(struct mpii_p2p_context *c, struct match_node *n)
{
    struct mpii_p2p_arrived *a = (struct mpii_p2p_arrived *)(void *)n;

    match_take(&c->q, n);
    drop_body(a);
    mpii_p2p_arrived_free(a);
}

bool mpii_p2p_has_arrived(struct mpii_comm *c, enum mpii_lane lane, int source, int tag)
{
    struct mpii_p2p_context *there = mpii_p2p_context_of(c, lane);

    return there && match_find(&there->q, source, tag);
}
