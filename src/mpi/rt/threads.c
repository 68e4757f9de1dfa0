/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: do the threads of the program keep to the thread level that it has asked for (11.6)? Only processes with
 * several threads come here. A level of MPI_THREAD_SINGLE is taken for MPI_THREAD_FUNNELED: that there are other
 * threads harms nobody. Sessions have levels of their own, of which a call does not tell.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/site.h"
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

void mpii_threads_enter(void)
{
    const int level = mpii_state.start.thread_level;
    const pthread_t me = pthread_self();
    pthread_t other;

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

    __atomic_compare_exchange_n(&mpii_state.rt.inside, &me, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}
