/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A machine ends with its first task: when that has gone and all tasks left wait,
 * for each other or for nobody, they end. Each task that waits without a limit
 * writes into its row since when nothing has happened and when it last looked. If
 * there is a moment that lies between the two for every task, nobody was left then
 * who could send anything.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "pvm/vm/machine.h"

enum { LOOK_MS = 20, IDLE_MS = 300, STALE_MS = 3000 };

/* Since when this task has been in the same wait: no call was begun, no message handled. */
static uint64_t waiting_since(uint64_t now, const char *where)
{
    bool news = core_progress() > 0;
    if (news || !where || pvmi.vm.ended.calls != pvmi.calls || now - pvmi.vm.ended.waited > STALE_MS)
        pvmi.vm.ended.since = now;
    pvmi.vm.ended.calls = pvmi.calls;
    pvmi.vm.ended.waited = now;
    return pvmi.vm.ended.since;
}

static struct pvmi_task *row_of(int slot)
{
    return pvmi_look(PVMI_AT(task[slot]), 0, NULL);
}

/* False: not idle. */
static bool publish(uint64_t now, uint64_t since)
{
    struct pvmi_task *row = row_of(pvmi.me);
    bool idle = now - since > IDLE_MS;
    __atomic_store_n(&row->idle_from, since + IDLE_MS, __ATOMIC_RELAXED);
    /* Release: who sees that we looked at `now` sees since when. */
    __atomic_store_n(&row->idle_to, idle ? now : 0, __ATOMIC_RELEASE);
    return idle;
}

/* Of a task that has not looked for long it must be found out whether it is still there. */
static bool all_idle(uint64_t now)
{
    int32_t high = *(int32_t *)pvmi_look(PVMI_AT(high), sizeof high, NULL);
    uint64_t from = 0, to = UINT64_MAX;
    for (int slot = 0; slot < high && from < to; slot++) {
        const struct pvmi_task *row = row_of(slot);
        int32_t state = __atomic_load_n(&row->state, __ATOMIC_ACQUIRE);
        uint64_t row_to = __atomic_load_n(&row->idle_to, __ATOMIC_ACQUIRE),
                 row_from = __atomic_load_n(&row->idle_from, __ATOMIC_RELAXED);
        if (state == PVMI_GONE || state == PVMI_FREE)
            continue;
        if (row_to + STALE_MS < now) {
            if (pvmi_alive(slot))
                return false;
            continue;
        }
        from = row_from > from ? row_from : from;
        to = row_to < to ? row_to : to;
    }
    return from < to;
}

static void __attribute__((noreturn)) end_here(void)
{
    fflush(NULL);
    core_job_part(false);
    _exit(1);
}

static void end_machine(uint32_t *halted, const char *where)
{
    uint32_t no = 0;
    if (__atomic_compare_exchange_n(halted, &no, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        fflush(stdout);
        fprintf(
            stderr,
            "libpvm [t%x]: %s(): the virtual machine ends: its first task, t%x, has gone, and all tasks left wait\n",
            (unsigned)pvmi.tid, where, (unsigned)pvmi_tid_of(0));
    }
    end_here();
}

void pvmi_machine_check(const char *where)
{
    uint64_t now, since;
    uint32_t *halted;
    if (!pvmi.network || !pvmi.in || (now = core_clock_ms()) - pvmi.vm.ended.looked < LOOK_MS)
        return;
    pvmi.vm.ended.looked = now;
    halted = pvmi_look(PVMI_AT(halted), sizeof *halted, NULL);
    if (__atomic_load_n(halted, __ATOMIC_ACQUIRE))
        end_here();
    since = waiting_since(now, where);
    if (publish(now, since) && pvmi.me != 0 && !pvmi_alive(0) && all_idle(now))
        end_machine(halted, where);
}
