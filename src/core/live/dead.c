/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs that survive the death of a PE. The supervisor of the processes says which has died, when it has
 * reaped it: no process is ever taken for dead that is not, and what the dead one has stored, messages in
 * their rings included, is there. On one node only: over a network a lost PE ends the job (detector.c).
 */
#include "core/internal.h"
#include "core/live/dead.h"

bool core_survivable(void)
{
    const struct core_header *h = core_seg->header;
    return h && h->survivable && h->launcher && !core_state.rma.net_on;
}

void core_survive(bool yes)
{
    __atomic_store_n(&core_ctrl_of(core_seg->idx)->survives, yes, __ATOMIC_RELEASE);
}

uint32_t core_dead_count(void)
{
    return __atomic_load_n(&core_seg->header->dead, __ATOMIC_ACQUIRE);
}

bool core_pe_dead(int pe)
{
    return core_survivable() &&
           /* model: publish.see */
           __atomic_load_n(&core_ctrl_of(core_slice_of(pe))->state, __ATOMIC_ACQUIRE) == CORE_PE_DEAD;
}
