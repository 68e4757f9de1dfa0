/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When a PE that only looks gives its core away, where PEs outnumber cores: after
 * a few tests that failed, which are known to have found nothing; for other calls,
 * which may also be work, when it has had the core for HOLD_NS. That bounds what
 * a program can lose that does not wait: the switches to others that have something
 * to do, one in HOLD_NS. A loop without any call keeps the core until the
 * scheduler's time slice ends. Where some PEs are reached by a network, one that
 * only looks also serves the other nodes: one of them may change what it looks at.
 */
#include <sched.h>

#include "core/base/clock.h"
#include "core/internal.h"
#include "core/wait/loop.h"

enum {
    FAILURES = 8, /* tests in a row */
    LOOKS = 32,   /* between two looks at the clock */
    HOLD_NS = 10000,
};

void core_test_failed(unsigned *streak, const char *where, const struct core_blocked_by *by)
{
    unsigned n = ++*streak;
    if (MPT_UNLIKELY(core_params.check && where))
        core_loop_test(where, by);
    if (MPT_UNLIKELY(!where))
        core_acted();
    else if (MPT_UNLIKELY(--core_thread.wait.polls.left == 0))
        core_poller_look(where);
    if (core_progress_due())
        core_progress();
    if (n < FAILURES)
        return;
    if (core_oversubscribed() || n % 1024 == 0) {
        core_job_check_loop(where ? where : "a test in a loop");
        sched_yield();
    }
}

/* The inline accesses go through the library, or not. Over a network they always do. */
static void watch_accesses(bool on)
{
    if (mpt_fast.node_n == 0 || core_state.rma.net_on)
        return;
    mpt_fast.reach_n = on ? 0 : core_reach_n();
    core_wait_retune();
}

void core_acts_watch(void)
{
    watch_accesses(true);
    __atomic_fetch_or(&core_state.wait.acts_count, CORE_ACTS_POLLER, __ATOMIC_RELAXED);
}

void core_acts_unwatch(void)
{
    struct core_ctrl *own;

    __atomic_fetch_and(&core_state.wait.acts_count, (unsigned char)~CORE_ACTS_POLLER, __ATOMIC_RELAXED);
    watch_accesses(false);
    if (mpt_fast.node_n == 0)
        return;
    own = core_ctrl_of(core_seg->idx);
    if (__atomic_load_n(&own->polls_since, __ATOMIC_RELAXED)) {
        __atomic_store_n(&own->where[0], '\0', __ATOMIC_RELAXED);
        __atomic_store_n(&own->polls_since, 0, __ATOMIC_RELEASE);
    }
}

/* Any thread. */
void core_acted_slow(void)
{
    core_loop_over();
    if (!(__atomic_load_n(&core_state.wait.acts_count, __ATOMIC_RELAXED) & CORE_ACTS_POLLER))
        return;
    __atomic_store_n(&core_state.wait.acted, true, __ATOMIC_RELAXED);
    core_acts_unwatch();
}

bool core_look_due(void)
{
    if (++core_thread.wait.looks < LOOKS)
        return false;
    core_thread.wait.looks = 0;
    return core_has_network() || (core_clock_ns() - core_thread.wait.yielded >= HOLD_NS && core_oversubscribed());
}

void core_look_yield(void)
{
    uint64_t now;

    if (core_has_network())
        core_progress();
    now = core_clock_ns();
    if (now - core_thread.wait.yielded < HOLD_NS || !core_oversubscribed())
        return;
    core_job_check("a loop that polls");
    sched_yield();
    core_thread.wait.yielded = core_clock_ns();
}

void core_looked_slow(void)
{
    if (core_look_due())
        core_look_yield();
}

void core_look_long(void)
{
    core_thread.wait.looks = LOOKS;
}

/* Few instructions, and none that needs what was read: a program that reads here and there has
 * many reads under way. */
void mpt_looked(uintptr_t p, int pe)
{
    uintptr_t at = p + (uintptr_t)pe * mpt_fast.stride;
    uintptr_t *last =
        &core_state.looks.at[(p / sizeof(uint64_t) + (unsigned)pe) % CORE_LOOKED_AT]; /* strides are powers of two */
    if (MPT_UNLIKELY(__atomic_load_n(last, __ATOMIC_RELAXED) == at))
        core_looked_slow();
    else
        __atomic_store_n(last, at, __ATOMIC_RELAXED);
}
