/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With MPT_CHECK: PEs that wait for each other and for nobody else, found as soon as they do (knot.c), and the finding
 * (knot_say.c). For whoever watches all PEs of a job.
 */
#ifndef CORE_KNOT_H
#define CORE_KNOT_H

#include <stdbool.h>

#include "core/live/supervise.h"

struct core_knot;

/* One more look, some ms after the last one: true when some PEs can never go on, and have said all about it. */
bool core_knot_look(struct core_watch *w);
/* Ms until the next look. */
int core_knot_ms(const struct core_watch *w);
/* The finding: prints and counts it. */
void core_knot_say(struct core_watch *w);
void core_knot_free(struct core_watch *w);

/* ---- for knot_say.c ---- */

struct core_knot_pe {
    bool ended, waits;
    uint32_t steps, rung, n; /* n: threads that wait */
    struct core_wire_blocked_thread of[CORE_BLOCKED_THREADS];
};

struct core_knot {
    struct core_knot_pe *base, *now; /* as the members were when they became it, and at this look */
    bool *in, *was;                  /* members, and those of the last look */
    uint64_t since;                  /* ms: of base */
    uint64_t asked;                  /* ms: when members were asked to say more; 0: not yet */
    bool network;
};

#endif
