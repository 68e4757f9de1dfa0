/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: do the threads of the program keep to the thread level that it has asked for (11.6)? Only processes with
 * several threads come here. A level of MPI_THREAD_SINGLE is taken for MPI_THREAD_FUNNELED: that there are other
 * threads harms nobody. Sessions have levels of their own, of which a call does not tell.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/site.h"
#include "core/check/fatal.h"
#include "mpi/mpii.h"

static bool is_main(void)
{
    return (pid_t)syscall(SYS_gettid) == mpii_state.start.main_thread;
}

static const char *level_name(int level)
{
    return level == MPI_THREAD_SINGLE     ? "MPI_THREAD_SINGLE"
           : level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED"
                                          : "MPI_THREAD_SERIALIZED";
}

static void __attribute__((cold)) say(const char *what)
{
    const int level = mpii_state.start.thread_level;
    struct core_finding f;
    const uintptr_t site = core_site();

    if (site == 0) /* of the library itself */
        return;
    core_finding_begin(&f, CORE_FINDING_THREAD, "MPI-5.0, 11.6", "%s, but the thread level is %s", what,
                       level_name(level));
    core_finding_at(&f, core_me(), site, "this call");
    core_finding_advise(&f, "ask MPI_Init_thread for %s",
                        level < MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE"
                                                      : "MPI_THREAD_MULTIPLE");
    core_finding_end(&f);
}

/* The world model's end is its main thread's. */
void mpii_threads_finalize(void)
{
    struct core_finding f;

    if (is_main() || mpii_state.start.main_thread == 0)
        return;
    core_finding_begin(&f, CORE_FINDING_THREAD, "MPI-5.0, 11.6.2",
                       "MPI_Finalize: called by another thread than the one that initialized MPI");
    core_finding_advise(&f, "let the thread that called MPI_Init or MPI_Init_thread call MPI_Finalize");
    core_finding_at(&f, core_me(), core_site(), "MPI_Finalize");
    core_finding_end(&f);
}

void mpii_threads_enter(void)
{
    const int level = mpii_state.start.thread_level;
    const pthread_t me = pthread_self();
    pthread_t other;

    /* Most calls say so themselves; of the others, which ask nothing of other processes, those that are not for any
     * time (mpii_lock_any) say it at their end. */
    mpii_thread.rt.late = mpii_state.rt.ended && mpii_state.start.starts == 0 && core_site() != 0;
    if (!mpii_world_up() || mpii_state.start.starts != 1 || level == MPI_THREAD_MULTIPLE)
        return;
    other = __atomic_exchange_n(&mpii_state.rt.inside, me, __ATOMIC_ACQ_REL);
    if (level < MPI_THREAD_SERIALIZED && !is_main())
        say("a thread calls MPI that is not the one that initialized it");
    else if (level == MPI_THREAD_SERIALIZED && other != 0 && other != me)
        say("two threads call MPI at the same time");
}

void mpii_threads_leave(void)
{
    pthread_t me = pthread_self();

    if (mpii_thread.rt.late)
        core_finding_fatal(CORE_FINDING_CALL_STATE, "MPI-5.0, 11.4.1",
                           "this call of MPI may not be made when MPI has been finalized");
    __atomic_compare_exchange_n(&mpii_state.rt.inside, &me, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}
