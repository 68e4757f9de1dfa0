/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starting a program that is nobody's child: a program that waits for its own
 * children must not meet the tasks it has spawned. A middle process starts it and
 * ends. Both share this process's memory, which stands still meanwhile, so nothing
 * is copied, however large the program is; and as the middle one ends without a
 * signal, no handler and no wait of the program sees it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/child.h"
#include "pvm/pvmi.h"
#include "pvm/spawn/spawn.h"

/* Both end by returning, as clone has it: the exit handlers are the spawner's. */
enum { STACK = 64 << 10 };
static _Alignas(64) char stacks[2][STACK]; /* calls come one at a time */

struct job {
    const struct pvmi_start *s;
    struct outcome {
        int pid, error;
    } outcome;
};

static void be_as_fresh(void)
{
    sigset_t none;
    for (int sig = 1; sig < NSIG; sig++) {
        struct sigaction a;
        if (sigaction(sig, NULL, &a) == 0 && a.sa_handler != SIG_DFL) {
            a.sa_handler = SIG_DFL;
            a.sa_flags = 0;
            sigaction(sig, &a, NULL);
        }
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The program's process. */
static int run(void *arg)
{
    struct job *j = arg;
    const struct pvmi_start *s = j->s;
    int null;
    be_as_fresh();
    null = core_open_empty();
    if (s->wd && chdir(s->wd) != 0)
        goto failed;
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(s->out, STDOUT_FILENO) < 0 || dup2(s->out, STDERR_FILENO) < 0)
        goto failed;
    if (null > STDERR_FILENO)
        close(null);
    fcntl(s->fd, F_SETFD, 0);
    execve(s->argv[0], s->argv, s->env);
failed:
    j->outcome.error = errno;
    return 127;
}

static pid_t start_on(int stack, int (*what)(void *), struct job *j, int sig)
{
    return core_child_start(&(struct core_child){what, j, stacks[stack] + STACK, sig, &j->outcome, sizeof j->outcome});
}

/* The middle process. */
static int start(void *arg)
{
    struct job *j = arg;
    int pid = start_on(1, run, j, SIGCHLD);
    if (pid < 0)
        j->outcome.error = errno;
    else if (j->outcome.error)
        waitpid(pid, NULL, 0);
    j->outcome.pid = pid;
    return 0;
}

int pvmi_start_program(const struct pvmi_start *s, int *pid)
{
    struct job j = {.s = s};
    sigset_t all, before;
    int middle, rc;
    sigfillset(&all); /* no handler of the program may run in the others */
    sigprocmask(SIG_BLOCK, &all, &before);
    middle = start_on(0, start, &j, 0);
    rc = middle < 0 ? errno : 0;
    while (middle > 0 && waitpid(middle, NULL, __WALL) < 0 && errno == EINTR)
        ;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (rc == 0)
        rc = j.outcome.error;
    *pid = j.outcome.pid;
    return rc;
}
