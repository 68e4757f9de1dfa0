/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wait-for graph of a job, and its knots: sets of PEs each of which waits for some PE of the set (or, where one of
 * several may end a wait, only for PEs of the set). Nobody outside can end their waits, and nobody inside will.
 *
 * That is so if there was a time at which all of them were in these waits, and each of them has since looked at all it
 * waits for, in vain, while nothing came to any of them: whatever any of them did before its wait had been done by that
 * time, so the looks would have found it. Hence a set counts only while the same threads are in the same waits, nobody
 * was rung and no message was handled, and is a knot when each thread has announced its sleep twice more: between the
 * two lies one whole look. PEs with threads outside of waits are in no knot.
 */
#include "core/live/knot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/param.h"
#include "core/internal.h"
#include "core/live/process.h"
#include "core/task/task.h"

enum {
    LOOK_MS = 10,     /* between looks, at least */
    ASKED_MS = 2,     /* the same while members write */
    MANY = 64,        /* so many PEs cost one ms more */
    LOOKS = 2,        /* of each thread */
    NETWORK_MS = 300, /* what was sent over a network has come by then */
    HELD_MS = 2000,   /* and what the adversary had held back, some 40 ms, on a machine with much to do */
    PATIENCE_MS = 300 /* for what members have to say */
};

/* ------------------------------------------------------------------ looking -- */

static bool read_blocked(const struct core_watch *w, unsigned pe, struct core_wire_blocked *b)
{
    off_t at = (off_t)(core_wire_slice(w->header, pe) + CORE_BLOCKED_OFFSET);

    return pread(w->fd, b, sizeof *b, at) == (ssize_t)sizeof *b;
}

/* False: one of them is being written. */
static bool take_threads(const struct core_wire_blocked *b, struct core_knot_pe *p)
{
    p->n = 0;
    for (unsigned i = 0; i < CORE_BLOCKED_THREADS; i++) {
        if (b->of[i].version % 2)
            return false;
        if (b->of[i].mode != CORE_BLOCKED_NOT && b->of[i].tests == 0) /* a loop of tests is no wait */
            p->of[p->n++] = b->of[i];
    }
    return p->n > 0;
}

static void read_pe(struct core_watch *w, unsigned pe)
{
    struct core_knot_pe *p = &w->knot->now[pe];
    struct core_wire_blocked b;
    struct core_ctrl c;

    core_watch_read(w, pe, &c);
    p->ended = !w->pids[pe] && !core_process_alive(c.pid, 0);
    p->steps = c.steps;
    p->rung = c.bell.rung;
    p->waits = !p->ended && (c.state == CORE_PE_RUNNING || c.state == CORE_PE_LEFT) && !c.outside &&
               read_blocked(w, pe, &b) && take_threads(&b, p);
    if (p->waits)
        w->knot->network |= b.network;
}

/* --------------------------------------------------------------- the knot -- */

static bool has(const struct core_wire_blocked_thread *t, unsigned pe)
{
    return t->everybody || (pe < CORE_BLOCKED_PES && t->pes[pe / 64] >> pe % 64 & 1);
}

static bool is_stuck(const struct core_watch *w, const struct core_wire_blocked_thread *t)
{
    const bool all = t->mode == CORE_BLOCKED_ALL;
    bool any = false;

    if (t->mode == CORE_BLOCKED_FREE)
        return false;
    for (unsigned pe = 0; pe < w->npes; pe++) {
        if (has(t, pe) && w->knot->in[pe] == all)
            return all;
        any |= has(t, pe);
    }
    return any && !all;
}

static bool is_member(const struct core_watch *w, unsigned pe)
{
    const struct core_knot_pe *p = &w->knot->now[pe];

    for (unsigned i = 0; i < p->n && !p->ended; i++)
        if (!is_stuck(w, &p->of[i]))
            return false;
    return true;
}

/* The largest: takes those out that can go on, until there is none. How many PEs that have not ended are in it. */
static unsigned shrink(struct core_watch *w)
{
    unsigned members = 0;
    bool changed = true;

    while (changed) {
        changed = false;
        members = 0;
        for (unsigned pe = 0; pe < w->npes; pe++) {
            bool in = w->knot->in[pe] && is_member(w, pe);

            changed |= in != w->knot->in[pe];
            w->knot->in[pe] = in;
            members += in && !w->knot->now[pe].ended;
        }
    }
    return members;
}

/* Of a process whose PEs are tasks: one that runs them, and those that the program has started, which are in waits if
 * there are as many waits as tasks and such threads. */
static unsigned threads_of_tasks(const struct core_watch *w, unsigned first)
{
    struct core_task_board b;
    unsigned threads = 1;

    if (!core_watch_read_board(w, first, &b))
        return 1;
    for (unsigned pe = first; pe < first + b.n && pe < w->npes; pe++) {
        const struct core_knot_pe *p = &w->knot->now[pe];

        if (!p->ended && !p->waits)
            return 1; /* it may be waiting for a thread that is in no wait */
        threads += p->ended ? 0 : p->n - 1;
    }
    return threads;
}

/* All threads of its process are in waits, or the library's; no timer of it runs. */
static bool all_threads_wait(const struct core_watch *w, unsigned pe)
{
    struct core_process_looks l;
    struct core_ctrl c;

    core_watch_read(w, pe, &c);
    return core_process_look(c.pid, &l) &&
           l.threads == c.helpers + (c.tasked ? threads_of_tasks(w, c.host) : w->knot->now[pe].n) &&
           !core_process_may_wake(c.pid, c.tasked);
}

static unsigned find_members(struct core_watch *w)
{
    struct core_knot *k = w->knot;
    unsigned members;

    for (unsigned pe = 0; pe < w->npes; pe++)
        k->in[pe] = k->now[pe].waits || k->now[pe].ended;
    if ((members = shrink(w)) == 0)
        return 0;
    for (unsigned pe = 0; pe < w->npes; pe++)
        k->in[pe] = k->in[pe] && (k->now[pe].ended || all_threads_wait(w, pe));
    return shrink(w);
}

/* -------------------------------------------------------------- is it one? -- */

static bool is_still(const struct core_knot_pe *base, const struct core_knot_pe *now)
{
    if (base->ended != now->ended || base->steps != now->steps || base->rung != now->rung || base->n != now->n)
        return false;
    for (unsigned i = 0; i < now->n && !now->ended; i++)
        if (base->of[i].serial != now->of[i].serial || base->of[i].version != now->of[i].version)
            return false;
    return true;
}

static bool is_same(const struct core_watch *w)
{
    const struct core_knot *k = w->knot;

    for (unsigned pe = 0; pe < w->npes; pe++)
        if (k->in[pe] != k->was[pe] || (k->in[pe] && !is_still(&k->base[pe], &k->now[pe])))
            return false;
    return true;
}

static uint64_t patience_ms(const struct core_knot *k)
{
    return core_params.adversary[0] ? HELD_MS : k->network ? NETWORK_MS : 0;
}

static bool have_looked(const struct core_watch *w)
{
    const struct core_knot *k = w->knot;

    for (unsigned pe = 0; pe < w->npes; pe++)
        for (unsigned i = 0; k->in[pe] && !k->now[pe].ended && i < k->now[pe].n; i++)
            if (k->now[pe].of[i].looks - k->base[pe].of[i].looks < LOOKS)
                return false;
    return core_clock_ms() - k->since >= patience_ms(k);
}

static bool have_told(const struct core_watch *w)
{
    const struct core_knot *k = w->knot;

    for (unsigned pe = 0; pe < w->npes; pe++)
        for (unsigned i = 0; k->in[pe] && !k->now[pe].ended && i < k->now[pe].n; i++)
            if (k->now[pe].of[i].told != CORE_BLOCKED_ASKED)
                return core_clock_ms() - k->asked > PATIENCE_MS;
    return true;
}

static void begin_anew(struct core_watch *w)
{
    struct core_knot *k = w->knot;

    memcpy(k->base, k->now, w->npes * sizeof *k->now);
    memcpy(k->was, k->in, w->npes * sizeof *k->in);
    k->since = core_clock_ms();
    if (k->asked)
        __atomic_store_n(&w->header->ask_sites, 0, __ATOMIC_RELEASE);
    k->asked = 0;
}

/* -------------------------------------------------------------- interface -- */

static struct core_knot *make(struct core_watch *w)
{
    const size_t each = 2 * sizeof *w->knot->now + 2 * sizeof *w->knot->in;
    struct core_knot *k = calloc(1, sizeof *k + w->npes * each);

    if (k) {
        k->base = (struct core_knot_pe *)(void *)(k + 1);
        k->now = k->base + w->npes;
        k->in = (bool *)(k->now + w->npes);
        k->was = k->in + w->npes;
    }
    return k;
}

bool core_knot_look(struct core_watch *w)
{
    struct core_knot *k = w->knot;
    unsigned members;

    if (!k && !(k = w->knot = make(w)))
        return false;
    for (unsigned pe = 0; pe < w->npes; pe++)
        read_pe(w, pe);
    members = find_members(w);
    if (members == 0 || !is_same(w)) {
        begin_anew(w);
        return false;
    }
    if (!k->asked && have_looked(w)) {
        k->asked = core_clock_ms();
        __atomic_store_n(&w->header->ask_sites, 1, __ATOMIC_RELEASE);
        return false;
    }
    return k->asked && have_told(w);
}

int core_knot_ms(const struct core_watch *w)
{
    return w->knot && w->knot->asked ? ASKED_MS : LOOK_MS + (int)(w->npes / MANY);
}

void core_knot_free(struct core_watch *w)
{
    free(w->knot);
    w->knot = NULL;
}
