/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_hostsync: the clock of another host is asked of a task there, which answers
 * as soon as it receives anything. And pvm_tickle, which asked a host's daemon for
 * its own affairs: there is none, so only its debug mask remains.
 */
#include <string.h>

#include "core/base/clock.h"
#include "pvm/msg/message.h"
#include "pvm/task/task.h"

static void on_ask(int slot, const void *note, size_t n)
{
    struct timeval now = core_clock_date();

    (void)note;
    (void)n;
    pvmi_note_try(slot, PVMI_CLOCK_SAY, &now, sizeof now); /* no room: it asks again */
}

static void on_say(int slot, const void *note, size_t n)
{
    if (pvmi.vm.answer.slot != slot || n != sizeof pvmi.vm.answer.clock)
        return;
    memcpy(&pvmi.vm.answer.clock, note, n);
    pvmi.vm.answer.known = true;
}

void pvmi_clock_start(void)
{
    pvmi.msg.takers[PVMI_CLOCK_ASK] = on_ask;
    pvmi.msg.takers[PVMI_CLOCK_SAY] = on_say;
}

static int64_t us_of(struct timeval t)
{
    return t.tv_sec * 1000000ll + t.tv_usec;
}

static struct timeval time_of(int64_t us)
{
    int64_t s = us / 1000000, rest = us % 1000000;

    return (struct timeval){.tv_sec = rest < 0 ? s - 1 : s, .tv_usec = rest < 0 ? rest + 1000000 : rest};
}

/* A task of that host to ask; -1: none. */
static int task_of(int host)
{
    for (int slot = 0; slot < core_size(); slot++)
        if (pvmi_host_of(slot) == host && pvmi_alive(slot))
            return slot;
    return -1;
}

/* 0 or a code. Asked again each second, as an answer may have found no room. */
static int ask(int host)
{
    enum { TRIES = 10 };
    struct pvmi_wanted nothing = {.tid = -1, .tag = -1, .context = PVMI_CONTEXT_SYSTEM};
    struct timeval step = {0, 2000};

    pvmi.vm.answer.known = false;
    pvmi.vm.answer.slot = task_of(host);
    for (int i = 0; i < TRIES * 500 && !pvmi.vm.answer.known; i++) {
        if (pvmi.vm.answer.slot < 0 || (i % 500 == 0 && pvmi_note(pvmi.vm.answer.slot, PVMI_CLOCK_ASK, NULL, 0) < 0))
            return PvmHostFail;
        pvmi_wait_wanted(&nothing, &step, "pvm_hostsync");
    }
    return pvmi.vm.answer.known ? 0 : PvmHostFail;
}

/* Host of a host's or task's tid; 0: not in the machine. */
static int host_named(int tid)
{
    int host = (int)((unsigned)tid >> 18 & 0xfff);

    return host >= 1 && host <= pvmi_nhosts() ? host : 0;
}

/* delta: this host's time minus that one's. */
int pvm_hostsync(int tid, struct timeval *clock, struct timeval *delta)
{
    struct timeval before, after, there;
    int rc = pvmi_begin("pvm_hostsync"), host = host_named(tid);

    if (rc < 0)
        return rc;
    if (host == 0)
        return pvmi_fail(PvmNoHost, "%#x is in no host of this machine", (unsigned)tid);
    there = before = core_clock_date();
    if (host != pvmi_host_of(pvmi.me)) {
        if (ask(host) < 0)
            return pvmi_fail(PvmHostFail, "no task of host %s answers", pvmi_host_name(host));
        there = pvmi.vm.answer.clock;
    }
    after = core_clock_date();
    if (host == pvmi_host_of(pvmi.me))
        after = before;
    if (clock)
        *clock = there;
    if (delta)
        *delta = time_of((us_of(before) + us_of(after)) / 2 - us_of(there));
    return 0;
}

int pvm_tickle(int narg, int *argp, int *nresp, int *resp)
{
    enum { ARGS_MAX = 10, GET_MASK = 5, SET_MASK = 6 };
    int rc = pvmi_begin("pvm_tickle"), n = 0;

    if (rc < 0)
        return rc;
    if (narg < 1 || narg > ARGS_MAX || !argp)
        return pvmi_fail(PvmBadParam, "%d arguments at %p", narg, (void *)argp);
    if (argp[0] == SET_MASK && narg > 1)
        pvmi.opt[PvmDebugMask] = argp[1];
    if (argp[0] == GET_MASK || argp[0] == SET_MASK) {
        n = 1;
        if (resp)
            resp[0] = pvmi.opt[PvmDebugMask];
    }
    if (nresp)
        *nresp = n;
    return 0;
}
