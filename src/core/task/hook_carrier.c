/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the C library asks the kernel of a thread by its number, or has from the kernel in the thread's own memory: of a
 * task those are of the thread that lies parked. The carrier's are meant.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/task/hooks.h"
#include "core/task/own.h"

static bool is_task(pthread_t thread)
{
    return core_task_self && pthread_equal(thread, pthread_self());
}

static int result(int rc)
{
    return rc == 0 ? 0 : errno;
}

static int current_cpu(void)
{
    unsigned cpu;

    return syscall(SYS_getcpu, &cpu, NULL, NULL) == 0 ? (int)cpu : -1;
}

static int get_affinity(pthread_t thread, size_t n, cpu_set_t *set)
{
    return is_task(thread) ? result(sched_getaffinity(0, n, set)) : core_task_real.get_affinity(thread, n, set);
}

static int set_affinity(pthread_t thread, size_t n, const cpu_set_t *set)
{
    return is_task(thread) ? result(sched_setaffinity(0, n, set)) : core_task_real.set_affinity(thread, n, set);
}

static int set_scheduling(pthread_t thread, int policy, const struct sched_param *param)
{
    return is_task(thread) ? result(sched_setscheduler(0, policy, param))
                           : core_task_real.set_scheduling(thread, policy, param);
}

static int get_scheduling(pthread_t thread, int *policy, struct sched_param *param)
{
    if (!is_task(thread))
        return core_task_real.get_scheduling(thread, policy, param);
    *policy = sched_getscheduler(0);
    return result(*policy < 0 ? -1 : sched_getparam(0, param));
}

static int find_clock(pthread_t thread, clockid_t *clock)
{
    if (!is_task(thread))
        return core_task_real.find_clock(thread, clock);
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

const struct core_task_hook core_task_hooks_carrier[] = {
    REPLACE("sched_getcpu", current_cpu),
    HOOK("pthread_getaffinity_np", get_affinity, get_affinity),
    HOOK("pthread_setaffinity_np", set_affinity, set_affinity),
    HOOK("pthread_getschedparam", get_scheduling, get_scheduling),
    HOOK("pthread_setschedparam", set_scheduling, set_scheduling),
    HOOK("pthread_getcpuclockid", find_clock, find_clock),
    {0},
};
