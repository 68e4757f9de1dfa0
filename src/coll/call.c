/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starting, stepping and finishing a collective call.
 */
#include <stdlib.h>

#include "coll/internal.h"

static const struct coll_algorithm algorithms[] = {
#define ALGORITHM(kind, step, max_bytes, where) {kind, #step, step, max_bytes, where},
#include "coll/algorithms.def"
#undef ALGORITHM
};

/* Bytes that each member hands in. */
static size_t share(const struct coll_call *c)
{
    return c->kind == COLL_ALLTOALL ? c->n * c->nelems * (size_t)c->team->size : c->n;
}

static bool fits(const struct coll_call *c, const struct coll_algorithm *a)
{
    const struct coll_team *t = c->team;
    if (a->kind != c->kind || c->n > a->max_bytes || !(a->where & t->way))
        return false;
    if ((a->where & COLL_IF_MANY && !coll_many(t)) || (a->where & COLL_IF_FEW && coll_many(t)))
        return false;
    if ((a->where & COLL_ON_POW2) && (t->size & (t->size - 1)) != 0)
        return false;
    size_t times = a->where & COLL_IF_ALL_FIT     ? (size_t)t->size
                   : a->where & COLL_IF_NODES_FIT  ? (size_t)t->groups->n
                   : a->where & COLL_IF_ROUNDS_FIT ? (size_t)coll_pairs_rounds(t->groups->n)
                                                   : 0;
    return times == 0 || share(c) <= COLL_EXCHANGE / times;
}

static const struct coll_algorithm *choose(const struct coll_call *c)
{
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        if (fits(c, &algorithms[i]))
            return &algorithms[i];
    core_fatal("%s: no algorithm serves a call of kind %d", c->where, c->kind);
}

void coll_start(struct coll_call *c)
{
    c->algorithm = choose(c);
    c->phase = 0;
    c->result = 0;
    c->flow = (struct core_flow){0};
    c->buffer = NULL;
}

static bool step(struct coll_call *c)
{
    if (!c->algorithm->step(c))
        return false;
    if (c->team->groups) {
        core_flow_finish(&c->flow);
        free(c->buffer);
        c->buffer = NULL;
    }
    return true;
}

/* Who steps by hand makes progress with the network by that. */
bool coll_step(struct coll_call *c)
{
    if (c->team->groups)
        core_progress();
    return step(c);
}

void coll_wait(struct coll_call *c)
{
    if (step(c))
        return;
    struct core_waiter w;
    core_wait_begin(&w, c->where);
    do {
        core_wait_pause(&w);
        if (MPT_UNLIKELY(w.phase != 0) && core_anyone_left())
            coll_check_members(c->team, &w);
    } while (!step(c));
    core_wait_end(&w);
}

int coll_run(struct coll_call *c)
{
    coll_start(c);
    coll_wait(c);
    return c->result;
}
