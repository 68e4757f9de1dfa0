/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A queue for each PE, through one table of the messages that come next.
 */
#include "predict/turn.h"

#include <stdlib.h>

#include "predict/sim.h"

struct sim_turn {
    int first, last; /* -1: none is under way */
};

void sim_turns_make(struct sim_turns *t, int pes)
{
    *t = (struct sim_turns){.of = sim_make((size_t)pes, sizeof *t->of)};
    for (int i = 0; i < pes; i++)
        t->of[i].first = t->of[i].last = -1;
}

bool sim_turn_take(struct sim_turns *t, int pe, int message)
{
    struct sim_turn *own = &t->of[pe];
    bool now = own->first < 0;

    if (message >= t->room)
        t->next = sim_grow(t->next, t->room = 2 * message + 64, sizeof *t->next);
    t->next[message] = -1;
    if (now)
        own->first = message;
    else
        t->next[own->last] = message;
    own->last = message;
    return now;
}

int sim_turn_pass(struct sim_turns *t, int pe, int message)
{
    struct sim_turn *own = &t->of[pe];

    if (own->first != message)
        return -1;
    own->first = t->next[message];
    return own->first;
}

void sim_turns_free(struct sim_turns *t)
{
    free(t->of);
    free(t->next);
}
