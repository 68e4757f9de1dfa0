/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Slots of tasks that have ended, for new tasks (core_job_recycle), after each task
 * has forgotten whoever had them (task/forget.c).
 */
#include <errno.h>
#include <time.h>

#include "pvm/pvmi.h"

/* Under the lock. */
static void again(int slot)
{
    struct pvmi_task *row = pvmi_look(PVMI_AT(task[slot]), 0, NULL);

    *row = (struct pvmi_task){.state = PVMI_FREE, .uses = row->uses + 1};
}

static int recycle(void)
{
    int n;

    pvmi_lock();
    n = core_job_recycle(again);
    pvmi_unlock();
    return n;
}

/* Slots cost each task that has messages with them memory, so they serve again when many are worn; but seldom, as the
 * tid of a task long gone is nobody's for 32 uses of its slot (tid.c). */
static void recycle_in_time(void)
{
    enum { STEP = 64 };
    unsigned worn = core_job_worn();

    if (worn >= pvmi.vm.recycle_at)
        pvmi.vm.recycle_at = recycle() > 0 ? PVMI_WORN : worn + STEP; /* not all have forgotten them yet: later again */
}

/* Tasks that compute forget nobody. They may take long, and there may be too many: this one waits a while for them. */
int pvmi_slot_reserve(void)
{
    enum { PATIENCE_MS = 2000, STEP_MS = 2 };
    int slot;

    recycle_in_time();
    slot = core_job_reserve();
    for (int ms = 0; slot == -ENOSPC && ms < PATIENCE_MS; ms += STEP_MS) {
        if (recycle() == 0) {
            core_progress();
            nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000l}, NULL);
        }
        slot = core_job_reserve();
    }
    return slot < 0 ? -1 : slot;
}
