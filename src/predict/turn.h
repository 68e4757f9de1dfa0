/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long transfers that a PE begins without waiting for them leave one after the other, as its one interface moves them:
 * of two at once neither would be there before both were.
 */
#ifndef PREDICT_TURN_H
#define PREDICT_TURN_H

#include <stdbool.h>

struct sim_turns {
    struct sim_turn *of; /* of each PE */
    int *next, room;     /* by message: whose turn comes after it */
};

void sim_turns_make(struct sim_turns *t, int pes);
/* True: this message of the PE leaves now. False: it waits for its turn. */
bool sim_turn_take(struct sim_turns *t, int pe, int message);
/* This one is there: which leaves now; -1: none, or it had no turn. */
int sim_turn_pass(struct sim_turns *t, int pe, int message);
void sim_turns_free(struct sim_turns *t);

#endif
