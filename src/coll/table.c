/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The algorithms of teams, out of the table for all faces.
 */
#include "coll/internal.h"

static const struct coll_row *const table[COLL_KINDS] = {
#define KIND(kind, ...) [kind] = (const struct coll_row[]){__VA_ARGS__{0}},
#define STEP(function, ...) {.step = function, __VA_ARGS__},
#define TEAM_SLOTS(function, ...) {.slots = function, __VA_ARGS__},
#include "coll/algorithms.def"
};

/* Bytes that each member hands in. */
static size_t share(const struct coll_call *c)
{
    return c->kind == COLL_ALLTOALL ? c->n * c->nelems * (size_t)c->team->size : c->n;
}

static bool needs_met(const struct coll_call *c, unsigned needs)
{
    const struct coll_team *t = c->team;
    size_t times;

    if ((needs & COLL_MANY && !coll_many(t)) || (needs & COLL_FEW && coll_many(t)))
        return false;
    if (needs & COLL_DENSE && (c->dest_step != 1 || c->source_step != 1))
        return false;
    if (needs & COLL_POW2 && (t->size & (t->size - 1)) != 0)
        return false;
    times = needs & COLL_ALL_FIT      ? (size_t)t->size
            : needs & COLL_NODES_FIT  ? (size_t)t->groups->n
            : needs & COLL_ROUNDS_FIT ? (size_t)coll_pairs_rounds(t->groups->n)
                                      : 0;
    return times == 0 || share(c) <= COLL_EXCHANGE / times;
}

static bool fits(const struct coll_call *c, const struct coll_row *row)
{
    size_t bytes = c->kind == COLL_ALLTOALL ? c->n * c->nelems : c->n;

    return row->teams & c->team->way && coll_row_fits(row, c->team->size, (int64_t)bytes) && needs_met(c, row->needs);
}

const struct coll_row *coll_choose(const struct coll_call *c, bool steps)
{
    for (const struct coll_row *row = table[c->kind]; row->step || row->slots; row++)
        if ((row->step || !steps) && fits(c, row))
            return row;
    core_fatal("%s: no algorithm serves a call of kind %d", c->where, c->kind);
}
