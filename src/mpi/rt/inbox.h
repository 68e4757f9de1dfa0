/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What comes while another thread has the lock. Handlers of messages must not block, so
 * they leave it here, and the thread that releases the lock handles it.
 *
 *     enum mpii_entered e = mpii_inbox_enter();
 *
 *     if (e == MPII_OUTSIDE)
 *         mpii_inbox_keep(mail, handle);
 *     else {
 *         handle(mail);
 *         mpii_inbox_leave(e);
 *     }
 */
#ifndef MPI_INBOX_H
#define MPI_INBOX_H

#include "core/core.h"
#include "mpi/rt/lock.h"

static inline bool mpii_inbox_has_news(void)
{
    return __atomic_load_n(&mpii_state.rt.inbox.news, __ATOMIC_RELAXED);
}
void mpii_inbox_handle(void); /* with the lock held */
static inline void mpii_inbox_look(void)
{
    if (MPT_UNLIKELY(mpii_inbox_has_news()))
        mpii_inbox_handle();
}

/* The lock, unless another thread has it. What came before is handled first. */
enum mpii_entered { MPII_OUTSIDE, MPII_ALONE, MPII_LOCKED };
static inline enum mpii_entered mpii_inbox_enter(void)
{
    enum mpii_entered e = MPII_ALONE;

    if (MPT_UNLIKELY(!core_process_single())) {
        if (!mpii_trylock())
            return MPII_OUTSIDE;
        e = MPII_LOCKED;
    }
    mpii_inbox_look();
    return e;
}
static inline void mpii_inbox_leave(enum mpii_entered e)
{
    if (MPT_UNLIKELY(e == MPII_LOCKED))
        mpii_unlock();
}

/* For MPII_OUTSIDE: handle(a copy of mail) runs with the lock held, now or later, in order. */
void mpii_inbox_keep(const struct core_mail *mail, void (*handle)(const struct core_mail *mail));
/* A body is no longer wanted, which any thread may learn: done(s), likewise. */
void mpii_inbox_ended(struct core_sending *s, void (*done)(struct core_sending *s));

#endif
