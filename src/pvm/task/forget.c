/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What this task does about others that have ended. Of one that was found dead, all
 * tables are freed. Before its slot serves again, what was got from it is copied where
 * it lies in its memory, and what was asked about its end is answered.
 */
#include "pvm/msg/message.h"
#include "pvm/task/task.h"

void pvmi_forget_dead(int slot)
{
    pvmi_lock();
    pvmi_group_forget(slot);
    pvmi_mbox_forget(slot);
    pvmi_unlock();
    pvmi_chunk_free_dead();
}

/* In core_progress: what it sent has arrived. */
static void forget_retired(int slot)
{
    if (!pvmi.in)
        return;
    pvmi_alive(slot); /* its row says so, too */
    pvmi_arrive_forget(slot);
    pvmi_notify_slot(slot);
    if (pvmi_msg_own_all(slot) != PvmOk || pvmi_queue_own(slot) != PvmOk || pvmi_handler_own(slot) != PvmOk)
        core_fatal("%s: no memory for messages of t%x, which has ended", pvmi.call, (unsigned)pvmi_tid_of(slot));
    pvmi_chunk_free_dead();
}

void pvmi_forget_start(void)
{
    core_job_on_retired(forget_retired);
}
