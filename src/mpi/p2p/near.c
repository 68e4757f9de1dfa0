/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With MPT_CHECK: who can end a wait for a message, the call in words, and which message has come that nearly fits: of
 * those that differ in one thing the one that differs least.
 */
#include <stdio.h>

#include "mpi/p2p/p2p.h"

void mpii_p2p_awaited(struct core_wire_blocked_thread *b, const struct mpii_comm *c, int source)
{
    if (source != MPI_ANY_SOURCE) {
        core_blocked_pe(b, c->procs[source]);
        return;
    }
    for (int i = 0; i < c->nprocs; i++)
        core_blocked_pe(b, c->procs[i]);
}

/* ----------------------------------------------------------------- in words -- */

static const char *number(char text[16], const char *what, int value, int any, const char *any_name)
{
    if (value == any)
        return any_name;
    snprintf(text, 16, "%s%d", what, value);
    return text;
}

static const char *comm_name(const struct mpii_comm *c)
{
    return c && c->name[0] ? c->name : "a communicator without a name";
}

void mpii_p2p_say_call(char text[MPII_AWAIT_TEXT], const char *way, const struct mpii_comm *c, int rank, int tag,
                       MPI_Count count, const struct mpii_type *t)
{
    char ranks[16], tags[16], data[64] = "";

    if (t)
        snprintf(data, sizeof data, ", %lld %.40s", (long long)count, t->name[0] ? t->name : "of a derived type");
    snprintf(text, MPII_AWAIT_TEXT, "%s %s, %s, %.40s%s", way,
             number(ranks, "rank ", rank, MPI_ANY_SOURCE, "MPI_ANY_SOURCE"),
             number(tags, "tag ", tag, MPI_ANY_TAG, "MPI_ANY_TAG"), comm_name(c), data);
}

/* -------------------------------------------------------- what nearly fits -- */

enum differs { IN_TAG, IN_SOURCE, IN_CONTEXT, TOO_MUCH };

struct near {
    enum differs how;
    const struct mpii_p2p_arrived *message;
};

static bool fits(int wanted, int is, int any)
{
    return wanted == any || wanted == is;
}

static void look(struct near *best, const struct mpii_p2p_context *there, bool same, int source, int tag)
{
    for (const struct match_node *n = there->q.arrived.order.first; n; n = n->link[MATCH_ORDER].next) {
        const bool source_fits = fits(source, n->source, MPI_ANY_SOURCE), tag_fits = fits(tag, n->tag, MPI_ANY_TAG);
        enum differs how = TOO_MUCH;

        if (same)
            how = source_fits ? IN_TAG : tag_fits ? IN_SOURCE : TOO_MUCH;
        else if (source_fits && tag_fits)
            how = IN_CONTEXT;
        if (how < best->how)
            *best = (struct near){how, (const struct mpii_p2p_arrived *)(const void *)n};
    }
}

static const char *comm_of(uint64_t key)
{
    const struct mpii_comm *world = mpii_state.comm.world;

    return world && key == world->context + MPII_LANE_USER ? "MPI_COMM_WORLD" : "another communicator";
}

/* Of the program's messages only: the library's own lie on other lanes. */
void mpii_p2p_say_miss(char text[MPII_AWAIT_TEXT], const struct mpii_comm *c, uint64_t key, int source, int tag)
{
    const unsigned n = mpii_state.p2p.contexts.chain ? mpii_state.p2p.contexts.mask + 1 : 0;
    struct near best = {TOO_MUCH, NULL};
    const struct match_node *m;
    char tags[16], sources[16];

    if (key != c->context + MPII_LANE_USER)
        return;
    for (unsigned i = 0; i < n; i++)
        for (const struct mpii_p2p_context *there = mpii_state.p2p.contexts.chain[i]; there; there = there->next)
            if (there->key % MPII_LANES == key % MPII_LANES)
                look(&best, there, there->key == key, source, tag);
    if (best.how == TOO_MUCH)
        return;
    m = &best.message->node;
    number(tags, "", tag, MPI_ANY_TAG, "any");
    number(sources, "", source, MPI_ANY_SOURCE, "any");
    if (best.how == IN_TAG)
        snprintf(text, MPII_AWAIT_TEXT, "rank %d has a message from rank %d with tag %d; this receive wants tag %s",
                 c->rank, m->source, m->tag, tags);
    else if (best.how == IN_SOURCE)
        snprintf(text, MPII_AWAIT_TEXT, "rank %d has a message from rank %d with tag %d; this receive wants rank %s",
                 c->rank, m->source, m->tag, sources);
    else
        snprintf(text, MPII_AWAIT_TEXT,
                 "rank %d has a message from rank %d with tag %d on %s; this receive is on %.40s", c->rank, m->source,
                 m->tag, comm_of(best.message->context->key), comm_name(c));
}

/* ------------------------------------------------------------------ probes -- */

static void who(const void *arg, struct core_wire_blocked_thread *b)
{
    const struct mpii_p2p_probing *p = arg;

    core_blocked_any(b);
    mpii_p2p_awaited(b, p->comm, p->source);
}

static void say(const void *arg, struct core_wire_blocked_thread *b)
{
    const struct mpii_p2p_probing *p = arg;
    char text[MPII_AWAIT_TEXT] = "", miss[MPII_AWAIT_TEXT] = "";

    mpii_lock();
    mpii_p2p_say_call(text, "from", p->comm, p->source, p->tag, 0, NULL);
    mpii_p2p_say_miss(miss, p->comm, p->comm->context + MPII_LANE_USER, p->source, p->tag);
    mpii_unlock();
    core_blocked_call(b, "%s(%s)", p->call, text);
    if (miss[0])
        core_blocked_miss(b, "%s", miss);
}

const struct core_blocked_by *mpii_p2p_probe_by(struct mpii_p2p_probing *p)
{
    p->by = (struct core_blocked_by){who, say, p};
    return &p->by;
}
