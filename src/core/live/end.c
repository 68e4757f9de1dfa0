/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who ends the job: of the PEs of a node that find out the same, the first one says so,
 * and the others end with it.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "core/internal.h"

bool core_end_claim(struct core_header *h)
{
    uint32_t no = 0;
    if (__atomic_compare_exchange_n(&h->aborting, &no, CORE_ABORT_CLAIMED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        __atomic_store_n(&core_state.live.end_is_mine, true, __ATOMIC_RELEASE);
    return __atomic_load_n(&core_state.live.end_is_mine, __ATOMIC_ACQUIRE);
}

void core_job_be_first(void)
{
    struct core_header *h = core_seg->header;
    if (!h || core_seg->open || core_end_claim(h))
        return;
    /* model: publish.see */
    for (int i = 0; i < 1000 && __atomic_load_n(&h->aborting, __ATOMIC_ACQUIRE) != CORE_ABORT_SAID; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (__atomic_load_n(&h->aborting, __ATOMIC_ACQUIRE) != CORE_ABORT_SAID)
        return; /* the first one has died meanwhile */
    fflush(stdout);
    _exit(h->abort_status);
}
