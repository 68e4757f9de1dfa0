/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Do all PEs wait in vain? On one node a supervisor finds out (deadlock.c). Without one
 * the first PE that waits looks at the others by the same rules; and over several nodes
 * the first PE sends a word round the lifeline, which only PEs that wait pass on.
 * When it has come back some times, each time the same, nothing moves any more. As long
 * as nobody has left and nobody has asked for a check, words are strict and further apart:
 * one that polls, was just rung or has a timer does not wait.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/check/finding.h"
#include "core/internal.h"
#include "core/live/detector.h"
#include "core/live/knot.h"
#include "core/live/waits.h"
#include "core/task/task.h"

enum {
    NODE_MS = 150,  /* between looks at the PEs of this node */
    ROUND_MS = 300,  /* between words round the lifeline */
    CHECK_MS = 1000, /* the same before anybody has left, with MPT_CHECK */
    LOOKS = 4,       /* words that come back alike */
    TICKS = 3,       /* of processor time that may pass between two of them */
};

static struct core_vain *const vain = &core_state.live.vain;

/* A PE that has left or is leaving, -1: none. */
static int someone_leaving(void)
{
    const uint32_t leaving = __atomic_load_n(&core_seg->header->leaving, __ATOMIC_ACQUIRE);
    for (int pe = 0; pe < core_size(); pe++)
        if (core_pe_left(pe))
            return pe;
    return leaving ? core_slice_pe(leaving - 1) : -1;
}

void core_vain_say(int leaver, char *why, size_t n)
{
    if (leaver < 0)
        snprintf(why, n, "deadlock: every PE waits, and for some seconds nothing has come%s",
                 core_params.check ? "" : " (MPT_DEADLOCK=0: wait on)");
    else
        snprintf(why, n, "PE %d on host %s has exited, and all others wait", leaver, core_host(leaver));
}

/* ------------------------------------------------------------- one node -- */

/* Those that still run as processes, and have not left without others to serve; false: one of them has finished, and
 * does as it likes. */
static bool take_stock(struct core_watch *w)
{
    w->alive = 0;
    for (unsigned i = 0; i < w->npes; i++) {
        const struct core_ctrl *c = core_ctrl_of(i);
        bool lives = (c->state != CORE_PE_LEFT || core_state.rma.net_on) && core_process_alive(c->pid, 0);
        if (lives && c->state == CORE_PE_FINISHED)
            return false;
        w->pids[i] = lives ? c->pid : 0;
        w->alive += lives;
    }
    return w->alive > 0;
}

static bool first_that_waits(void)
{
    for (unsigned i = 0; i < core_seg->idx; i++)
        if (__atomic_load_n(&core_ctrl_of(i)->state, __ATOMIC_ACQUIRE) == CORE_PE_RUNNING)
            return false;
    return true;
}

static struct core_watch *watch_of_node(void)
{
    struct core_header *h = core_seg->header;
    struct core_watch *w;
    if (vain->watch || !(w = calloc(1, sizeof *w + h->npes * sizeof *w->pids)))
        return vain->watch;
    *w = (struct core_watch){.header = h, .fd = core_seg->fd, .npes = h->npes, .pids = (pid_t *)(w + 1), .name = "mpt"};
    return vain->watch = w;
}

/* With MPT_CHECK: PEs that wait for each other, whoever else does not. */
static void look_for_knot(void)
{
    struct core_watch *w = watch_of_node();

    if (!w || core_clock_ms() < vain->knot_at)
        return;
    take_stock(w);
    bool found = core_knot_look(w);
    vain->knot_at = core_clock_ms() + (uint64_t)core_knot_ms(w);
    if (!found)
        return;
    core_job_be_first();
    core_knot_say(w);
    core_watch_say_loops(w);
    if (core_state.base.end)
        core_state.base.end(CORE_FINDING_STATUS);
    _exit(CORE_FINDING_STATUS);
}

void core_vain_look(const char *where)
{
    const struct core_header *h = core_seg->header;
    if (h->launcher || core_seg->open || h->npes != (uint32_t)core_size() || !first_that_waits())
        return;
    if (core_params.check)
        look_for_knot();
    int leaver = someone_leaving();
    uint64_t now = core_clock_ms();
    if ((leaver < 0 && !core_params.check) || now < vain->look_at)
        return;
    vain->look_at = now + (leaver < 0 ? CHECK_MS : NODE_MS);
    struct core_watch *w = watch_of_node();
    char why[160];
    if (!w || !take_stock(w)) {
        if (w)
            w->quiet = 0;
        return;
    }
    if (!core_watch_stalled(w))
        return;
    core_job_be_first();
    __atomic_store_n(&core_seg->header->ask_sites, 1, __ATOMIC_RELEASE);
    core_waits_tell();
    core_watch_say_where(w);
    core_vain_say(leaver, why, sizeof why);
    core_fatal("waits in %s: %s; ending the job", where, why);
}

/* --------------------------------------------------------- several nodes --
 * All of this is the lifeline's thread's. */

/* Words are further apart as long as nobody has left and nobody has asked for a check. All take MPT_DEADLOCK seconds.
 */
static uint64_t strict_ms(void)
{
    uint64_t ms = core_params.deadlock * 1000ull / LOOKS;
    return ms > ROUND_MS ? ms : ROUND_MS;
}

/* Who polls or was just rung may go on, and timers end waits: as deadlock.c has it for one machine. */
static bool may_go_on(const struct core_ctrl *c)
{
    return !core_deadlock_sleeps(c) || core_process_may_wake(c->pid, c->tasked);
}

/* All PEs of this process. */
bool core_vain_waits(bool strict, uint64_t *mark)
{
    const struct core_ctrl *c = core_ctrl_of(core_seg->idx);
    unsigned first = c->tasked ? c->host : core_seg->idx, n = c->tasked ? core_board_of(first)->n : 1;
    struct core_stillness still = {.mark = *mark};
    unsigned long may = strict ? TICKS * strict_ms() / CHECK_MS : TICKS;
    struct core_ctrl own;
    bool polls = false;
    for (unsigned i = 0; i < n; i++) {
        own = *core_ctrl_of(first + i);
        own.where[sizeof own.where - 1] = '\0';
        if (!core_deadlock_waits(&own, &still) || (strict && may_go_on(&own)))
            return false;
        polls |= own.polls_since != 0;
    }
    if (!core_deadlock_rests(&own, c->tasked ? core_board_of(first) : NULL, polls, &still))
        return false;
    *mark = still.mark;
    bool idle = still.cpu - vain->last_ticks <= (may > TICKS ? may : TICKS);
    vain->last_ticks = still.cpu;
    return idle;
}

/* That of PE 0. */
static bool first_process(void)
{
    const struct core_ctrl *c = core_ctrl_of(core_seg->idx);
    return core_me() == (c->tasked ? (int)c->bit : 0);
}

bool core_vain_is_strict(bool someone_leaves)
{
    return !someone_leaves && !core_params.check;
}

static uint64_t apart_ms(bool someone_leaves)
{
    return someone_leaves ? ROUND_MS : core_params.check ? CHECK_MS : strict_ms();
}

int core_vain_next(bool someone_leaves, bool *send)
{
    uint64_t now = core_clock_ms();
    *send = false;
    if (!first_process() || (core_vain_is_strict(someone_leaves) && core_params.deadlock == 0))
        return -1;
    if (now >= vain->words.at) {
        *send = true;
        if (vain->words.under_way) /* the last one met a PE that does not wait */
            vain->words.same = 0;
        vain->words.under_way = true;
        vain->words.at = now + apart_ms(someone_leaves);
    }
    return (int)(vain->words.at - now);
}

bool core_vain_back(bool strict, uint64_t mark)
{
    vain->words.under_way = false;
    vain->words.same = vain->words.same && mark == vain->words.mark ? vain->words.same + 1 : 1;
    vain->words.mark = mark;
    return vain->words.same >= (unsigned)LOOKS + strict;
}
