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

#include "core/topology.h"
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

/* Its second word is the option that only launchers of spawned jobs have. */
static bool is_launcher(pid_t pid)
{
    static const char option[] = "--spawned-by=";
    char path[64], words[128] = "";

    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    return core_topology_read(path, words, sizeof words) == 0 &&
           strncmp(words + strlen(words) + 1, option, strlen(option)) == 0;
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

bool launch_orphans_spawned(void)
{
    return count_children(is_launcher) > 0;
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
