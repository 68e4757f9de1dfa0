/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that operations under way bring their results to: receives, gets, nonblocking collectives. Until such an
 * operation is complete, the program must neither read nor write it, be it private. Seen in programs that the compiler
 * wrappers have compiled with --check (watch.h).
 */
#ifndef CORE_CHECK_LANDING_H
#define CORE_CHECK_LANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/check/watch.h"
#include "core/state.h"

/* Is anything of the program instrumented? If not, nobody need tell of anything here. */
static inline bool core_landing_on(void)
{
    return __atomic_load_n(&mpt_watch.instrumented, __ATOMIC_RELAXED) != 0;
}

/* Of many at a time, some are left out. */
void core_landing_add(const struct core_landing *l);
/* The operations of this owner, or of this group, are complete. */
void core_landing_remove(const void *owner);
void core_landing_remove_all(const void *group);

/* The library calls a function of the program, which may use such memory: what this thread does then is not looked at.
 */
static inline void core_landing_pause(int by)
{
    core_thread.check.called_back += by;
}

/* The program's own load or store. */
void core_landing_look(uintptr_t at, size_t n, unsigned how, uintptr_t pc);
static inline bool core_landing_any(void)
{
    return __atomic_load_n(&core_state.check.landing.n, __ATOMIC_RELAXED) > 0;
}

#endif
