/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A barrier of all PEs of a job on one node of which some are tasks. Each process counts its own tasks, on its board;
 * the last process to be complete releases all. A task that waits here touches little memory: where PEs are many, what
 * a wait costs is the pages it looks at.
 */
#ifndef CORE_MEET_H
#define CORE_MEET_H

#include <stdbool.h>
#include <stdint.h>

/* Which face's: two may be under way at once, in different threads. */
enum { CORE_MEET_SHMEM, CORE_MEET_MPI, CORE_MEETINGS };

/* What a wait does meanwhile, in the caller's thread. */
struct core_meet_hooks {
    /* NULL, or when a message may have come, and after each wake-up while something is under way. How much it did, or
     * -1: the wait is in vain. */
    int (*progress)(void);
    void *const *under_way; /* points to NULL while nothing is */
    const bool *news; /* points to true when other threads have left something */
    void (*look)(unsigned kind, const char *where); /* when nothing has come for some time */
    void (*last)(const void *arg); /* NULL, or by the last PE to come, before all are released; its own */
    const void *arg;
};

/* Can this job's PEs meet so? All get the same answer. */
bool core_meets(void);
/* False: in vain; then this kind cannot be used any more. */
bool core_meet(unsigned kind, const struct core_meet_hooks *hooks, const char *where);
/* The same in two halves, for callers that do not wait in between: the meeting's number, and is it over? */
uint64_t core_meet_come(unsigned kind, const struct core_meet_hooks *hooks);
bool core_meet_over(unsigned kind, uint64_t epoch);
bool core_meet_await(unsigned kind, uint64_t epoch, const struct core_meet_hooks *hooks, const char *where);
/* The function of the process's first instance that is this copy's `own`, for tasks to share its text. Only of a task.
 */
bool core_meet_by_task(void); /* this thread is one */
#define core_meet_text(own) ((__typeof__(&(own)))((uintptr_t)(own) + core_meet_shift()))
uintptr_t core_meet_shift(void);
/* What each wait looks at when nothing has come for some time: for `look` to begin with. */
void core_meet_look(const char *where);
/* Has PE pe come to the meeting that this PE waits in? */
bool core_meet_has(unsigned kind, int pe);

#endif
