/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Once somebody has left or is leaving: does this PE wait in a loop of its own, over calls that
 * find nothing? It does when it has done nothing else for some WINDOWS: no test has succeeded, no
 * message has gone or come, nobody's memory was accessed, and little time went to anything but
 * the tests. Then its control page says so, as a blocking wait's does, and who looks for waits in
 * vain (stall.c) takes it for one. Until then its inline accesses go through the library, which
 * would not see them otherwise. Threads are not told apart: only the first, alone, is judged.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "core/channel/peers.h"
#include "core/internal.h"

enum {
    STEP = 1024,            /* failed tests between two looks at the clock ... */
    OFTEN_NS = 20000000,    /* ... fewer where these would be further apart: loops that sleep */
    POLL_NS = 300,          /* what a failed test may take besides progress, and what is around it */
    YIELD_NS = 3000,        /* more of it where each gives the core away */
    SWITCH_NS = 30000,      /* for a sleep */
    PROGRESS = 8,           /* tries that tell what progress takes ... */
    PROGRESS_SHARE = 3,     /* ... so often it may be in a test: it is there once or twice */
    WINDOW_NS = 500000000,  /* so long is looked at as one: */
    SHARE = 10,             /* one part of these may go to other things */
    WINDOWS = 3,            /* of them, that a loop counts as a wait */
    STILL_NS = 1000000000,  /* of who is the last one here */
};

struct sample {
    uint64_t wall, cpu, user, sleeps, messages;
};

static struct {
    struct sample begun, last; /* of this window; at the last look */
    uint64_t polls;            /* in this window */
    uint64_t excess, user;     /* ns beyond what tests may take; what they may take outside the kernel */
    uint64_t poll_ns;
    uint64_t close;            /* the last look at all of a sample */
    uint64_t still;            /* since when nothing but this was done, computing aside */
    unsigned windows;          /* that passed, one after the other */
    bool acted;
    const void *thread;        /* whose row it is */
} row;

bool core_acts_count;
_Thread_local struct core_polls core_polls = {.left = STEP, .step = STEP};

static uint64_t ns_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Changes with each message that goes or comes by the rings of this node; others are noticed by themselves. */
static uint64_t messages(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < core_peers.n; i++)
        sum += core_peers.at[i].in.stamp + 3 * core_peers.at[i].out.stamp;
    return sum;
}

static void look_closely(struct sample *s)
{
    struct rusage r;
    getrusage(RUSAGE_THREAD, &r);
    s->user = (uint64_t)r.ru_utime.tv_sec * 1000000000u + (uint64_t)r.ru_utime.tv_usec * 1000u;
    s->sleeps = (uint64_t)r.ru_nvcsw;
    s->messages = messages();
    row.close = s->wall;
}

static void show(const char *where)
{
    struct core_ctrl *own = core_ctrl_of(core_seg.idx);
    uint32_t ms = (uint32_t)(row.last.wall / 1000000);
    __atomic_store_n(&own->polled_at, ms, __ATOMIC_RELAXED);
    if (__atomic_load_n(&own->polls_since, __ATOMIC_RELAXED))
        return;
    __atomic_store_n(&own->polls_since, ms | 1, __ATOMIC_RELEASE);
    snprintf(own->where, sizeof own->where, "a loop over %s", where);
}

/* The inline accesses go through the library, or not. Over a network they always do. */
static void watch_accesses(bool on)
{
    if (mpt_fast.node_n == 0 || core_net_on)
        return;
    mpt_fast.reach_n = on ? 0 : core_seg.run_n;
    core_wait_retune();
}

static void stop(void)
{
    __atomic_store_n(&core_acts_count, false, __ATOMIC_RELAXED);
    watch_accesses(false);
    if (mpt_fast.node_n == 0)
        return;
    struct core_ctrl *own = core_ctrl_of(core_seg.idx);
    if (__atomic_load_n(&own->polls_since, __ATOMIC_RELAXED)) {
        __atomic_store_n(&own->where[0], '\0', __ATOMIC_RELAXED);
        __atomic_store_n(&own->polls_since, 0, __ATOMIC_RELEASE);
    }
}

/* Any thread. */
void core_acted_slow(void)
{
    __atomic_store_n(&row.acted, true, __ATOMIC_RELAXED);
    stop();
}

static uint64_t progress_ns(void)
{
    uint64_t from = ns_of(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < PROGRESS; i++)
        core_progress();
    return (ns_of(CLOCK_THREAD_CPUTIME_ID) - from) / PROGRESS;
}

static void begin_window(struct sample now)
{
    row.begun = row.last = now;
    row.polls = row.excess = row.user = 0;
}

static void begin(struct sample now)
{
    look_closely(&now);
    if (__atomic_exchange_n(&row.acted, false, __ATOMIC_RELAXED) || !row.still)
        row.still = now.wall;
    row.poll_ns = POLL_NS + PROGRESS_SHARE * progress_ns();
    row.windows = 0;
    row.thread = &core_polls;
    begin_window(now);
    watch_accesses(true);
    __atomic_store_n(&core_acts_count, true, __ATOMIC_RELAXED);
}

/* Since the last look; sleeps cost something, too, but few loops do. */
static void count(struct sample *now, unsigned polls)
{
    uint64_t may = polls * (row.poll_ns + (core_oversubscribed() ? YIELD_NS : 0)), took = now->cpu - row.last.cpu;
    uint64_t slept = 0;
    *now = (struct sample){now->wall, now->cpu, row.last.user, row.last.sleeps, row.last.messages};
    if (took > may || now->wall - row.close > OFTEN_NS / 2) {
        look_closely(now);
        slept = (now->sleeps - row.last.sleeps) * SWITCH_NS;
    }
    row.user += polls * row.poll_ns + slept;
    row.excess += took > may + slept ? took - may - slept : 0;
    row.polls += polls;
    row.last = *now;
}

/* Too much, of this window so far or, when it is over, outside the kernel. */
static bool computes(bool over)
{
    uint64_t may = (row.last.wall - row.begun.wall) / SHARE;
    may = may > WINDOW_NS / SHARE ? may : WINDOW_NS / SHARE;
    return row.excess > may || (over && row.last.user - row.begun.user > row.user + may);
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
    const struct core_header *h = core_seg.header;
    return core_anyone_left() || __atomic_load_n(&h->leaving, __ATOMIC_RELAXED) != 0 || (core_net_on && core_life_someone_leaves());
}

static bool watching(void)
{
    return __atomic_load_n(&core_acts_count, __ATOMIC_RELAXED);
}

static bool may_be_judged(void)
{
    const struct core_ctrl *own = core_ctrl_of(core_seg.idx);
    if (mpt_fast.node_n == 0 || core_seg.open || own->outside || own->survives)
        return false;
    if (watching())
        return row.thread == &core_polls;
    return core_process_single() || (core_net_on && core_process_threads() == 1 + own->helpers);
}

static bool acted(void)
{
    return __atomic_load_n(&row.acted, __ATOMIC_RELAXED);
}

/* False: the row is over. */
static bool goes_on(void)
{
    bool over = row.last.wall - row.begun.wall >= WINDOW_NS;
    if (over)
        look_closely(&row.last);
    if (row.last.messages != row.begun.messages)
        __atomic_store_n(&row.acted, true, __ATOMIC_RELAXED);
    if (acted() || computes(over))
        return false;
    if (over) {
        row.windows++;
        begin_window(row.last);
    }
    return true;
}

void core_poller_look(const char *where)
{
    unsigned polls = core_polls.step;
    struct sample now = {.wall = 0};

    core_polls.left = polls;
    if (!core_seg.header || !someone_leaves())
        return;
    core_polls.unjudged = !may_be_judged();
    if (core_polls.unjudged) {
        if (watching() && row.thread == &core_polls)
            core_acted_slow();
        return;
    }
    now.wall = ns_of(CLOCK_MONOTONIC);
    now.cpu = ns_of(CLOCK_THREAD_CPUTIME_ID);
    if (!watching()) {
        begin(now);
        return;
    }
    core_polls.left = core_polls.step = next_step(polls, now.wall - row.last.wall);
    count(&now, polls);
    if (!goes_on())
        stop();
    else if (row.windows >= WINDOWS)
        show(where);
    if (!acted() && now.wall - row.still > STILL_NS)
        core_job_check(where);
}
