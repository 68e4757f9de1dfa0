/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Do PEs wait in vain? After one has left the others do when all of them wait in the library, are rung by nobody and
 * use no processor time for a while; or poll in vain, which they find out themselves (poller.c). Before that the same
 * holds with MPT_CHECK, and for MPT_DEADLOCK seconds without it, but for PEs that poll. A PE with several threads is
 * never accused: another of its threads may be the one that ends the wait; nor one whose wait a timer may end, or
 * that a debugger has stopped.
 */
#include <string.h>

#include "core/base/clock.h"
#include "core/base/param.h"
#include "core/live/process.h"
#include "core/live/supervise.h"

enum { LOOKS = CORE_WATCH_LOOKS, LATE_MS = 250 };

/* Processor time so far, in ticks, of a process with one thread and our `helpers`; -1 for others, for one that exits,
 * and for one that is stopped, by a debugger, say. */
static long single_thread_ticks(pid_t pid, unsigned helpers)
{
    struct core_process_looks l;

    if (!core_process_look(pid, &l) || l.threads != 1 + helpers || l.ending || l.state == 'T' || l.state == 't')
        return -1;
    return (long)l.ticks;
}

uint64_t core_deadlock_mix(uint64_t hash, const void *data, size_t n)
{
    const unsigned char *p = data;

    while (n--)
        hash = (hash ^ *p++) * 0x100000001b3ull;
    return hash;
}

/* A PE that waits in a loop says so again and again, and uses its processor; it waits as long as it does not begin
 * anew. */
static bool polls(const struct core_ctrl *c)
{
    return (uint32_t)core_clock_ms() - c->polled_at <= LATE_MS;
}

/* By its own page. One that has left waits, too, where it lives on to serve others. */
static bool says_so(const struct core_ctrl *c)
{
    return (c->state == CORE_PE_RUNNING || c->state == CORE_PE_LEFT) && c->where[0] && !c->outside && !c->timed;
}

/* A doorbell of its own threads brings nothing. */
bool core_deadlock_waits(const struct core_ctrl *c, uint64_t *mark, unsigned long *cpu)
{
    const uint32_t came[3] = {c->bell.rung - c->self_rung, c->steps, c->polls_since};
    long ticks;

    if (!says_so(c) || (ticks = single_thread_ticks(c->pid, c->helpers)) < 0)
        return false;
    *mark = core_deadlock_mix(core_deadlock_mix(*mark, c->where, strlen(c->where) + 1), came, sizeof came);
    if (c->polls_since)
        return polls(c);
    if (!c->tasked || c->bit == 0) /* once for each process */
        *cpu += (unsigned long)ticks;
    return true;
}

/* Nobody has left, and nobody has asked for a check: then less may count as a wait in vain. A loop of tests may end by
 * what it looks at beside messages, and who was rung may only not have had its turn. */
static bool is_strict(const struct core_watch *w)
{
    return w->gone < 0 && !core_params.check;
}

bool core_deadlock_sleeps(const struct core_ctrl *c)
{
    return !c->polls_since && (c->tasked || c->bell.sleeping != MPT_AWAKE);
}

/* Without a look at the kernel's files, of which a job in which somebody computes costs none. */
static bool all_say_so(struct core_watch *w)
{
    for (unsigned pe = 0; pe < w->npes; pe++) {
        struct core_ctrl c;

        if (!w->pids[pe])
            continue;
        core_watch_read(w, pe, &c);
        if (!says_so(&c) || (is_strict(w) && !core_deadlock_sleeps(&c)))
            return false;
    }
    return true;
}

/* False as soon as one PE is found that does something. */
static bool all_wait(struct core_watch *w, uint64_t *mark, unsigned long *cpu)
{
    *mark = 0xcbf29ce484222325ull;
    *cpu = 0;
    for (unsigned pe = 0; pe < w->npes; pe++) {
        struct core_ctrl c;

        if (!w->pids[pe])
            continue;
        core_watch_read(w, pe, &c);
        if (!core_deadlock_waits(&c, mark, cpu))
            return false;
    }
    return w->alive > 0;
}

/* Looked for last, as each takes a file of the kernel's. */
static bool may_wake(struct core_watch *w)
{
    for (unsigned pe = 0; pe < w->npes; pe++) {
        struct core_ctrl c;

        core_watch_read(w, pe, &c);
        if (w->pids[pe] && (!c.tasked || c.bit == 0) && core_process_may_wake(c.pid, c.tasked))
            return true;
    }
    return false;
}

bool core_watch_stalled(struct core_watch *w)
{
    const unsigned most = (2 + w->alive / 8) * (is_strict(w) ? 3 : 1); /* looks are further apart then */
    uint64_t mark;
    unsigned long cpu;
    bool same;

    if (!all_say_so(w) || !all_wait(w, &mark, &cpu)) {
        w->quiet = 0;
        return false;
    }
    /* Sleepers look up now and then, and a tick may be counted against them. */
    same = w->quiet && mark == w->mark && cpu - w->cpu <= most;
    w->quiet = same ? w->quiet + 1 : 1;
    w->mark = mark;
    w->cpu = cpu;
    return w->quiet >= LOOKS && !(is_strict(w) && may_wake(w));
}
