/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Descriptors 0, 1 and 2 of the process are the first task's. Other PEs have descriptors of other numbers in their
 * place, which calls with these three get.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/task/hooks.h"
#include "core/task/host.h"

static int own(int fd)
{
    return fd >= STDIN_FILENO && fd <= STDERR_FILENO ? core_task_here()->descriptors[fd] : fd;
}

void core_task_take_descriptors(struct core_task *t)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (t->descriptors[fd] != fd)
            core_task_real.dup2(t->descriptors[fd], fd);
        t->descriptors[fd] = fd;
    }
}

static ssize_t read_bytes(int fd, void *data, size_t n)
{
    return core_task_real.read(own(fd), data, n);
}

static ssize_t read_checked(int fd, void *data, size_t n, size_t room)
{
    return core_task_real.read_checked(own(fd), data, n, room);
}

static ssize_t read_parts(int fd, const struct iovec *parts, int n)
{
    return core_task_real.readv(own(fd), parts, n);
}

static ssize_t write_bytes(int fd, const void *data, size_t n)
{
    return core_task_real.write(own(fd), data, n);
}

static ssize_t write_parts(int fd, const struct iovec *parts, int n)
{
    return core_task_real.writev(own(fd), parts, n);
}

static int print_list(int fd, const char *format, va_list list)
{
    return core_task_real.print_to(own(fd), format, list);
}

static int print(int fd, const char *format, ...)
{
    va_list list;
    int n;

    va_start(list, format);
    n = core_task_real.print_to(own(fd), format, list);
    va_end(list);
    return n;
}

static int print_checked(int fd, int flag, const char *format, ...)
{
    va_list list;
    int n;

    (void)flag;
    va_start(list, format);
    n = core_task_real.print_to(own(fd), format, list);
    va_end(list);
    return n;
}

static int duplicate(int fd)
{
    return core_task_real.dup(own(fd));
}

/* A PE that puts a file in place of its output gets what it asked for: that number. */
static int duplicate_to(int from, int to)
{
    int rc = core_task_real.dup2(own(from), own(to));

    return rc < 0 ? rc : to;
}

static int close_one(int fd)
{
    return core_task_real.close(own(fd));
}

static off_t seek(int fd, off_t at, int from)
{
    return core_task_real.lseek(own(fd), at, from);
}

static int state(int fd, struct stat *st)
{
    return core_task_real.fstat(own(fd), st);
}

static int is_terminal(int fd)
{
    return core_task_real.isatty(own(fd));
}

static int synchronize(int fd)
{
    return core_task_real.fsync(own(fd));
}

/* Their argument, where there is one, is a number or a pointer. */
static int control(int fd, int what, ...)
{
    va_list list;
    long arg;

    va_start(list, what);
    arg = va_arg(list, long);
    va_end(list);
    return core_task_real.fcntl(own(fd), what, arg);
}

static int control_device(int fd, unsigned long what, ...)
{
    va_list list;
    long arg;

    va_start(list, what);
    arg = va_arg(list, long);
    va_end(list);
    return core_task_real.ioctl(own(fd), what, arg);
}

static FILE *open_stream(int fd, const char *mode)
{
    return core_task_real.fdopen(own(fd), mode);
}

/* ------------------------------------------------------------- commands -- */

/* A command that this PE starts has its input and output: they are the process's for so long. */
static void lend(int kept[3])
{
    const struct core_task *t = core_task_here();

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        kept[fd] = t->descriptors[fd] == fd ? -1 : core_task_real.fcntl(fd, F_DUPFD_CLOEXEC, 3l);
        if (kept[fd] >= 0)
            core_task_real.dup2(t->descriptors[fd], fd);
    }
}

static void take_back(const int kept[3])
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

    lend(kept);
    rc = core_task_real.system(command);
    take_back(kept);
    return rc;
}

static FILE *open_command(const char *command, const char *mode)
{
    int kept[3];
    FILE *f;

    lend(kept);
    f = core_task_real.popen(command, mode);
    take_back(kept);
    return f;
}

const struct core_task_hook core_task_hooks_descriptor[] = {
    HOOK("read", read_bytes, read),
    HOOK("__read_chk", read_checked, read_checked),
    HOOK("readv", read_parts, readv),
    HOOK("write", write_bytes, write),
    HOOK("writev", write_parts, writev),
    REPLACE("dprintf", print),
    HOOK("vdprintf", print_list, print_to),
    REPLACE("__dprintf_chk", print_checked),
    HOOK("dup", duplicate, dup),
    HOOK("dup2", duplicate_to, dup2),
    HOOK("close", close_one, close),
    HOOK("lseek", seek, lseek),
    HOOK("lseek64", seek, lseek),
    HOOK("fstat", state, fstat),
    HOOK("fstat64", state, fstat),
    HOOK("isatty", is_terminal, isatty),
    HOOK("fsync", synchronize, fsync),
    HOOK("fcntl", control, fcntl),
    HOOK("fcntl64", control, fcntl),
    HOOK("ioctl", control_device, ioctl),
    HOOK("fdopen", open_stream, fdopen),
    HOOK("system", run_command, system),
    HOOK("popen", open_command, popen),
    {0},
};
