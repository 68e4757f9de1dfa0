/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs that have left: a wait for one of them would last for ever, and must be told.
 * Where a supervisor sees all processes it has more to say, and most of this is
 * for jobs without one.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/check/fatal.h"
#include "core/internal.h"
#include "core/live/waits.h"
#include "core/task/task.h"

static uint32_t left_count(void)
{
    const struct core_header *h = core_seg->header;
    return __atomic_load_n(&h->left, __ATOMIC_ACQUIRE) + __atomic_load_n(&h->dead, __ATOMIC_ACQUIRE) +
           (core_state.rma.net_on ? core_detector_left_count() : 0);
}

bool core_anyone_left(void)
{
    return left_count() > 0;
}

static bool in_state(int pe, enum core_pe_state state)
{
    unsigned slice = core_slice_of(pe);
    return slice != UINT_MAX && __atomic_load_n(&core_ctrl_of(slice)->state, __ATOMIC_ACQUIRE) == (uint32_t)state;
}

bool core_pe_left(int pe)
{
    return in_state(pe, CORE_PE_LEFT) || in_state(pe, CORE_PE_DEAD) ||
           (core_state.rma.net_on && core_detector_left(pe));
}

bool core_pe_finished(int pe)
{
    return in_state(pe, CORE_PE_FINISHED);
}

/* A task has ended when its process says so, which may go on. */
static bool task_ended(const struct core_ctrl *c)
{
    return c->tasked &&
           __atomic_load_n(&core_board_of(c->host)->ended[c->bit / 64], __ATOMIC_ACQUIRE) >> c->bit % 64 & 1;
}

bool core_pe_ended(int pe)
{
    const struct core_ctrl *c = core_pe_finished(pe) ? core_ctrl_of(core_slice_of(pe)) : NULL;
    return c && (__atomic_load_n(&c->outside, __ATOMIC_RELAXED) || task_ended(c) ||
                 (kill(c->pid, 0) != 0 && errno == ESRCH));
}

/* How long PEs have been known to have left. A PE that dies by exit(3) is first
 * seen as having left, but its launcher has more to say: it gets this long. */
#define LEFT_GRACE_NS 300000000u

bool core_left_for_good(void)
{
    struct core_live_thread *known = &core_thread.live;
    uint32_t left = left_count();
    uint64_t now;
    if (left == 0)
        return false;
    now = core_clock_ns();
    if (left != known->left) {
        known->left = left;
        known->left_since = now;
    }
    return now - known->left_since > LEFT_GRACE_NS;
}

static void name_the_left(char *names, size_t n)
{
    size_t at = 0;
    for (int pe = 0; pe < core_size() && at + 24 < n; pe++)
        if (core_pe_left(pe))
            at += (size_t)snprintf(names + at, n - at, "%sPE %d", at ? ", " : "", pe);
}

/* What a PE did before it left, such as passing the same barrier, has long
 * arrived here. The first of the others says it, and ends them. */
void core_job_look_for_left(const struct core_waiter *w)
{
    int left = -1, first = -1;
    if (!w->waited_long || (core_seg->header->launcher && !core_state.rma.net_on) || !core_left_for_good())
        return; /* a supervisor sees it, and knows more; with a network the PE that left lives on to serve others */
    for (int pe = core_size() - 1; pe >= 0; pe--)
        *(core_pe_left(pe) ? &left : &first) = pe;
    if (left >= 0 && first == core_me())
        core_finding_fatal(CORE_FINDING_CALL_STATE, NULL,
                           "waits in %s for PE %d on host %s, which has exited without finalizing", w->where, left,
                           core_host(left));
}

enum { LOOKS = 15 }; /* in a row, until what somebody did at last has arrived */

/* Where a supervisor sees which PEs end, it is asked whether the others wait in vain; but a PE that reaches
 * others by a network is never idle. */
void core_job_look_for_ended(const struct core_waiter *w)
{
    unsigned *looks = &core_state.live.ended_looks;
    int pe = 0;
    if (!w->waited_long || (core_seg->header->launcher && !core_state.rma.net_on))
        return;
    while (pe < core_size() && !core_pe_ended(pe))
        pe++;
    *looks = pe < core_size() ? *looks + 1 : 0;
    if (*looks <= LOOKS)
        return;
    core_job_be_first();
    core_fatal("waits in %s for PE %d on host %s, which has finished and ended", w->where, pe, core_host(pe));
}

/* All other PEs have left, or finished and ended: a supervisor sees that by itself. What
 * they did at last has arrived when this was so for some looks. */
static bool others_have_ended(void)
{
    const struct core_header *h = core_seg->header;
    if (h->launcher || h->npes != (uint32_t)core_size())
        return false;
    for (int pe = 0; pe < core_size(); pe++)
        if (pe != core_me() && !core_pe_left(pe) && !core_pe_ended(pe)) {
            core_thread.live.alone_looks = 0;
            return false;
        }
    return ++core_thread.live.alone_looks > LOOKS;
}

static void look_for_company(const char *where)
{
    char names[256] = "";
    if (left_count() < (uint32_t)core_size() - 1) {
        if (others_have_ended())
            core_fatal("waits in %s, but all other PEs have exited", where);
        return;
    }
    if (!core_left_for_good() || in_state(core_me(), CORE_PE_LEFT))
        return;
    name_the_left(names, sizeof names);
    core_finding_fatal(CORE_FINDING_CALL_STATE, NULL,
                       "waits in %s, but all other PEs have exited without finalizing (%s)", where, names);
}

static void check(const char *where, bool waits)
{
    struct core_header *h = core_seg->header;
    if (!h || mpt_fast.node_n == 0)
        return;
    /* model: publish.see */
    if (__atomic_load_n(&h->aborting, __ATOMIC_ACQUIRE) == CORE_ABORT_SAID)
        _exit(h->abort_status); /* the PE that aborted has said why */
    core_waits_tell();
    if (core_ctrl_of(core_seg->idx)->outside || core_size() == 1 || core_ctrl_of(core_seg->idx)->survives)
        return;
    if (!__atomic_load_n(&core_state.live.together, __ATOMIC_RELAXED) && !core_process_single())
        return; /* others need not take part, and this PE's threads may wait for each other */
    core_vain_look(where ? where : "a call");
    if (waits)
        look_for_company(where ? where : "a call");
}

void core_job_check(const char *where)
{
    check(where, true);
}

void core_job_check_loop(const char *where)
{
    check(where, core_thread.wait.polls.unjudged || !core_anyone_left());
}
