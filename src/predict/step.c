/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which steps a program may have: it comes from a file, and may be anything.
 */
#include <math.h>
#include <stdio.h>

#include "predict/sim.h"

/* `last`: the PE of the step before. */
static bool is_sound(const struct sim_machine *m, const struct sim_step *s, uint32_t last)
{
    bool needs_peer =
        (s->op >= SIM_SEND && s->op <= SIM_GET && s->op != SIM_WAIT) || s->op == SIM_IPUT || s->op == SIM_IGET;

    return s->pe < (uint32_t)m->pes && s->pe >= last && s->op < SIM_OPS && s->peer < m->pes &&
           (s->peer >= 0 || !needs_peer) && isfinite(s->seconds) && s->seconds >= 0;
}

bool sim_steps_are_sound(const struct sim_machine *m, const struct sim_step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct sim_step *s = &steps[i];

        if (is_sound(m, s, i > 0 ? steps[i - 1].pe : 0))
            continue;
        fprintf(stderr, "mptsim: step %zu of the program: PE %u, operation %u, peer %d: no such step can be\n", i,
                s->pe, s->op, s->peer);
        return false;
    }
    return true;
}
