/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Is a process still the one it was? Its number alone does not say: numbers are
 * used again, and a process that has ended keeps its own until its parent has
 * asked how. In open jobs nobody is everybody's parent.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"
#include "core/topo/topology.h"

enum { EXITING = 4 }; /* PF_EXITING of the kernel's sched.h, in a process's flags; proc(5) */

/* False: there is no such process, or the system does not say. */
static bool look(const char *path, struct core_process_looks *l)
{
    char text[1024], *after;
    unsigned long user, system;
    unsigned long long born;
    unsigned flags;
    if (core_topology_read(path, text, sizeof text) || !(after = strrchr(text, ')')))
        return false;
    if (sscanf(after + 1, " %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %u %*d %llu", &l->state,
               &flags, &user, &system, &l->threads, &born) != 6)
        return false;
    l->ticks = user + system;
    l->born = born;
    l->ending = l->state == 'Z' || l->state == 'X' || flags & EXITING;
    return true;
}

bool core_process_look(int pid, struct core_process_looks *l)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    return look(path, l);
}

/* By its first thread, which is as old; an emulator invents the process's own file, but only if it asks for itself. */
static bool look_at_first(int pid, struct core_process_looks *l)
{
    char path[48];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, pid);
    return look(path, l);
}

uint64_t core_process_born(int pid)
{
    struct core_process_looks l;
    return look_at_first(pid, &l) ? l.born : 0;
}

bool core_process_alive(int pid, uint64_t born)
{
    struct core_process_looks l;
    if (pid <= 0 || (kill(pid, 0) != 0 && errno == ESRCH))
        return false;
    if (!look_at_first(pid, &l))
        return kill(pid, 0) == 0; /* gone meanwhile, or there is no /proc */
    return l.state != 'Z' && l.state != 'X' && (born == 0 || l.born == born);
}

unsigned core_process_threads(void)
{
    struct core_process_looks l;
    return look("/proc/self/stat", &l) ? l.threads : 0;
}

static bool lists_timers(int pid, bool tasked)
{
    char path[40], text[1024], *clock = text;

    snprintf(path, sizeof path, "/proc/%d/timers", pid);
    if (core_topology_read(path, text, sizeof text))
        return false;
    while (tasked && (clock = strstr(clock, "ClockID: ")))
        if (*(clock += strlen("ClockID: ")) != '-')
            return true;
    return !tasked && text[0];
}

/* The kernel takes the timers of a process that exits away early, long before its parent hears of its end. */
bool core_process_may_wake(int pid, bool tasked)
{
    struct core_process_looks l;
    return lists_timers(pid, tasked) || !core_process_look(pid, &l) || l.ending;
}
