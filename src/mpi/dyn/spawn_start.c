/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starting the launcher of a spawned job. It must be no child of this process:
 * the program may wait for all its children, or handle their signals, and the
 * job may outlive us. So a child that shares our memory starts it and ends; the
 * launcher becomes one of whoever adopts orphans, our own launcher for instance,
 * which waits for it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/child.h"
#include "mpi/dyn/dyn.h"

/* ------------------------------------------------------------- the launcher -- */

/* The one of this library: bin/mptrun beside the folder that holds the library. */
static bool beside_library(char path[PATH_MAX])
{
    Dl_info where;
    char library[PATH_MAX], *slash;

    if (!dladdr((void *)(uintptr_t)&mpii_spawn_start, &where) || !where.dli_fname ||
        !realpath(where.dli_fname, library))
        return false;
    for (int up = 0; up < 2; up++) {
        slash = strrchr(library, '/');
        if (!slash)
            return false;
        *slash = '\0';
        if ((size_t)snprintf(path, PATH_MAX, "%s/bin/mptrun", library) < PATH_MAX && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

static bool find_launcher(char path[PATH_MAX])
{
    if (*core_params.launcher) {
        snprintf(path, PATH_MAX, "%s", core_params.launcher);
        return true;
    }
    return beside_library(path) || mpii_spawn_find_on("mptrun", core_param_foreign("PATH"), path);
}

/* ------------------------------------------------------- the table of programs -- */

struct text {
    char *at;
    size_t n, room;
    bool failed;
};

static void add(struct text *t, const void *bytes, size_t n)
{
    if (t->n + n > t->room) {
        size_t room = 2 * (t->n + n);
        char *more = realloc(t->at, room);

        if (!more) {
            t->failed = true;
            return;
        }
        t->at = more;
        t->room = room;
    }
    memcpy(t->at + t->n, bytes, n);
    t->n += n;
}

static void add_word(struct text *t, const char *word)
{
    add(t, word, strlen(word) + 1);
}

static void add_number(struct text *t, size_t n)
{
    char word[24];

    snprintf(word, sizeof word, "%zu", n);
    add_word(t, word);
}

static size_t length(char *const *list)
{
    size_t n = 0;

    while (list && list[n])
        n++;
    return n;
}

/* As the launcher reads it (launch/apps.c). */
static void add_app(struct text *t, const struct mpii_spawn_app *app, const char *parent)
{
    add_number(t, (size_t)app->n);
    add_word(t, app->wdir ? app->wdir : "");
    add_number(t, length(app->env) + 1);
    for (size_t i = 0; i < length(app->env); i++)
        add_word(t, app->env[i]);
    add_word(t, parent);
    add_number(t, length(app->argv));
    for (size_t i = 0; i < length(app->argv); i++)
        add_word(t, app->argv[i]);
}

static int send_table(int fd, const struct mpii_spawn_app *apps, int n, const char *port)
{
    struct text t = {0};
    char parent[MPI_MAX_PORT_NAME + 16];
    uint64_t size;
    bool sent;

    snprintf(parent, sizeof parent, "MPT_PARENT=%s", port);
    add_number(&t, (size_t)n);
    for (int i = 0; i < n; i++)
        add_app(&t, &apps[i], parent);
    size = t.n;
    sent = !t.failed && send(fd, &size, sizeof size, MSG_NOSIGNAL) == (ssize_t)sizeof size;
    for (size_t at = 0; sent && at < t.n;) {
        ssize_t got = send(fd, t.at + at, t.n - at, MSG_NOSIGNAL);

        sent = got > 0;
        at += sent ? (size_t)got : 0;
    }
    free(t.at);
    return sent ? 0 : -1;
}

/* ---------------------------------------------------------------- starting -- */

struct start {
    char path[PATH_MAX], option[48], tasks[48];
    char *argv[4];
    int socket, leash, null_fd, error;
    int out, err; /* -1: closed */
    cpu_set_t *mask; /* of whoever started us; NULL: as we are */
    size_t mask_size;
    char *stack;
};
enum { STACK = 64 << 10 };

/* Both run in children, on our memory, while we are suspended: system calls only, on stacks that a sanitizer would not
 * know. */
#define ON_OTHER_STACK __attribute__((no_sanitize("address")))
static ON_OTHER_STACK void put_at(int from, int to)
{
    if (from >= 0 && from != to)
        syscall(SYS_dup3, from, to, 0);
}

static ON_OTHER_STACK int launcher(void *arg)
{
    struct start *s = arg;
    sigset_t none;

    fcntl(s->socket, F_SETFD, 0);
    if (s->leash >= 0)
        fcntl(s->leash, F_SETFD, 0);
    /* Of a task, 0 to 2 are names of other descriptors, but not in the program that is executed. */
    put_at(s->null_fd, STDIN_FILENO);
    put_at(s->out, STDOUT_FILENO);
    put_at(s->err, STDERR_FILENO);
    if (s->mask)
        sched_setaffinity(0, s->mask_size, s->mask); /* we may be bound to one core */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(s->path, s->argv, environ);
    s->error = errno;
    return 127;
}

static ON_OTHER_STACK pid_t start_on(struct start *s, char *stack, int (*what)(void *), int sig)
{
    return core_child_start(&(struct core_child){what, s, stack + STACK, sig, &s->error, sizeof s->error});
}

static ON_OTHER_STACK int between(void *arg)
{
    struct start *s = arg;

    if (start_on(s, s->stack, launcher, SIGCHLD) < 0)
        s->error = errno;
    return 0;
}

/* The CPUs of our launcher: we may be bound to one of them. */
static void find_mask(struct start *s)
{
    int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

    for (cpus = cpus < 1024 ? 1024 : cpus; cpus <= 1 << 20; cpus *= 2) {
        s->mask = CPU_ALLOC((size_t)cpus);
        s->mask_size = CPU_ALLOC_SIZE((size_t)cpus);
        if (s->mask && sched_getaffinity(getppid(), s->mask_size, s->mask) == 0)
            return;
        CPU_FREE(s->mask);
        s->mask = NULL;
        if (errno != EINVAL)
            return;
    }
}

static void close_if_open(int fd)
{
    if (fd >= 0)
        close(fd);
}

static int run(struct start *s)
{
    char *stacks = aligned_alloc(64, 2 * STACK);
    pid_t pid;

    if (!stacks)
        return ENOMEM;
    s->stack = stacks;
    s->null_fd = core_open_empty();
    s->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    s->err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    find_mask(s);
    /* No signal when it ends: the program need not know of it. */
    pid = start_on(s, stacks + STACK, between, 0);
    if (pid < 0)
        s->error = errno;
    else
        while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
            ;
    CPU_FREE(s->mask);
    close(s->null_fd);
    close_if_open(s->out);
    close_if_open(s->err);
    free(stacks);
    return s->error;
}

int mpii_spawn_start(const struct mpii_spawn_app *apps, int n, const char *port)
{
    struct start s = {.argv = {(char *)"mptrun", s.option, NULL, NULL}};
    int ends[2], err = 0;

    if (!find_launcher(s.path)) {
        errno = ENOENT;
        return -1;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    s.socket = ends[1];
    s.leash = core_leash_fd();
    snprintf(s.option, sizeof s.option, "--spawned-by=%d,%d", ends[1], s.leash);
    for (int i = 0; i < n && !s.argv[2]; i++)
        if (apps[i].tasks) {
            snprintf(s.tasks, sizeof s.tasks, "--tasks=%s", apps[i].tasks);
            s.argv[2] = s.tasks;
        }
    err = run(&s);
    close(ends[1]);
    if (err == 0 && send_table(ends[0], apps, n, port) != 0)
        err = errno;
    if (err == 0)
        return ends[0];
    close(ends[0]);
    errno = err;
    return -1;
}

int mpii_spawn_status(int fd, bool *over)
{
    int status = -1;
    ssize_t n = recv(fd, &status, sizeof status, MSG_DONTWAIT);

    *over = n >= 0 || (errno != EAGAIN && errno != EINTR);
    return n == (ssize_t)sizeof status ? status : -1;
}
