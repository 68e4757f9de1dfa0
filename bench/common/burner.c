/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The outsiders: processes that take a core each and never give it back, as another user's program would. They have
 * a session of their own, so that autogroup scheduling treats them as strangers, and they die with their parent.
 */
#define _GNU_SOURCE 1
#include "bench.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Shared with the first of them, which starts the others. */
struct burners {
    volatile int started; /* -1: one could not be */
    pid_t pids[BENCH_BURNERS];
};

static struct burners *burners;
static int burning;

/* Dies when its parent does; a parent that is gone already sends no signal. */
static void die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
}

static void burn(void)
{
    volatile unsigned long sink = 0;

    for (;;)
        sink++;
}

/* The first one, of which the others are children: in its session and group. */
static void lead(pid_t parent, int n)
{
    const pid_t me = getpid();
    cpu_set_t everywhere;

    die_with(parent);
    setsid();
    /* A stranger isn't bound to the CPU of the PE that started it; the kernel keeps it within the machine's limits. */
    memset(&everywhere, 0xff, sizeof everywhere);
    sched_setaffinity(0, sizeof everywhere, &everywhere);
    /* Nobody shall wait for the end of a pipe that only this process still holds. */
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    for (int i = 1; i < n; i++) {
        const pid_t child = fork();

        if (child == 0) {
            die_with(me);
            burn();
        }
        if (child < 0) {
            burners->started = -1;
            _exit(1);
        }
        burners->pids[i] = child;
    }
    burners->pids[0] = me;
    __atomic_store_n(&burners->started, n, __ATOMIC_RELEASE); /* the numbers before it */
    burn();
}

int bench_burners_start(int n)
{
    const pid_t parent = getpid();
    pid_t first;

    if (n < 1 || n > BENCH_BURNERS || burners) {
        errno = EINVAL;
        return -1;
    }
    burners = mmap(NULL, sizeof *burners, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (burners == MAP_FAILED) {
        burners = NULL;
        return -1;
    }
    fflush(NULL);
    first = fork();
    if (first == 0)
        lead(parent, n);
    while (first > 0 && __atomic_load_n(&burners->started, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
    if (first < 0 || burners->started < 0) {
        if (first > 0)
            waitpid(first, NULL, 0);
        munmap(burners, sizeof *burners);
        burners = NULL;
        errno = EAGAIN;
        return -1;
    }
    burning = n;
    return 0;
}

void bench_burners_run(int n)
{
    if (!burners)
        return;
    for (int i = 0; i < burners->started; i++)
        if ((i < n) != (i < burning))
            kill(burners->pids[i], i < n ? SIGCONT : SIGSTOP);
    burning = n;
}

int bench_burners(void)
{
    return burners ? burners->started : 0;
}

int bench_burner_start(void)
{
    return bench_burners_start(1);
}

/* The others end with the first, whose group they are in. */
void bench_burner_stop(void)
{
    if (!burners)
        return;
    kill(-burners->pids[0], SIGKILL);
    waitpid(burners->pids[0], NULL, 0);
    munmap(burners, sizeof *burners);
    burners = NULL;
    burning = 0;
}
