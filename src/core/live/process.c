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

struct looks {
    char state;
    uint64_t born;
};

/* False: there is no such process, or the system does not say. */
static bool look(int pid, struct looks *l)
{
    char path[48], text[1024], *after;
    unsigned long long born;
    /* Of its first thread, which is the same; an emulator invents the process's own, but only if it asks for itself. */
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, pid);
    if (core_topology_read(path, text, sizeof text) || !(after = strrchr(text, ')')))
        return false;
    if (sscanf(after + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &l->state,
               &born) != 2)
        return false;
    l->born = born;
    return true;
}

uint64_t core_process_born(int pid)
{
    struct looks l;
    return look(pid, &l) ? l.born : 0;
}

bool core_process_alive(int pid, uint64_t born)
{
    struct looks l;
    if (pid <= 0 || (kill(pid, 0) != 0 && errno == ESRCH))
        return false;
    if (!look(pid, &l))
        return kill(pid, 0) == 0; /* gone meanwhile, or there is no /proc */
    return l.state != 'Z' && l.state != 'X' && (born == 0 || l.born == born);
}

unsigned core_process_threads(void)
{
    char text[1024], *after;
    unsigned n;
    if (core_topology_read("/proc/self/stat", text, sizeof text) || !(after = strrchr(text, ')')))
        return 0;
    return sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %u", &n) == 1 ? n
                                                                                                                 : 0;
}

bool core_process_timers(int pid, bool tasked)
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
