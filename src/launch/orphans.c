/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs started through a script are grandchildren. When the script's shell
 * is gone they become our children (subreaper), and a job that failed takes
 * them along. Of a job that ended well, what it left in the background stays, but
 * for the launchers of jobs that it spawned: those are waited for.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/topo/topology.h"
#include "launch/launch.h"

enum { ROUNDS = 50, ROUND_NS = 10000000 };

void launch_orphans_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static bool kill_it(pid_t pid)
{
    kill(pid, SIGKILL);
    return true;
}

/* By its name, which can be read even when it has ended. */
static const char spawned[] = "mptrun-spawned";

void launch_orphans_be_spawned(void)
{
    prctl(PR_SET_NAME, spawned);
}

bool launch_orphans_is_spawned(pid_t pid)
{
    char path[64], name[32] = "";

    snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    return core_topology_read(path, name, sizeof name) == 0 && strncmp(name, spawned, strlen(spawned)) == 0;
}

/* Calls `each` with all children of this thread, which are all there are. Returns for how many it said true. */
static unsigned count_children(bool each(pid_t pid))
{
    char path[64], list[4096], *at = list, *end;
    unsigned n = 0;
    long pid;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    if (core_topology_read(path, list, sizeof list))
        return 0;
    /* A list that was cut in the middle of a number must not name a stranger:
     * only numbers followed by a blank count, as all are in the kernel's list. */
    for (; (pid = strtol(at, &end, 10)) > 0 && end != at && *end == ' '; at = end)
        n += each((pid_t)pid);
    return n;
}

static bool end_it(pid_t pid)
{
    return launch_orphans_is_spawned(pid) && kill(pid, SIGTERM) == 0;
}

void launch_orphans_end_spawned(void)
{
    count_children(end_it);
}

bool launch_orphans_spawned(void)
{
    return count_children(launch_orphans_is_spawned) > 0;
}

void launch_orphans_kill(void)
{
    struct timespec pause = {.tv_nsec = ROUND_NS};

    /* Each round may bring up the children of those it killed. */
    for (int round = 0; round < ROUNDS; round++) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (count_children(kill_it) == 0)
            return;
        nanosleep(&pause, NULL);
    }
}
