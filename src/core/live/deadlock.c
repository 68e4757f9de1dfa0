/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Do PEs wait in vain? After one has left the others do when all of them wait in the library, are rung by nobody and
 * use no processor time for a while; or poll in vain, which they find out themselves (poller.c). Before that the same
 * holds with MPT_CHECK, and for MPT_DEADLOCK seconds without it, but for PEs that poll. A PE with several threads is
 * never accused: another of its threads may be the one that ends the wait; nor one whose wait a timer may end, that
 * exits, or that a debugger has stopped. What tasks say of themselves may be as old as their process's last sleep, so
 * they wait when that sleeps, or one of them polls, and none of them was woken since.
 */
#include <string.h>

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/param.h"
#include "core/live/process.h"
#include "core/live/supervise.h"
#include "core/task/task.h"

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
bool core_deadlock_waits(const struct core_ctrl *c, struct core_stillness *s)
{
    const uint32_t came[3] = {c->bell.rung - c->self_rung, c->steps, c->polls_since};

    if (!says_so(c) || (c->polls_since && !polls(c)))
        return false;
    s->mark = core_hash(core_hash(s->mark, c->where, strlen(c->where) + 1), came, sizeof came);
    return true;
}

/* It has said so, and nobody has rung one of its tasks since. Where they say that they are may be as old as that. */
static bool process_sleeps(const struct core_task_board *b)
{
    uint64_t ready = 0;

    for (unsigned i = 0; i < CORE_TASK_WORDS; i++)
        ready |= b->ready[i];
    return b->idle && !ready;
}

bool core_deadlock_rests(const struct core_ctrl *c, const struct core_task_board *b, bool polls,
                         struct core_stillness *s)
{
    long ticks = single_thread_ticks(c->pid, c->helpers);

    if (ticks < 0)
        return false;
    s->processes++;
    if (b)
        s->mark = core_hash(s->mark, &b->woken, sizeof b->woken);
    if (polls)
        return true;
    s->cpu += (unsigned long)ticks;
    return !b || process_sleeps(b);
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

/* The PEs of a process are `n` from the first on, whose slice has their board. */
static unsigned read_process(const struct core_watch *w, unsigned first, struct core_task_board *b)
{
    struct core_ctrl c;

    core_watch_read(w, first, &c);
    return c.tasked && core_watch_read_board(w, first, b) && b->n > 0 ? b->n : 1;
}

/* Of this process one that has not ended; -1: there is none. */
static int one_alive(const struct core_watch *w, unsigned first, unsigned n)
{
    for (unsigned pe = first; pe < first + n && pe < w->npes; pe++)
        if (w->pids[pe])
            return (int)pe;
    return -1;
}

static bool process_waits(const struct core_watch *w, unsigned first, unsigned n, const struct core_task_board *b,
                          struct core_stillness *s)
{
    struct core_ctrl c;
    bool polls = false;
    int one = one_alive(w, first, n);

    if (one < 0)
        return true;
    for (unsigned pe = (unsigned)one; pe < first + n && pe < w->npes; pe++) {
        if (!w->pids[pe])
            continue;
        core_watch_read(w, pe, &c);
        if (!core_deadlock_waits(&c, s))
            return false;
        polls |= c.polls_since != 0;
    }
    core_watch_read(w, (unsigned)one, &c);
    return core_deadlock_rests(&c, c.tasked ? b : NULL, polls, s);
}

/* False as soon as one PE is found that does something. */
static bool all_wait(const struct core_watch *w, struct core_stillness *s)
{
    struct core_task_board b;

    *s = (struct core_stillness){.mark = CORE_HASH_BEGIN};
    for (unsigned pe = 0, n; pe < w->npes; pe += n) {
        n = read_process(w, pe, &b);
        if (!process_waits(w, pe, n, &b, s))
            return false;
    }
    return w->alive > 0;
}

/* Looked for last, as each takes a file of the kernel's. */
static bool may_wake(const struct core_watch *w)
{
    struct core_task_board b;
    struct core_ctrl c;

    for (unsigned pe = 0, n; pe < w->npes; pe += n) {
        int one = one_alive(w, pe, n = read_process(w, pe, &b));

        if (one < 0)
            continue;
        core_watch_read(w, (unsigned)one, &c);
        if (core_process_may_wake(c.pid, c.tasked))
            return true;
    }
    return false;
}

bool core_watch_stalled(struct core_watch *w)
{
    struct core_stillness now;
    unsigned most;
    bool same;

    if (!all_say_so(w) || !all_wait(w, &now)) {
        w->quiet = 0;
        return false;
    }
    /* Sleepers look up now and then, and a tick may be counted against them. Strict looks are further apart. */
    most = (2 + now.processes / 8) * (is_strict(w) ? 3 : 1);
    same = w->quiet && now.mark == w->mark && now.cpu - w->cpu <= most;
    w->quiet = same ? w->quiet + 1 : 1;
    w->mark = now.mark;
    w->cpu = now.cpu;
    return w->quiet >= LOOKS && !(is_strict(w) && may_wake(w));
}
