/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that nobody launched starts its own PEs: NPES=4 ./prog, or
 * start_pes(4). The process forks them and stays as their supervisor, as the
 * toolkit of 1996 did with its tasks.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/live/leash.h"
#include "core/live/supervise.h"
#include "core/topo/topology.h"

/* One PE to a core, when they all fit: the cores, or NULL. */
static int *choose_cores(unsigned npes, struct core_header *h)
{
    int *cpus = core_params.bind && npes <= h->ncores ? malloc(npes * sizeof *cpus) : NULL;
    unsigned found = cpus ? core_topology_order(cpus, npes) : 0;
    if (!cpus || found == npes)
        return cpus;
    core_topology_release();
    h->ncores = found ? found : 1; /* other jobs are bound to the rest */
    free(cpus);
    return NULL;
}

static void bind_to(int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void become_pe(int pe, pid_t parent, const sigset_t *old_mask, bool session)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it died before prctl */
        _exit(1);
    sigprocmask(SIG_SETMASK, old_mask, NULL);
    if (pe > 0) {
        int null = core_open_empty();
        if (null > STDIN_FILENO) {
            dup2(null, STDIN_FILENO);
            close(null);
        }
    }
    if (session)
        core_session_begin((unsigned)pe);
}

static void supervise(int fd, struct core_header *h, const pid_t *pids, const sigset_t *set)
{
    struct core_watch w;
    if (core_watch_init(&w, fd, h, pids, program_invocation_short_name) != 0)
        _exit(1);
    while (w.alive > 0) {
        int ms = core_watch_timeout(&w);
        struct timespec limit = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000l};
        siginfo_t info;
        int sig = sigtimedwait(set, &info, ms < 0 ? &(struct timespec){.tv_sec = 3600} : &limit);
        if (sig > 0)
            core_watch_take(&w, sig, info.si_code);
        core_watch_tick(&w);
    }
    int status = w.status, passed = w.passed;
    core_watch_finish(&w);
    if (passed && status == 128 + passed)
        core_watch_die_by(passed);
    _exit(status); /* the exit handlers belong to the PEs */
}

int core_self_start(int npes, int *fd)
{
    const struct core_sizes sizes = {core_params.heap_size, core_params.data_max, core_params.arena_max, false};
    char why[CORE_LIMITS_WHY];
    struct core_header *h;
    *fd = core_wire_create(&h, (unsigned)npes, core_topology_cores(), sizes);
    if (*fd < 0) {
        core_error("cannot make a job of %d PEs with %s", npes, core_wire_why(why, -*fd, (unsigned)npes, sizes));
        return *fd;
    }
    if (npes == 1)
        return 0;
    if (!core_limits_allow(&(struct core_need){.npes = (unsigned)npes, .space = h->file_size}, why, sizeof why)) {
        core_error("cannot start %d PEs: %s", npes, why);
        return -EAGAIN;
    }
    h->launcher = getpid();
    int leash = core_leash_make(h);
    h->survivable = core_params.survive;
    pid_t *pids = calloc((size_t)npes, sizeof *pids), parent = getpid();
    if (!pids)
        return -ENOMEM;
    int *cpus = choose_cores((unsigned)npes, h);
    bool sessions = core_sessions_pay((unsigned)npes, h->ncores);
    sigset_t set, old;
    core_watch_signals(&set);
    sigprocmask(SIG_BLOCK, &set, &old);
    fflush(NULL); /* what is buffered now must be written once */
    for (int pe = 0; pe < npes; pe++) {
        pids[pe] = fork();
        if (pids[pe] == 0) {
            become_pe(pe, parent, &old, sessions);
            if (leash >= 0)
                close(leash);
            if (cpus)
                bind_to(cpus[pe]);
            free(cpus);
            free(pids);
            return pe;
        }
        if (pids[pe] < 0) {
            core_error("cannot fork PE %d of %d: %s", pe, npes, strerror(errno));
            for (int i = 0; i < pe; i++)
                kill(pids[i], SIGKILL);
            _exit(1);
        }
    }
    supervise(*fd, h, pids, &set);
    return -EIO; /* not reached */
}
