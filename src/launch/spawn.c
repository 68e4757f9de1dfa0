/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts the PEs. Each is cloned with our memory shared and us suspended until
 * it executes the program (core/base/child.h), because copying page tables is
 * the most expensive part of a fork.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/empty.h"
#include "core/job/start.h"
#include "core/topo/topology.h"
#include "launch/launch.h"

/* What scripts ask for that are started in a program's place. Of tasks it is the first one's number. */
#define ENV_PE "MPT_PE"
#define ENV_NPES "MPT_NPES"

struct spawn {
    struct launch *l;
    const struct launch_app *app; /* of the PE being started */
    char **env;        /* its environment; last entry before NULL: the job and the PE */
    char job[64];
    size_t tasks_at;   /* where in env what the process is told of its tasks comes */
    char *number;      /* what program the app is */
    char pe_text[24], npes_text[24]; /* for scripts */
    int null_fd;
    pid_t parent;
    bool copies; /* children have copies of our descriptors from the beginning */
    struct rlimit files; /* as we were given it */
    cpu_set_t *mask;     /* for the PE being started; NULL: not bound */
    size_t mask_size;
    unsigned pe, count;  /* the first PE of the process being started, and how many it has */
    unsigned process;    /* the number of that process */
    char *tasks;         /* their outputs; NULL: one PE */
    int *outputs;        /* stdout and stderr of each; -1: ours */
    bool sessions;       /* one for each PE */
    int out, err;      /* its ends of the pipes, -1: ours */
    struct refusal {
        const char *hint; /* what failed in the child, ... */
        int error;        /* ... and why */
    } refusal;
};

static int fail(struct spawn *s, const char *hint)
{
    s->refusal = (struct refusal){hint, errno};
    return STATUS_NOT_FOUND;
}

/* A script without "#!" is one for sh, as execvp(3) has it. A program that the kernel does not know is none. */
static void exec_script(const struct spawn *s)
{
    char **argv = s->app->program;
    size_t n = 0;

    if (!launch_is_text(s->app->path)) {
        errno = ENOEXEC;
        return;
    }
    while (argv[n])
        n++;
    char *sh[n + 3];

    sh[0] = "sh";
    sh[1] = s->app->path;
    for (size_t i = 1; i <= n; i++)
        sh[i + 1] = argv[i];
    execve("/bin/sh", sh, s->env);
}

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2u
#endif

/* The child begins with our table of descriptors, not a copy: copying, and closing again, the
 * pipes of all PEs before it would take the square of their number. */
static bool take_descriptors(const struct spawn *s)
{
    if (s->copies)
        return true;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, s->l->forward.fd_min > 0 ? (unsigned)s->l->forward.fd_min : ~0u, ~0u,
                CLOSE_RANGE_UNSHARE) == 0)
        return true;
#endif
    return unshare(CLONE_FILES) == 0; /* before Linux 5.9 */
}

static const char no_descriptors[] = " (its descriptors)";

/* Runs in the child, on our memory: system calls only. */
static int child(void *arg)
{
    struct spawn *s = arg;

    /* The signal comes when our thread ends; it may have ended before prctl. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != s->parent)
        return EXIT_FAILURE;
    if (!take_descriptors(s))
        return fail(s, no_descriptors);
    if (s->pe > 0 && dup2(s->null_fd, STDIN_FILENO) < 0)
        return fail(s, " (its stdin)");
    if ((s->out >= 0 && dup2(s->out, STDOUT_FILENO) < 0) || (s->err >= 0 && dup2(s->err, STDERR_FILENO) < 0))
        return fail(s, " (its output)");
    for (unsigned i = 2; s->count > 1 && i < 2 * s->count; i++)
        if (s->outputs[i] >= 0)
            fcntl(s->outputs[i], F_SETFD, 0);
    if (s->sessions)
        core_session_begin(s->pe);
    if (s->mask)
        sched_setaffinity(0, s->mask_size, s->mask); /* a wish: the PE runs without, too */
    setrlimit(RLIMIT_NOFILE, &s->files);
    sigprocmask(SIG_SETMASK, &s->l->old_mask, NULL);
    if (s->app->wdir && *s->app->wdir && chdir(s->app->wdir) != 0)
        return fail(s, " (its working directory)");
    execve(s->app->path, s->app->program, s->env);
    if (errno == ENOEXEC)
        exec_script(s);
    return fail(s, "");
}

static pid_t start_one(struct spawn *s)
{
    /* Room for the argument vector of exec_script. */
    static char stack[1 << 20] __attribute__((aligned(64)));
    const struct launch *l = s->l;

    snprintf(s->job, sizeof s->job, CORE_WIRE_ENV "=%u:%d:%u", CORE_WIRE_VERSION, l->fd, s->pe);
    snprintf(s->pe_text, sizeof s->pe_text, ENV_PE "=%u", s->pe);
    if (s->mask)
        launch_bind_mask(l, s->process, s->mask, s->mask_size);
    return core_child_start(&(struct core_child){
        child, s, stack + sizeof stack, (s->copies ? 0 : CLONE_FILES) | SIGCHLD, &s->refusal, sizeof s->refusal});
}

/* Filters of system calls, as containers have them, may leave no way to a table of its own but copying all of ours. */
static pid_t start_somehow(struct spawn *s)
{
    pid_t pid = start_one(s);

    if (pid < 0 || s->copies || !s->refusal.error || s->refusal.hint != no_descriptors)
        return pid;
    waitpid(pid, NULL, __WALL);
    s->refusal = (struct refusal){0};
    s->copies = true;
    return start_one(s);
}

/* Is `entry` an outer job's entry, or something that the app has another value for? */
static bool replaced(const char *entry, char **more)
{
    static const char *const ours[] = {
        CORE_WIRE_ENV "=", CORE_WIRE_ENV_PARENT "=", CORE_WIRE_ENV_APP "=", CORE_WIRE_ENV_TASKS "=", ENV_PE "=",
        ENV_NPES "="};
    size_t name = strcspn(entry, "=") + 1;

    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strncmp(entry, ours[i], strlen(ours[i])) == 0)
            return true;
    for (; more && *more; more++)
        if (strncmp(*more, entry, name) == 0)
            return true;
    return false;
}

static size_t length(char **list)
{
    size_t n = 0;

    while (list && list[n])
        n++;
    return n;
}

static int make_number(struct spawn *s)
{
    const struct launch_app *app = s->app;

    free(s->number);
    s->number = NULL;
    if (s->l->options.napps == 1 && s->l->options.spawner < 0 && !app->soft)
        return 0;
    return asprintf(&s->number, CORE_WIRE_ENV_APP "=%u:%u:%s", (unsigned)(app - s->l->options.apps),
                    app->soft ? app->most : app->npes, app->soft ? app->soft : "");
}

/* What the app has of our environment, without an outer job's entry, and with the PE's and the app's own. */
static char **make_env(struct spawn *s)
{
    size_t n = length(environ), more = length(s->app->env), k = 0;
    char **env = malloc((n + more + 6) * sizeof *env);

    if (!env)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (!replaced(environ[i], s->app->env) && launch_passes(&s->l->options, s->app, environ[i]))
            env[k++] = environ[i];
    for (size_t i = 0; i < more; i++)
        env[k++] = s->app->env[i];
    if (s->number)
        env[k++] = s->number;
    env[k++] = s->job;
    env[k++] = s->pe_text;
    env[k++] = s->npes_text;
    s->tasks_at = k;
    env[k] = env[k + 1] = NULL;
    return env;
}

/* What differs from app to app. */
static int take_app(struct spawn *s, unsigned pe)
{
    const struct launch_app *app = launch_app_of(s->l, pe);

    if (s->app == app)
        return 0;
    s->app = app;
    free(s->env);
    s->env = make_number(s) < 0 ? NULL : make_env(s);
    if (s->env)
        return 0;
    launch_say("out of memory");
    return EXIT_FAILURE;
}

/* Descriptors that are open, and the number of the last; 0: not known. */
static unsigned open_fds(unsigned *last)
{
    DIR *dir = opendir("/proc/self/fd");
    unsigned n = 0, fd;

    *last = 0;
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (sscanf(e->d_name, "%u", &fd) == 1) {
            *last = fd > *last ? fd : *last;
            n++;
        }
    if (dir)
        closedir(dir);
    return n;
}

/* Our ends of the pipes go above all that is open now and what a PE gets, so that children can
 * leave them alone (take_descriptors), if so many numbers are allowed. Returns how many are. */
static uint64_t place_pipes(struct forward *f, unsigned each, uint64_t most)
{
    const unsigned FOR_CHILD = 1 + 2 * each;
    unsigned last, n = open_fds(&last);
    uint64_t above = (uint64_t)last + 1 + FOR_CHILD + f->nstreams;

    if (n == 0 || above > most)
        return n + FOR_CHILD + f->nstreams;
    f->fd_min = (int)last + 1 + FOR_CHILD;
    return above;
}

/* The pipes of all PEs need more descriptors than the usual limit has. */
static void raise_file_limit(struct spawn *s, rlim_t want)
{
    struct rlimit lim;

    if (getrlimit(RLIMIT_NOFILE, &s->files) || s->files.rlim_cur >= want)
        return;
    lim = s->files;
    if (lim.rlim_max < want) { /* it takes privilege */
        lim.rlim_cur = lim.rlim_max = want;
        if (setrlimit(RLIMIT_NOFILE, &lim) == 0)
            return;
        lim = s->files;
    }
    lim.rlim_cur = lim.rlim_max < want ? lim.rlim_max : want;
    setrlimit(RLIMIT_NOFILE, &lim);
}

enum { FEW = 16 /* PEs whose pipes are as well copied as placed */, TIGHT = 256 /* descriptors may not do for them */ };

/* Whatever would stop us half-way is said before anything is started. */
static int look_ahead(struct spawn *s)
{
    struct launch *l = s->l;
    struct rlimit lim;
    bool tight = getrlimit(RLIMIT_NOFILE, &lim) == 0 && lim.rlim_cur < TIGHT;
    uint64_t files =
        l->npes > FEW || tight ? place_pipes(&l->forward, l->most, core_limits_files()) : l->forward.nstreams;
    struct core_need need = {.npes = l->npes, .files = files, .space = l->header->file_size};
    char why[CORE_LIMITS_WHY];

    if (!core_limits_allow(&need, why, sizeof why)) {
        launch_say("cannot start %u PEs: %s", l->npes, why);
        return EXIT_FAILURE;
    }
    raise_file_limit(s, files);
    return 0;
}

/* What the process is told: how many PEs it has, and where each of them writes. */
static int tell_tasks(struct spawn *s)
{
    size_t room = 16 + (size_t)s->count * 24, n;

    free(s->tasks);
    s->tasks = NULL;
    s->env[s->tasks_at] = NULL;
    if (s->count == 1)
        return 0;
    s->tasks = malloc(room);
    if (!s->tasks)
        return -1;
    n = (size_t)snprintf(s->tasks, room, CORE_WIRE_ENV_TASKS "=%u", s->count);
    for (unsigned i = 0; i < s->count; i++)
        n += (size_t)snprintf(s->tasks + n, room - n, ":%d,%d", s->outputs[2 * i], s->outputs[2 * i + 1]);
    s->env[s->tasks_at] = s->tasks;
    return 0;
}

static int open_pipes(struct spawn *s)
{
    struct launch *l = s->l;
    int rc;

    for (unsigned i = 0; i < 2 * s->count; i++)
        s->outputs[i] = -1;
    for (unsigned i = 0; l->piped && i < s->count; i++)
        if ((rc = forward_open(&l->forward, s->pe + i, &s->outputs[2 * i], &s->outputs[2 * i + 1])) != 0) {
            if (rc == -EBADF) /* a file for it, which has been said */
                return EXIT_FAILURE;
            launch_say("cannot make the pipes of PE %u of %u: %s%s", s->pe + i, l->npes, strerror(errno),
                       launch_limit_of(errno));
            return EXIT_FAILURE;
        }
    s->out = s->outputs[0];
    s->err = s->outputs[1];
    return 0;
}

static void close_pipes(struct spawn *s)
{
    for (unsigned i = 0; i < s->count; i++) {
        int out = s->outputs[2 * i], err = s->outputs[2 * i + 1];

        if (out >= 0)
            close(out);
        if (err >= 0 && err != out)
            close(err);
    }
}

/* The process of `count` PEs from `pe` on. */
static int start_process(struct spawn *s, unsigned pe, unsigned count)
{
    struct launch *l = s->l;
    pid_t pid;
    int rc = take_app(s, pe);

    if (rc)
        return rc;
    s->pe = pe;
    s->count = count;
    if ((rc = open_pipes(s)))
        return rc;
    if (tell_tasks(s)) {
        launch_say("out of memory");
        return EXIT_FAILURE;
    }
    pid = start_somehow(s);
    if (pid < 0)
        s->refusal.error = errno;
    for (unsigned i = 0; i < count; i++)
        l->pids[pe + i] = pid;
    close_pipes(s);
    if (pid < 0) {
        launch_say("cannot start PE %u of %u: %s%s", pe, l->npes, strerror(s->refusal.error),
                   launch_limit_of(s->refusal.error));
        return EXIT_FAILURE;
    }
    if (!s->refusal.error)
        return 0;
    if (!*s->refusal.hint)
        return launch_cannot_run(s->app->path, s->refusal.error);
    launch_say("cannot run '%s': %s%s", s->app->path, strerror(s->refusal.error), s->refusal.hint);
    return s->refusal.error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

static void kill_started(const struct launch *l, unsigned n)
{
    for (unsigned pe = 0; pe < n; pe++)
        if (l->pids[pe] > 0)
            kill(l->pids[pe], SIGKILL);
    for (unsigned pe = 0; pe < n; pe++)
        if (l->pids[pe] > 0)
            waitpid(l->pids[pe], NULL, 0);
}

/* The processes of one program, whose first PE is `pe`. */
static int start_app(struct spawn *s, const struct launch_app *app, unsigned pe)
{
    int rc = 0;

    for (unsigned k = 0; k < app->processes && rc == 0; k++, s->process++) {
        unsigned first = launch_deal_first(app, k), end = launch_deal_first(app, k + 1);

        rc = start_process(s, pe + first, end - first);
        if (rc)
            kill_started(s->l, pe + end);
    }
    return rc;
}

int launch_spawn(struct launch *l)
{
    struct spawn s = {.l = l, .parent = getpid(), .null_fd = -1};
    int rc = EXIT_FAILURE;

    snprintf(s.npes_text, sizeof s.npes_text, ENV_NPES "=%u", l->npes);
    s.null_fd = core_open_empty();
    s.outputs = malloc(2 * (size_t)l->most * sizeof *s.outputs);
    if (!s.outputs) {
        launch_say("out of memory");
        goto out;
    }
    if (l->cpus)
        s.mask = core_topology_mask(0, &s.mask_size);
    if (s.null_fd < 0) {
        launch_say("cannot open an empty input for the PEs but the first: %s%s", strerror(errno),
                   launch_limit_of(errno));
        goto out;
    }
    if ((rc = look_ahead(&s)))
        goto out;
    s.sessions = core_sessions_pay(l->npes, l->header->ncores);
    for (unsigned i = 0, pe = 0; i < l->options.napps && rc == 0; pe += l->options.apps[i++].npes)
        rc = start_app(&s, &l->options.apps[i], pe);
out:
    CPU_FREE(s.mask);
    if (s.null_fd >= 0)
        close(s.null_fd);
    free(s.env);
    free(s.number);
    free(s.tasks);
    free(s.outputs);
    return rc;
}
