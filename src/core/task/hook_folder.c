/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The working directory and the mask of new files' permissions are the process's. A PE that sets one has it whenever
 * it runs: as soon as PEs differ, the task that goes on sets its own (core_task_resume).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/task/hooks.h"
#include "core/task/signals.h"

struct core_task_folder {
    int fd;
    dev_t device;
    ino_t inode;
    unsigned users; /* tasks that are there */
    struct core_task_folder *next;
};

/* The folders that tasks are in. PEs in the same one share it, so that a switch between them costs nothing. */
static struct {
    struct core_task_folder *list, *now; /* now: the process's */
    bool masks;                          /* somebody has set one */
    mode_t mask;                         /* the process's */
} core_task_files;

/* Where the process is now. */
static struct core_task_folder *find_here(void)
{
    struct core_task_folder *f;
    struct stat st;
    int fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0 || fstat(fd, &st) != 0)
        return NULL;
    for (f = core_task_files.list; f; f = f->next)
        if (f->users > 0 && f->device == st.st_dev && f->inode == st.st_ino) {
            core_task_real.close(fd);
            return f;
        }
    for (f = core_task_files.list; f && f->users > 0; f = f->next)
        continue;
    if (f)
        core_task_real.close(f->fd);
    else if ((f = malloc(sizeof *f))) {
        f->next = core_task_files.list;
        core_task_files.list = f;
    } else {
        core_fatal("chdir: out of memory");
    }
    f->fd = fd;
    f->device = st.st_dev;
    f->inode = st.st_ino;
    f->users = 0;
    return f;
}

static void enter(struct core_task *t, struct core_task_folder *f)
{
    f->users++;
    if (t->folder)
        t->folder->users--;
    t->folder = f;
}

/* Before the first PE leaves it: all are in the folder where the process began. */
static bool note_first(struct core_task_host *h)
{
    struct core_task_folder *f;

    if (core_task_files.now)
        return true;
    f = find_here();
    if (!f)
        return false;
    for (unsigned i = 0; i < h->n; i++)
        enter(&h->tasks[i], f);
    core_task_files.now = f;
    return true;
}

static int arrive(struct core_task *t)
{
    struct core_task_folder *f = find_here();

    if (!f) {
        int error = errno;

        core_task_real.fchdir(t->folder->fd);
        errno = error;
        return -1;
    }
    enter(t, f);
    core_task_files.now = f;
    t->host->resume = core_task_resume;
    return 0;
}

static int change_folder(const char *path)
{
    if (!core_task_self)
        return core_task_real.chdir(path);
    if (!note_first(core_task_self->host) || core_task_real.chdir(path) != 0)
        return -1;
    return arrive(core_task_self);
}

static int change_to_open(int fd)
{
    if (!core_task_self)
        return core_task_real.fchdir(fd);
    if (!note_first(core_task_self->host) || core_task_real.fchdir(fd) != 0)
        return -1;
    return arrive(core_task_self);
}

static mode_t set_mask(mode_t mask)
{
    struct core_task *t = core_task_self;
    mode_t old = core_task_real.umask(mask);

    if (!t)
        return old;
    for (unsigned i = 0; !core_task_files.masks && i < t->host->n; i++)
        t->host->tasks[i].mask = old;
    core_task_files.masks = true;
    t->host->resume = core_task_resume;
    core_task_files.mask = t->mask = mask;
    return old;
}

void core_task_resume(void *task)
{
    struct core_task *t = task;
    int error = errno;

    if (t->folder != core_task_files.now && core_task_real.fchdir(t->folder->fd) == 0)
        core_task_files.now = t->folder;
    if (core_task_files.masks && t->mask != core_task_files.mask)
        core_task_real.umask(core_task_files.mask = t->mask);
    errno = error;
    core_task_take_signals(t);
}

const struct core_task_hook core_task_hooks_folder[] = {
    HOOK("chdir", change_folder, chdir),
    HOOK("fchdir", change_to_open, fchdir),
    HOOK("umask", set_mask, umask),
    {0},
};
