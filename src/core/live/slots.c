/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Slots of an open job (job/open.c): which have been given away, and whether the process of one has gone.
 */
#include "core/internal.h"

unsigned core_job_high(void)
{
    return core_seg->open ? __atomic_load_n(&core_seg->header->used, __ATOMIC_ACQUIRE) : 0;
}

/* The counter goes down once, by the first process that finds that it is so. */
void core_slot_set_gone(struct core_ctrl *c, enum core_pe_state how)
{
    uint32_t running = CORE_PE_RUNNING;
    if (__atomic_compare_exchange_n(&c->state, &running, how, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        __atomic_fetch_sub(&core_seg->header->alive, 1, __ATOMIC_RELAXED);
}

/* The process that was to come has ended, and none has come. */
static bool never_came(struct core_ctrl *c)
{
    uint32_t new = CORE_PE_NEW;
    pid_t pid = __atomic_load_n(&c->expected, __ATOMIC_ACQUIRE);
    if (pid == 0 || core_process_alive(pid, c->expected_born))
        return false;
    return __atomic_compare_exchange_n(&c->state, &new, CORE_PE_LEFT, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

bool core_job_gone(int slot)
{
    struct core_ctrl *c;
    if (!core_seg->open || slot < 0 || (unsigned)slot >= core_job_high())
        return false;
    c = core_ctrl_of((unsigned)slot);
    switch ((enum core_pe_state)__atomic_load_n(&c->state, __ATOMIC_ACQUIRE)) {
    case CORE_PE_NEW:
        return never_came(c);
    case CORE_PE_RUNNING:
        break;
    case CORE_PE_FINISHED:
    case CORE_PE_LEFT:
    case CORE_PE_DEAD:
    case CORE_PE_SPARE:
        return true;
    }
    if (core_process_alive(c->pid, c->born))
        return false;
    core_slot_set_gone(c, CORE_PE_LEFT);
    return true;
}
