/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The adversary (mptrun --adversary, MPT_ADVERSARY=SEED[:KINDS[:LIMIT[:PES]]]): whatever a standard leaves open is
 * decided by a generator, another one for each seed and PE, so that a program's luck shows in a few runs.
 *
 * KINDS are words of kinds.def with commas between; none or "all": all of them. LIMIT: so many disturbances of each PE
 * at most. PES: numbers of the PEs that are disturbed. `mpt explore` finds the smallest of each with which a program
 * fails.
 */
#ifndef CORE_ADVERSARY_H
#define CORE_ADVERSARY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/state.h"

enum core_adversary_kind {
#define KIND(name, word, what) CORE_ADVERSARY_##name,
#include "core/adversary/kinds.def"
#undef KIND
    CORE_ADVERSARY_KINDS
};

/* Of MPT_ADVERSARY, as PE `me`. 0, or -EINVAL after a message. */
int core_adversary_start(const char *text, int me);

static inline bool core_adversary_on(void)
{
    return __builtin_expect(core_state.adversary.on, 0);
}

/* Shall it be done here and now? One of LIMIT, if so. */
bool core_adversary_does_slow(enum core_adversary_kind kind);
static inline bool core_adversary_does(enum core_adversary_kind kind)
{
    return core_adversary_on() && core_adversary_does_slow(kind);
}
/* Decided once for each PE of a run, and not counted. */
bool core_adversary_always(enum core_adversary_kind kind);
/* One of n, n > 0. */
unsigned core_adversary_choose(unsigned n);

/* For a time nothing that others send comes in. */
bool core_adversary_holds_slow(void);
static inline bool core_adversary_holds(void)
{
    return core_adversary_on() && core_adversary_holds_slow();
}

/* A call of the program begins or ends: it may take a while. */
void core_adversary_pause(void);
static inline void core_adversary_at_call(void)
{
    if (core_adversary_on())
        core_adversary_pause();
}

#endif
