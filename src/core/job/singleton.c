/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that nobody launched starts its own PEs: NPES=4 ./prog, or
 * start_pes(4). The process forks them and stays as their supervisor, as the
 * toolkit of 1996 did with its tasks. With MPT_TASKS=1 the PEs of a process are
 * made before their program begins: each process begins the program anew, as one
 * below a launcher, with NPES before the program has done anything.
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
#include "core/job/foreign.h"
#include "core/job/start.h"
#include "core/live/leash.h"
#include "core/live/supervise.h"
#include "core/task/task.h"
#include "core/topo/topology.h"

struct start {
    unsigned npes, processes;
    int fd, leash; /* of the job; the leash's writing end */
    struct core_header *h;
    pid_t *pids, parent;
    int *cpus; /* one for each process; NULL: not bound */
    bool sessions;
    sigset_t set, old_mask;
};

/* One process to a core, when they all fit: the cores, or NULL. */
static int *choose_cores(unsigned processes, struct core_header *h)
{
    int *cpus = core_params.bind && processes <= h->ncores ? malloc(processes * sizeof *cpus) : NULL;
    unsigned found = cpus ? core_topology_order(cpus, processes) : 0;
    if (!cpus || found == processes)
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

static void become_pe(const struct start *s, unsigned pe)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != s->parent) /* it died before prctl */
        _exit(1);
    sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
    if (pe > 0) {
        int null = core_open_empty();
        if (null > STDIN_FILENO) {
            dup2(null, STDIN_FILENO);
            close(null);
        }
    }
    if (s->sessions)
        core_session_begin(pe);
}

/* The words of a file that ends each by a 0, as execve takes them. NULL: it cannot be read. */
static char **words_of(const char *path)
{
    FILE *f = fopen(path, "re");
    char **list = NULL, *word = NULL;
    size_t n = 0, room = 0;
    while (f && getdelim(&word, &room, '\0', f) > 0) {
        char **more = realloc(list, (n + 2) * sizeof *more);
        if (!more)
            break;
        list = more;
        list[n++] = strdup(word);
        list[n] = NULL;
    }
    free(word);
    if (f)
        fclose(f);
    return list;
}

/* The program begins again in this process, as that of `count` PEs. */
static void begin_anew(const struct start *s, unsigned first, unsigned count)
{
    char path[4096], text[64], **argv = words_of("/proc/self/cmdline");
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    snprintf(text, sizeof text, "%u:%d:%u", CORE_WIRE_VERSION, s->fd, first);
    setenv(CORE_WIRE_ENV, text, 1);
    snprintf(text, sizeof text, "%u", count);
    if (count > 1)
        setenv(CORE_WIRE_ENV_TASKS, text, 1);
    unsetenv("NPES");
    if (argv)
        execv(path, argv);
    core_error("cannot begin the program anew, as PEs that are tasks (MPT_TASKS) need: %s", strerror(errno));
    _exit(1);
}

static void supervise(const struct start *s)
{
    struct core_watch w;
    if (core_watch_init(&w, s->fd, s->h, s->pids, program_invocation_short_name) != 0)
        _exit(1);
    while (w.alive > 0) {
        int ms = core_watch_timeout(&w);
        struct timespec limit = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000l};
        siginfo_t info;
        int sig = sigtimedwait(&s->set, &info, ms < 0 ? &(struct timespec){.tv_sec = 3600} : &limit);
        if (sig > 0)
            core_watch_take(&w, sig, info.si_code);
        core_watch_tick(&w);
    }
    int status = core_watch_status(&w), passed = w.passed;
    core_watch_finish(&w);
    if (passed && status == 128 + passed)
        core_watch_die_by(passed);
    _exit(status); /* the exit handlers belong to the PEs */
}

/* The PE that this process has become; or the supervisor, which does not return. */
static unsigned start_all(struct start *s)
{
    fflush(NULL); /* what is buffered now must be written once */
    for (unsigned k = 0; k < s->processes; k++) {
        unsigned pe = core_deal_first(s->npes, s->processes, k), end = core_deal_first(s->npes, s->processes, k + 1);
        pid_t pid = fork();
        if (pid == 0) {
            become_pe(s, pe);
            if (s->leash >= 0)
                close(s->leash);
            if (s->cpus)
                bind_to(s->cpus[k]);
            if (s->h->tasks)
                begin_anew(s, pe, end - pe);
            free(s->cpus);
            free(s->pids);
            return pe;
        }
        if (pid < 0) {
            core_error("cannot fork PE %u of %u: %s", pe, s->npes, strerror(errno));
            for (unsigned i = 0; i < pe; i++)
                kill(s->pids[i], SIGKILL);
            _exit(1);
        }
        while (pe < end)
            s->pids[pe++] = pid;
    }
    supervise(s);
    return 0; /* not reached */
}

/* How many processes these PEs are to have; a negative errno after a message. */
static int deal(unsigned npes, unsigned ncores)
{
    unsigned asked, processes;
    char why[CORE_LIMITS_WHY];
    const char *refusal;
    bool uses;
    if (core_deal_read(core_params.tasks, &asked) != 0) {
        core_error("MPT_TASKS=%s: expected 0, a number of processes, or auto (one for each core)", core_params.tasks);
        return -EINVAL;
    }
    processes = core_deal_processes(npes, ncores, asked);
    if (processes == npes)
        return (int)npes;
    if (!core_deal_allowed(npes, processes, why, sizeof why)) {
        core_error("MPT_TASKS: %s", why);
        return -EINVAL;
    }
    if ((refusal = core_task_refusal("/proc/self/exe", &uses))) {
        core_error("MPT_TASKS: PEs of %s cannot be tasks: %s", program_invocation_short_name, refusal);
        return -ENOTSUP;
    }
    return (int)processes;
}

int core_singleton_start(int npes, int *fd)
{
    const struct core_sizes sizes = {core_params.heap_size, core_params.data_max, core_params.arena_max, false};
    const unsigned ncores = core_topology_cores();
    struct start s = {.npes = (unsigned)npes, .parent = getpid()};
    char why[CORE_LIMITS_WHY];
    int rc, processes = deal(s.npes, ncores);
    if (processes < 0)
        return processes;
    s.processes = (unsigned)processes;
    *fd = s.fd = core_wire_create(&s.h, s.npes, ncores, sizes);
    if (*fd < 0) {
        core_error("cannot make a job of %d PEs with %s", npes, core_wire_why(why, -*fd, s.npes, sizes));
        return *fd;
    }
    if (npes == 1)
        return 0;
    if (!core_limits_allow(&(struct core_need){.npes = s.npes, .space = s.h->file_size}, why, sizeof why)) {
        core_error("cannot start %d PEs: %s", npes, why);
        return -EAGAIN;
    }
    s.h->launcher = getpid();
    s.h->tasks = s.processes < s.npes;
    if ((rc = core_deal_tell(s.fd, s.h, 0, s.npes, s.processes)) != 0) {
        core_error("cannot write to the job's memory: %s", strerror(-rc));
        return rc;
    }
    s.leash = core_leash_make(s.h);
    s.h->survivable = core_params.survive;
    s.pids = calloc(s.npes, sizeof *s.pids);
    if (!s.pids)
        return -ENOMEM;
    s.cpus = choose_cores(s.processes, s.h);
    s.sessions = core_sessions_pay(s.npes, s.h->ncores);
    core_watch_signals(&s.set);
    sigprocmask(SIG_BLOCK, &s.set, &s.old_mask);
    return (int)start_all(&s);
}

/* Tasks are made before their program begins. With NPES their number is known then, so that the program begins once for
 * each, not once more before it starts the library. */
__attribute__((constructor)) static void start_early(void)
{
    const char *npes = core_param_foreign("NPES"), *tasks = core_param_foreign("MPT_TASKS"), *cure;
    char why[512];
    int rank, size, fd;
    if (!npes || !tasks || strcmp(tasks, "0") == 0 || core_param_foreign(CORE_WIRE_ENV) ||
        core_param_foreign(CORE_WIRE_ENV_OPEN) || core_backend_pmix.here() ||
        core_foreign_launcher(&rank, &size, &cure))
        return;
    if (core_param_load(why, sizeof why) != 0) {
        core_error("%s", why);
        _exit(EXIT_FAILURE);
    }
    int processes = core_params.npes > 1 ? deal(core_params.npes, core_topology_cores()) : 0;
    if (processes < 0 || (processes > 0 && (unsigned)processes < core_params.npes &&
                          core_singleton_start((int)core_params.npes, &fd) < 0))
        _exit(EXIT_FAILURE);
}
