/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One lock around all of MPI's bodies (the generated calls.c takes it), for
 * MPI_THREAD_MULTIPLE. It is recursive: error handlers, operations and copy
 * functions of the user may call MPI. Who waits gives it away meanwhile. A
 * process that has one thread takes no lock at all; where one of several only
 * calls MPI, its calls are sections of core/base/bias.h.
 */
#ifndef MPI_LOCK_H
#define MPI_LOCK_H

#include "core/core.h"

void mpii_lock_start(void); /* at the end of a start in which no other thread was in the library */
void mpii_lock(void);
void mpii_unlock(void);
bool mpii_trylock(void); /* a message's handler must not block: see match.c */

/* Let go of the lock however often this thread holds it, and take it back as
 * often. A process that got its second thread inside a call holds it 0 times. */
unsigned mpii_unlock_all(void);
void mpii_lock_again(unsigned depth);

/* Things under way that need steps of the processor besides the handling of
 * messages: collectives, file transfers, ... Every wait and test steps them. */
struct mpii_task {
    struct mpii_task *next, **at;
    void (*step)(struct mpii_task *task); /* must not wait; may remove itself or others */
};
extern struct mpii_task *mpii_tasks;
void mpii_task_add(struct mpii_task *task);
void mpii_task_remove(struct mpii_task *task); /* harmless when it is not in */

/* Messages and one step of each task, with the lock held. */
void mpii_progress(void);

/* Waiting, with the lock held (if there is more than one thread):
 *
 *     mpii_wait_begin(&w, "MPI_Recv");
 *     while (!condition)
 *         mpii_wait_pause(&w);
 *     mpii_wait_end(&w);
 *
 * The condition must become true by a message's handler, by a task's step, or by
 * a store that core_wait would see (then use core_wait_begin_for). */
static inline void mpii_wait_begin(struct core_waiter *w, const char *where) { core_wait_begin(w, where); }
void mpii_wait_pause(struct core_waiter *w);
static inline void mpii_wait_end(struct core_waiter *w) { core_wait_end(w); }

/* A call that only tests, `where`, found nothing (core_test_failed with the lock released;
 * NULL: it cannot know); or something. */
void mpii_test_failed(const char *where);
void mpii_test_found(void);

/* A call that programs poll with, and that cannot know whether it found what they
 * wait for (core_looked, likewise). What it has looked up is not sure afterwards. */
void mpii_looked_slow(void);
static inline void mpii_looked(void)
{
    if (core_looks())
        mpii_looked_slow();
}
static inline void mpii_looked_long(void) /* core_looked_long */
{
    if (core_looks()) {
        core_look_long();
        mpii_looked_slow();
    }
}

#endif
