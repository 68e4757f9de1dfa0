/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Slots of tasks that have ended, for new tasks (core_job_recycle). Before that each
 * task takes leave of whoever stood there: what it has got is copied where it lies in
 * the other's memory, what was asked about the other's end is answered.
 */
#include <errno.h>
#include <time.h>

#include "pvm/msg/message.h"

/* In core_progress: what it sent has arrived. */
static void forget(int slot)
{
    if (!pvmi.in)
        return;
    pvmi_alive(slot); /* its row says so, too */
    pvmi_arrive_forget(slot);
    pvmi_notify_slot(slot);
    if (pvmi_own_all(slot) != PvmOk || pvmi_handler_own(slot) != PvmOk)
        core_fatal("%s: no memory for messages of t%x, which has ended", pvmi.call, (unsigned)pvmi_tid_of(slot));
    pvmi_chunk_bury();
}

/* Under the lock. */
static void again(int slot)
{
    struct pvmi_task *row = pvmi_look(PVMI_AT(task[slot]), 0, NULL);

    *row = (struct pvmi_task){.state = PVMI_FREE, .uses = row->uses + 1};
}

void pvmi_slots_again(void)
{
    core_job_on_retired(forget);
}

static int recycle(void)
{
    int n;

    pvmi_lock();
    n = core_job_recycle(again);
    pvmi_unlock();
    return n;
}

/* Slots cost each task that has messages with them memory, so they serve again when many are worn; but seldom, as the tid of a task long gone
 * is nobody's for 32 uses of its slot (tid.c). */
static void recycle_in_time(void)
{
    enum { WORN = 1024, STEP = 64 };
    static unsigned next = WORN;
    unsigned worn = core_job_worn();

    if (worn >= next)
        next = recycle() > 0 ? WORN : worn + STEP; /* not all have forgotten them yet: later again */
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
