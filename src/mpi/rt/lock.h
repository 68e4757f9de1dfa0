/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One lock around all of MPI's bodies (the generated calls.c takes it), for
 * MPI_THREAD_MULTIPLE. It is recursive: error handlers, operations and copy
 * functions of the user may call MPI. A thread that waits gives it away meanwhile. A
 * process that has one thread takes no lock at all; where one of several only
 * calls MPI, its calls are sections of core/wait/bias.h.
 */
#ifndef MPI_LOCK_H
#define MPI_LOCK_H

#include <stdbool.h>

#include "core/core.h"
#include "mpi/state.h"

void mpii_lock_start(void); /* at the end of a start in which no other thread was in the library */
void mpii_lock(void);
void mpii_lock_any(void); /* the same of calls that all threads may make at any time */
void mpii_unlock(void);
bool mpii_trylock(void); /* a message's handler must not block: see inbox.h */

/* With --check: may this thread call, at its thread level (threads.c)? */
void mpii_threads_enter(void);
void mpii_threads_leave(void);
void mpii_threads_finalize(void); /* may it call MPI_Finalize? */
/* MPI has been finalized: from now on each call takes the lock, however few threads there are. */
void mpii_lock_always(void);

/* Do other threads want it? */
static inline bool mpii_lock_wanted(void)
{
    return __atomic_load_n(&mpii_state.rt.lock_queue, __ATOMIC_RELAXED) != 0;
}

/* Let go of the lock however often this thread holds it, and take it back as
 * often. A process that got its second thread inside a call holds it 0 times. */
unsigned mpii_unlock_all_slow(void);
void mpii_lock_again_slow(unsigned depth);
static inline unsigned mpii_unlock_all(void)
{
    return mpii_thread.rt.lock_depth ? mpii_unlock_all_slow() : 0;
}
static inline void mpii_lock_again(unsigned depth)
{
    if (depth)
        mpii_lock_again_slow(depth);
}

#endif
