/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What calls of MPI read and write of this process's own windows (send buffers, receive buffers), for the race checker:
 * as loads at the call, as stores when the call is complete.
 */
#ifndef MPI_CHECK_OWN_H
#define MPI_CHECK_OWN_H

#include "mpi/check/watch.h"

/* Only if core_race_on(). */
void mpii_own_tell(const struct mpii_watch *w, uintptr_t site);
/* Of a blocking call, which has not written yet: kept until mpii_own_landed. */
void mpii_own_keep(const struct mpii_watch *w);
void mpii_own_landed_slow(void);
void mpii_own_forget(void);

/* The blocking call that mpii_watch_pass has looked at is complete. */
static inline void mpii_own_landed(void)
{
    if (MPT_UNLIKELY(mpii_state.check.n_landing > 0))
        mpii_own_landed_slow();
}

#endif
