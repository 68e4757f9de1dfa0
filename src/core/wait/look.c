/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When a PE that only looks gives its core away, where PEs outnumber cores: after
 * a few tests that failed, which are known to have found nothing; for other calls,
 * which may also be work, when it has had the core for HOLD_NS. That bounds what
 * a program can lose that does not wait: the switches to others who have something
 * to do, one in HOLD_NS. A loop without any call keeps the core until the
 * scheduler's slice ends.
 */
#include <sched.h>
#include <time.h>

#include "core/internal.h"

enum {
    FAILURES = 8, /* tests in a row */
    LOOKS = 32,   /* between two looks at the clock */
    HOLD_NS = 10000,
    PLACES = 256, /* loops look at several, one at each PE perhaps */
};

static _Thread_local struct {
    unsigned n;
    uint64_t since; /* the last yield */
} looks __attribute__((tls_model("initial-exec")));

/* Places that were looked at. For all threads: any answer is right. */
static uintptr_t places[PLACES];

void core_test_failed(unsigned *streak, const char *where)
{
    unsigned n = ++*streak;
    if (MPT_UNLIKELY(!where))
        core_acted();
    else if (MPT_UNLIKELY(--core_polls.left == 0))
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

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool core_look_due(void)
{
    if (++looks.n < LOOKS)
        return false;
    looks.n = 0;
    return now_ns() - looks.since >= HOLD_NS && core_oversubscribed();
}

void core_look_yield(void)
{
    core_job_check("a loop that polls");
    sched_yield();
    looks.since = now_ns();
}

void core_looked_slow(void)
{
    if (core_look_due())
        core_look_yield();
}

void core_look_long(void)
{
    looks.n = LOOKS;
}

/* Few instructions, and none that needs what was read: a program that reads here and there has
 * many reads under way. */
void mpt_looked(uintptr_t p, int pe)
{
    uintptr_t at = p + (uintptr_t)pe * mpt_fast.stride;
    uintptr_t *place = &places[(p / sizeof(uint64_t) + (unsigned)pe) % PLACES]; /* strides are powers of two */
    if (MPT_UNLIKELY(__atomic_load_n(place, __ATOMIC_RELAXED) == at))
        core_looked_slow();
    else
        __atomic_store_n(place, at, __ATOMIC_RELAXED);
}
