/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs that wait in loops of their own. What a loop may consist of says so
 * here: where PEs outnumber cores, a PE that only looks must not keep the core
 * for a time slice from the one that could end its wait.
 */
#ifndef CORE_LOOK_H
#define CORE_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/state.h"

/* Whatever a PE does but test in vain, so that its loop is not taken for a wait (poller.c). */
void core_acted_slow(void);
static inline void core_acted(void)
{
    if (__builtin_expect(__atomic_load_n(&core_state.wait.acts_count, __ATOMIC_RELAXED), 0))
        core_acted_slow();
}

/* So many looks in a row need no pause between them; 0 when oversubscribed. */
static inline unsigned core_wait_tight_looks(void)
{
    return core_state.wait.tight;
}

/* A call that only tests, `where`, found nothing: after some in a row make progress and,
 * when PEs outnumber cores, yield. `streak` is the caller's thread-local count. Without
 * a name it may have found something. by, with MPT_CHECK, or NULL: says what it tests for.
 * The other one: it has found something. */
struct core_blocked_by;
void core_test_failed(unsigned *streak, const char *where, const struct core_blocked_by *by);
static inline void core_test_found(unsigned *streak)
{
    *streak = 0;
    core_acted();
}

/* Do calls that only look count? Others say mpt_looked (mpt/fast.h) where this holds. */
static inline bool core_looks(void)
{
    return __builtin_expect(core_state.wait.looks, 0);
}

/* A call that waits for nothing and that loops repeat while they look at memory
 * themselves (quiet, fence). */
void core_looked_slow(void);
void core_look_long(void); /* the look that comes counts as many */
static inline void core_looked(void)
{
    if (core_looks())
        core_looked_slow();
}

/* The same of a call that takes microseconds: 32 of them would be a time slice. */
static inline void core_looked_long(void)
{
    if (core_looks()) {
        core_look_long();
        core_looked_slow();
    }
}

/* The two halves of it, for callers that must let go of something before others run. */
bool core_look_due(void);
void core_look_yield(void);

/* Between two looks: an answer in the lines of a pair (channel/peers.h) comes sooner to a PE that does not read
 * the line all the time. */
static inline void core_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
