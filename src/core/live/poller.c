/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Once a PE has left or is leaving: does this PE wait in a loop of its own, over calls that find
 * nothing? It does when it has done nothing else for some WINDOWS: no test has succeeded, no
 * message has gone or come, no other PE's memory was accessed, and little time went to anything but
 * the tests. Then its control page says so, as that of a PE in a blocking wait does, and the look for
 * waits in vain (deadlock.c) counts it. Until then its inline accesses go through the library, which
 * would not see them otherwise (look.c). Only a PE of one thread is judged.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "core/base/clock.h"
#include "core/internal.h"
#include "core/wait/look.h"

enum {
    STEP = CORE_POLLS_STEP, /* failed tests between two looks at the clock ... */
    OFTEN_NS = 20000000,    /* ... fewer where these would be further apart: loops that sleep */
    POLL_NS = 300,          /* what a failed test may take besides progress, and what is around it */
    YIELD_NS = 3000,        /* more of it where each gives the core away */
    SWITCH_NS = 30000,      /* for a sleep */
    PROGRESS = 8,           /* tries that tell what progress takes ... */
    PROGRESS_SHARE = 3,     /* ... so often it may be in a test: it is there once or twice */
    WINDOW_NS = 500000000,  /* so long is looked at as one: */
    SHARE = 10,             /* one part of these may go to other things */
    WINDOWS = 3,            /* of them, that a loop counts as a wait */
    STILL_NS = 1000000000,  /* of the last PE here */
};

static struct core_poller *const row = &core_state.live.poller;

static void look_closely(struct core_poller_sample *s)
{
    struct rusage r;
    getrusage(RUSAGE_THREAD, &r);
    s->user = (uint64_t)r.ru_utime.tv_sec * 1000000000u + (uint64_t)r.ru_utime.tv_usec * 1000u;
    s->sleeps = (uint64_t)r.ru_nvcsw;
    s->messages = core_channel_traffic(); /* over a network they are noticed by themselves */
    row->close = s->wall;
}

static void show(const char *where)
{
    struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    uint32_t ms = (uint32_t)(row->last.wall / 1000000);
    __atomic_store_n(&own->polled_at, ms, __ATOMIC_RELAXED);
    if (__atomic_load_n(&own->polls_since, __ATOMIC_RELAXED))
        return;
    __atomic_store_n(&own->polls_since, ms | 1, __ATOMIC_RELEASE);
    snprintf(own->where, sizeof own->where, "a loop over %s", where);
}

static uint64_t progress_ns(void)
{
    uint64_t from = core_clock_thread_ns();
    for (int i = 0; i < PROGRESS; i++)
        core_progress();
    return (core_clock_thread_ns() - from) / PROGRESS;
}

static void begin_window(struct core_poller_sample now)
{
    row->begun = row->last = now;
    row->excess = row->user = 0;
}

static void begin(struct core_poller_sample now)
{
    look_closely(&now);
    if (__atomic_exchange_n(&core_state.wait.acted, false, __ATOMIC_RELAXED) || !row->still)
        row->still = now.wall;
    row->poll_ns = POLL_NS + PROGRESS_SHARE * progress_ns();
    row->windows = 0;
    row->thread = &core_thread.wait.polls;
    begin_window(now);
    core_acts_watch();
}

/* Since the last look; sleeps cost something, too, but few loops do. */
static void count(struct core_poller_sample *now, unsigned polls)
{
    uint64_t may = polls * (row->poll_ns + (core_oversubscribed() ? YIELD_NS : 0)), took = now->cpu - row->last.cpu;
    uint64_t slept = 0;
    *now = (struct core_poller_sample){now->wall, now->cpu, row->last.user, row->last.sleeps, row->last.messages};
    if (took > may || now->wall - row->close > OFTEN_NS / 2) {
        look_closely(now);
        slept = (now->sleeps - row->last.sleeps) * SWITCH_NS;
    }
    row->user += polls * row->poll_ns + slept;
    row->excess += took > may + slept ? took - may - slept : 0;
    row->last = *now;
}

/* Too much, of this window so far or, when it is over, outside the kernel. */
static bool computes(bool over)
{
    uint64_t may = (row->last.wall - row->begun.wall) / SHARE;
    may = may > WINDOW_NS / SHARE ? may : WINDOW_NS / SHARE;
    return row->excess > may || (over && row->last.user - row->begun.user > row->user + may);
}

/* Looks come every 5 to 20 ms, or after STEP tests. */
static unsigned next_step(unsigned step, uint64_t took)
{
    if (took > OFTEN_NS)
        return step > 1 ? step / 2 : 1;
    return took < OFTEN_NS / 4 && step < STEP ? step * 2 : step;
}

static bool someone_leaves(void)
{
    const struct core_header *h = core_seg->header;
    return core_anyone_left() || __atomic_load_n(&h->leaving, __ATOMIC_RELAXED) != 0 ||
           (core_state.rma.net_on && core_detector_someone_leaves());
}

static bool watching(void)
{
    return __atomic_load_n(&core_state.wait.acts_count, __ATOMIC_RELAXED) & CORE_ACTS_POLLER;
}

static bool may_be_judged(void)
{
    const struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    if (mpt_fast.node_n == 0 || core_seg->open || own->outside || own->survives)
        return false;
    if (watching())
        return row->thread == &core_thread.wait.polls;
    return core_process_single() || (core_state.rma.net_on && core_process_threads() == 1 + own->helpers);
}

static bool acted(void)
{
    return __atomic_load_n(&core_state.wait.acted, __ATOMIC_RELAXED);
}

/* False: the row is over. */
static bool goes_on(void)
{
    bool over = row->last.wall - row->begun.wall >= WINDOW_NS;
    if (over)
        look_closely(&row->last);
    if (row->last.messages != row->begun.messages)
        __atomic_store_n(&core_state.wait.acted, true, __ATOMIC_RELAXED);
    if (acted() || computes(over))
        return false;
    if (over) {
        row->windows++;
        begin_window(row->last);
    }
    return true;
}

void core_poller_look(const char *where)
{
    unsigned polls = core_thread.wait.polls.step;
    struct core_poller_sample now = {.wall = 0};

    core_thread.wait.polls.left = polls;
    if (!core_seg->header || !someone_leaves())
        return;
    core_thread.wait.polls.unjudged = !may_be_judged();
    if (core_thread.wait.polls.unjudged) {
        if (watching() && row->thread == &core_thread.wait.polls)
            core_acted_slow();
        return;
    }
    now.wall = core_clock_ns();
    now.cpu = core_clock_thread_ns();
    if (!watching()) {
        begin(now);
        return;
    }
    core_thread.wait.polls.left = core_thread.wait.polls.step = next_step(polls, now.wall - row->last.wall);
    count(&now, polls);
    if (!goes_on())
        core_acts_unwatch();
    else if (row->windows >= WINDOWS)
        show(where);
    if (!acted() && now.wall - row->still > STILL_NS)
        core_job_check(where);
}
