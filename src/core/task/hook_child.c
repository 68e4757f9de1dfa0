/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Children of a PE. To the kernel they are the process's, so each task knows its own: who waits for any child gets one
 * of these, and others run meanwhile. Commands that a PE starts have its input and output.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/task/block.h"
#include "core/task/hooks.h"
#include "core/task/own.h"

static void add_child(pid_t pid)
{
    struct core_task_own *own = core_task_here()->own;
    pid_t *more;

    if (pid <= 0)
        return;
    more = realloc(own->children, (own->n_children + 1) * sizeof *more);
    if (!more)
        core_fatal("fork: out of memory");
    own->children = more;
    own->children[own->n_children++] = pid;
}

static void remove_child(pid_t pid)
{
    struct core_task_own *own = core_task_here()->own;

    for (unsigned i = 0; i < own->n_children; i++)
        if (own->children[i] == pid) {
            own->children[i] = own->children[--own->n_children];
            return;
        }
}

static pid_t fork_child(void)
{
    pid_t pid = core_task_real.fork();

    add_child(pid);
    return pid;
}

/* ------------------------------------------------------------- waiting -- */

struct waiting {
    pid_t pid;
    int *status, options;
    struct rusage *usage;
    unsigned breaks;
    pid_t rc;
};

static bool is_end(const int *status)
{
    return WIFEXITED(*status) || WIFSIGNALED(*status);
}

/* As waitpid, without a wait. */
static pid_t look_at(const struct waiting *w, pid_t pid)
{
    int status = 0;
    pid_t rc = core_task_real.wait_for(pid, &status, w->options | WNOHANG, w->usage);

    if (rc > 0 && w->status)
        *w->status = status;
    if (rc > 0 && is_end(&status))
        remove_child(rc);
    return rc;
}

static pid_t look_at_all(const struct waiting *w)
{
    const struct core_task_own *own = core_task_self->own;
    pid_t rc = 0;

    for (unsigned i = 0; i < own->n_children && rc == 0; i++) {
        rc = look_at(w, own->children[i]);
        if (rc < 0 && errno == ECHILD) { /* the kernel was told to forget it */
            remove_child(own->children[i--]);
            rc = 0;
        }
    }
    if (rc == 0 && own->n_children == 0) {
        errno = ECHILD;
        return -1;
    }
    return rc;
}

static bool has_ended(void *arg)
{
    struct waiting *w = arg;

    w->rc = w->pid == -1 ? look_at_all(w) : look_at(w, w->pid);
    return w->rc != 0 || core_task_self->breaks != w->breaks;
}

static pid_t wait_usage(pid_t pid, int *status, int options, struct rusage *usage)
{
    struct waiting w = {pid, status, options, usage, core_task_self ? core_task_self->breaks : 0, 0};

    if (!core_task_self || getpid() != core_task_self->host->pid) /* or a child that has our memory */
        return core_task_real.wait_for(pid, status, options, usage);
    if (has_ended(&w) || options & WNOHANG)
        return w.rc;
    core_task_until(has_ended, &w, UINT64_MAX);
    if (w.rc != 0)
        return w.rc;
    errno = EINTR;
    return -1;
}

static pid_t wait_pid(pid_t pid, int *status, int options)
{
    return wait_usage(pid, status, options, NULL);
}

static pid_t wait_any(int *status)
{
    return wait_usage(-1, status, 0, NULL);
}

static pid_t wait_any_usage(int *status, int options, struct rusage *usage)
{
    return wait_usage(-1, status, options, usage);
}

/* ------------------------------------------------------------- commands -- */

/* A command that this PE starts has its input and output: they are the process's for so long. */
void core_task_lend_descriptors(int kept[3])
{
    const struct core_task *t = core_task_here();

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        kept[fd] = t->descriptors[fd] == fd ? -1 : core_task_real.fcntl(fd, F_DUPFD_CLOEXEC, 3l);
        if (kept[fd] >= 0)
            core_task_real.dup2(t->descriptors[fd], fd);
    }
}

void core_task_take_back_descriptors(const int kept[3])
{
    int error = errno;

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (kept[fd] >= 0) {
            core_task_real.dup2(kept[fd], fd);
            core_task_real.close(kept[fd]);
        }
    errno = error;
}

static int run_command(const char *command)
{
    int kept[3], rc;

    core_task_lend_descriptors(kept);
    rc = core_task_real.system(command);
    core_task_take_back_descriptors(kept);
    return rc;
}

static FILE *open_command(const char *command, const char *mode)
{
    int kept[3];
    FILE *f;

    core_task_lend_descriptors(kept);
    f = core_task_real.popen(command, mode);
    core_task_take_back_descriptors(kept);
    return f;
}

static int spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])
{
    int kept[3], rc;
    pid_t child;

    pid = pid ? pid : &child;
    core_task_lend_descriptors(kept);
    rc = core_task_real.spawn(pid, path, actions, attributes, argv, environment);
    core_task_take_back_descriptors(kept);
    if (rc == 0)
        add_child(*pid);
    return rc;
}

static int spawn_on_path(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])
{
    int kept[3], rc;
    pid_t child;

    pid = pid ? pid : &child;
    core_task_lend_descriptors(kept);
    rc = core_task_real.spawn_on_path(pid, file, actions, attributes, argv, environment);
    core_task_take_back_descriptors(kept);
    if (rc == 0)
        add_child(*pid);
    return rc;
}

const struct core_task_hook core_task_hooks_child[] = {
    HOOK("fork", fork_child, fork),
    REPLACE("vfork", fork_child), /* a child on our memory would not know of its input and output */
    HOOK("wait4", wait_usage, wait_for),
    REPLACE("waitpid", wait_pid),
    REPLACE("wait", wait_any),
    REPLACE("wait3", wait_any_usage),
    HOOK("system", run_command, system),
    HOOK("popen", open_command, popen),
    HOOK("posix_spawn", spawn, spawn),
    HOOK("posix_spawnp", spawn_on_path, spawn_on_path),
    {0},
};
