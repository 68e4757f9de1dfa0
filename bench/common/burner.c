/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The outsider: a process that takes a core and never gives it back, as another user's program would. It has its
 * own session, so that autogroup scheduling treats it as a stranger, and it dies with its parent.
 */
#define _GNU_SOURCE 1
#include "bench.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t burner;

static void burn(pid_t parent)
{
    volatile unsigned long sink = 0;
    cpu_set_t everywhere;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    setsid();
    /* A stranger isn't bound to the CPU of the PE that started it; the kernel keeps it within the machine's limits. */
    memset(&everywhere, 0xff, sizeof everywhere);
    sched_setaffinity(0, sizeof everywhere, &everywhere);
    /* Nobody shall wait for the end of a pipe that only this process still holds. */
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    for (;;)
        sink++;
}

int bench_burner_start(void)
{
    const pid_t parent = getpid();

    fflush(NULL);
    burner = fork();
    if (burner == 0)
        burn(parent);
    return burner > 0 ? 0 : -1;
}

void bench_burner_stop(void)
{
    if (burner <= 0)
        return;
    kill(burner, SIGKILL);
    waitpid(burner, NULL, 0);
    burner = 0;
}
