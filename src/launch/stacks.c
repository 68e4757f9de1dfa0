/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --get-stack-traces: the stacks of all threads of the PEs that still run, as gdb prints them.
 */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "launch/launch.h"

enum { MOST = 32 }; /* processes: more is read by nobody */

#define EACH_NS (20ull * 1000000000) /* gdb's time for one */

static void run_gdb(pid_t pid)
{
    char number[16];

    snprintf(number, sizeof number, "%d", (int)pid);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execlp("gdb", "gdb", "-p", number, "--batch", "-nx", "-ex", "set pagination off", "-ex",
           "thread apply all backtrace", (char *)NULL);
    _exit(STATUS_NOT_FOUND);
}

/* False: there is no gdb. */
static bool stacks_of(pid_t pid)
{
    uint64_t end = core_clock_ns() + EACH_NS;
    int status = 0;
    pid_t child = fork(), done = 0;

    if (child == 0)
        run_gdb(pid);
    while (child > 0 && (done = waitpid(child, &status, WNOHANG)) == 0 && core_clock_ns() < end)
        usleep(10000);
    if (child > 0 && done == 0) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        launch_say("gdb took too long with process %d", (int)pid);
    }
    return child > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NOT_FOUND);
}

void launch_stacks(const struct launch *l)
{
    unsigned told = 0;

    for (unsigned pe = 0; pe < l->npes; pe++) {
        if (l->pids[pe] <= 0 || (pe > 0 && l->pids[pe] == l->pids[pe - 1]))
            continue; /* ended, or a task of the process before */
        if (told++ == MOST) {
            launch_say("stacks of %d processes printed; the others are left out", MOST);
            return;
        }
        launch_say("stacks of PE %u, process %d:", pe, (int)l->pids[pe]);
        if (!stacks_of(l->pids[pe])) {
            launch_say("no stacks: there is no gdb (apt-get install gdb)");
            return;
        }
    }
}
