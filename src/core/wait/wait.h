/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The only place where a PE blocks. Use:
 *
 *     struct core_waiter w;
 *     core_wait_begin_for(&w, "shmem_wait_until", ivar, sizeof *ivar);
 *     while (!condition)          // re-read the memory each time (acquire)
 *         core_wait_pause(&w);
 *     core_wait_end(&w);
 *
 * The condition must become true by a store of another PE or another thread to the memory named (every store
 * notifies, see mpt_notify), by something whose maker calls core_wake, or be found by core_progress(). Pause spins,
 * then yields, then sleeps; it returns at least every 20 milliseconds, where many PEs share a core four times a second
 * (a caller with less time says so by core_wait_limit). It ends the job with a message when nobody is left to end the
 * wait.
 */
#ifndef CORE_WAIT_H
#define CORE_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/wait/blocked.h"
#include "core/wait/look.h"
#include "core/wait/notify.h"
#include "mpt/fast.h"

struct core_waiter {
    uint32_t spins; /* pauses so far */
    uint32_t phase; /* see wait.c */
    uint32_t rung; /* bell's value when sleep was announced */
    uint32_t yields; /* of a sleeper: its longest sleeps */
    uint64_t sleep_ns; /* next time limit of a sleep; grows */
    uint64_t spin_end; /* time stamp */
    bool waited_long; /* about half a second or more */
    bool counted;     /* among the sleepers */
    bool came;        /* of a task: its last look for messages found some */
    bool timed;       /* it ends in time, whatever others do */
    uint32_t began_us; /* when spinning began, modulo 2^32 us */
    const char *where;
    const void *watch; /* symmetric memory whose change ends the wait, watch_n bytes; 0: none */
    size_t watch_n;
    const struct core_blocked_by *by; /* with MPT_CHECK, for whom it waits; NULL: for whomsoever */
};

/* Somebody must be polled while waiting. Threads that wait may ask while another one begins to say so. */
static inline bool core_progress_due(void)
{
    return __atomic_load_n(&core_state.wait.progress_due, __ATOMIC_RELAXED);
}
static inline void core_progress_needed(void)
{
    __atomic_store_n(&core_state.wait.progress_due, true, __ATOMIC_RELAXED);
}

void core_wait_slow(struct core_waiter *w);
void core_wait_end_slow(struct core_waiter *w);

/* The wait of a thing that its maker announces by core_wake. */
static inline void core_wait_begin(struct core_waiter *w, const char *where)
{
    core_acted();
    w->watch_n = 0;
    w->spins = 0;
    w->phase = 0;
    w->waited_long = false;
    w->timed = false;
    w->where = where;
    w->by = NULL;
}

/* With MPT_CHECK: who can end it. */
static inline void core_wait_by(struct core_waiter *w, const struct core_blocked_by *by)
{
    w->by = by;
}

/* The wait for a change of the n bytes at p of this PE's heap, globals or arena. */
static inline void core_wait_begin_for(struct core_waiter *w, const char *where, const void *p, size_t n)
{
    core_wait_begin(w, where);
    w->watch = p;
    w->watch_n = n;
}

static inline void core_wait_pause(struct core_waiter *w)
{
    if (MPT_LIKELY(w->spins < core_state.wait.tight) && !core_progress_due())
        w->spins++;
    else
        core_wait_slow(w);
}

static inline void core_wait_end(struct core_waiter *w)
{
    if (MPT_UNLIKELY(w->phase))
        core_wait_end_slow(w);
}

bool core_wait_spins(const struct core_waiter *w); /* the next pause neither yields nor sleeps */
bool core_wait_sleeps(const struct core_waiter *w); /* it sleeps */
unsigned core_wait_yields(const struct core_waiter *w); /* it yields, after so many times; 0: it does something else */

/* The first looks, one after the other, were in vain: there is time for others. */
static inline bool core_wait_is_slow(const struct core_waiter *w)
{
    return w->phase != 0;
}

/* For about half a second or more. */
static inline bool core_wait_is_long(const struct core_waiter *w)
{
    return w->waited_long;
}

/* For a caller that pauses by other means: one more look; which one. */
static inline uint32_t core_wait_looked(struct core_waiter *w)
{
    return ++w->spins;
}

static inline const char *core_wait_where(const struct core_waiter *w)
{
    return w->where;
}

/* The next sleep, if one comes next, lasts no longer. */
static inline void core_wait_limit(struct core_waiter *w, uint64_t ns)
{
    if (w->phase != 0 && w->sleep_ns > ns)
        w->sleep_ns = ns;
}

/* It ends in time, whatever others do: who waits for it does not wait in vain. */
static inline void core_wait_timed(struct core_waiter *w)
{
    w->timed = true;
    w->by = &core_blocked_by_time;
}

/* Wait until *word, compared as signed, satisfies cmp (enum core_cmp) with value. */
enum core_cmp { CORE_EQ, CORE_NE, CORE_GT, CORE_GE, CORE_LT, CORE_LE };
void core_wait_word(const uint64_t *word, enum core_cmp cmp, uint64_t value, const char *where);

/* Sleeps end also when descriptor `fd` has something to read (an epoll descriptor,
 * say): the caller looks at it at each pause. -1: no longer. One per process;
 * 0 or a negative errno after a message. */
int core_wait_also(int fd);
/* What this PE does at its end where its process lives on (core/task): nobody else closes what it has open. */
void core_wait_at_end(void (*call)(void));

/* The program is going to wait by poll(2) or the like: the descriptors that become readable
 * when something comes, one or two, or a negative errno after a message. Each time it finds
 * nothing more, and after each wait of this PE, this is said again, then core_progress(). */
int core_wait_outside(int fds[2]);

/* Wake PE `pe` of this node if it sleeps, whatever for. */
void core_wake_slow(int pe);
static inline void core_wake(int pe)
{
    unsigned idx = mpt_idx(pe);
    if (MPT_UNLIKELY(idx >= mpt_fast.node_n))
        core_wake_slow(pe);
    else if (MPT_UNLIKELY(core_sleeps(mpt_bell_of(idx))))
        mpt_ring(idx);
}

/* The n bytes at `at`, memory of PE `pe` of this node as this process sees it,
 * were changed: wake the PE if it waits for that. */
void core_changed_slow(int pe, const void *at, size_t n);
static inline void core_changed(int pe, const void *at, size_t n)
{
    unsigned idx = mpt_idx(pe);
    if (MPT_LIKELY(idx < mpt_fast.node_n))
        core_notify(idx, at, n);
    else
        core_changed_slow(pe, at, n);
}

/* PE `pe`'s memory was written here and there: wake it if it waits for memory.
 * (Not core_wake: a PE that waits for something else would be rung at every call.) */
static inline void core_changed_scattered(int pe)
{
    unsigned idx = mpt_idx(pe);
    if (MPT_LIKELY(idx < mpt_fast.node_n))
        core_notify(idx, mpt_bell_of(idx), mpt_fast.stride);
    else
        core_wake_slow(pe);
}

#endif
