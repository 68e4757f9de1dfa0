/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starting, stepping and finishing a collective call.
 */
#include "coll/internal.h"

static const struct coll_algorithm algorithms[] = {
#define ALGORITHM(kind, step, max_bytes, where) {kind, #step, step, max_bytes, where},
#include "coll/algorithms.def"
#undef ALGORITHM
};

static const struct coll_algorithm *choose(const struct coll_call *c)
{
    const struct coll_team *t = c->team;
    bool pow2 = (t->size & (t->size - 1)) == 0;
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        const struct coll_algorithm *a = &algorithms[i];
        if (a->kind == c->kind && c->n <= a->max_bytes && (a->where & t->way) && (pow2 || !(a->where & COLL_ON_POW2)))
            return a;
    }
    core_fatal("%s: no algorithm serves a call of kind %d", c->where, c->kind);
}

void coll_start(struct coll_call *c)
{
    c->algorithm = choose(c);
    c->phase = 0;
    c->result = 0;
}

bool coll_step(struct coll_call *c)
{
    return c->algorithm->step(c);
}

void coll_wait(struct coll_call *c)
{
    if (coll_step(c))
        return;
    struct core_waiter w;
    core_wait_begin(&w, c->where);
    do {
        core_wait_pause(&w);
        if (MPT_UNLIKELY(w.phase != 0) && core_anyone_left())
            coll_check_members(c->team, &w);
    } while (!coll_step(c));
    core_wait_end(&w);
}

int coll_run(struct coll_call *c)
{
    coll_start(c);
    coll_wait(c);
    return c->result;
}
