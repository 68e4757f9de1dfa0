/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which steps a program may have: it comes from a file, and may be anything.
 */
#include <math.h>

#include "predict/sim.h"

bool sim_step_is_sound(const struct sim_machine *m, const struct sim_step *s, uint32_t last)
{
    bool needs_peer =
        (s->op >= SIM_SEND && s->op <= SIM_GET && s->op != SIM_WAIT) || s->op == SIM_IPUT || s->op == SIM_IGET;

    return s->pe < (uint32_t)m->pes && s->pe >= last && s->op < SIM_OPS && s->peer < m->pes &&
           (s->peer >= 0 || !needs_peer) && isfinite(s->seconds) && s->seconds >= 0;
}
