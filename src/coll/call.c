/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starting, stepping and finishing a collective call.
 */
#include <stdlib.h>

#include "coll/blocked.h"

static void start(struct coll_call *c, coll_stepper *step)
{
    c->step = step;
    c->phase = 0;
    c->result = 0;
    c->flow = (struct core_flow){0};
    c->buffer = NULL;
}

void coll_start(struct coll_call *c)
{
    start(c, coll_choose(c, true)->step);
}

static bool step(struct coll_call *c)
{
    if (!c->step(c))
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
    struct core_blocked_by by;
    struct core_waiter w;
    core_wait_begin(&w, c->where);
    if (MPT_UNLIKELY(core_params.check))
        core_wait_by(&w, coll_blocked_team(&by, c->team));
    do {
        core_wait_pause(&w);
        if (MPT_UNLIKELY(core_wait_is_slow(&w)) && core_anyone_left())
            coll_check_members(c->team, &w);
    } while (!step(c));
    core_wait_end(&w);
}

int coll_run(struct coll_call *c)
{
    const struct coll_row *row = coll_choose(c, c->meets);

    core_adversary_at_call();
    if (!row->step) {
        if (coll_team_block_run(c, row->slots))
            return 0;
        row = coll_choose(c, true);
    }
    start(c, row->step);
    coll_wait(c);
    return c->result;
}
