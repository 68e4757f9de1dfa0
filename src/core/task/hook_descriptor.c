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
#include <termios.h>
#include <unistd.h>

#include "core/task/block.h"
#include "core/task/hooks.h"

void core_task_take_descriptors(struct core_task *t)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (t->descriptors[fd] != fd)
            core_task_real.dup2(t->descriptors[fd], fd);
        t->descriptors[fd] = fd;
    }
}

/* The descriptor to read from; -1 and errno: the call fails while it waits. */
static int readable(int fd)
{
    fd = core_task_descriptor(fd);
    return core_task_await(fd, POLLIN) >= 0 ? fd : -1;
}

static ssize_t read_bytes(int fd, void *data, size_t n)
{
    return (fd = readable(fd)) >= 0 ? core_task_real.read(fd, data, n) : -1;
}

static ssize_t read_checked(int fd, void *data, size_t n, size_t room)
{
    return (fd = readable(fd)) >= 0 ? core_task_real.read_checked(fd, data, n, room) : -1;
}

static ssize_t read_parts(int fd, const struct iovec *parts, int n)
{
    return (fd = readable(fd)) >= 0 ? core_task_real.readv(fd, parts, n) : -1;
}

static ssize_t write_bytes(int fd, const void *data, size_t n)
{
    return core_task_write(core_task_descriptor(fd), data, n);
}

static ssize_t write_parts(int fd, const struct iovec *parts, int n)
{
    fd = core_task_descriptor(fd);
    return core_task_await(fd, POLLOUT) >= 0 ? core_task_real.writev(fd, parts, n) : -1;
}

static int print_list(int fd, const char *format, va_list list)
{
    return core_task_real.print_to(core_task_descriptor(fd), format, list);
}

static int print(int fd, const char *format, ...)
{
    va_list list;
    int n;

    va_start(list, format);
    n = core_task_real.print_to(core_task_descriptor(fd), format, list);
    va_end(list);
    return n;
}

static int print_checked(int fd, int flag, const char *format, ...)
{
    va_list list;
    int n;

    (void)flag;
    va_start(list, format);
    n = core_task_real.print_to(core_task_descriptor(fd), format, list);
    va_end(list);
    return n;
}

static int duplicate(int fd)
{
    return core_task_real.dup(core_task_descriptor(fd));
}

/* A PE that puts a file in place of its output gets what it asked for: that number. */
static int duplicate_to(int from, int to)
{
    int rc = core_task_real.dup2(core_task_descriptor(from), core_task_descriptor(to));

    return rc < 0 ? rc : to;
}

static int duplicate_with(int from, int to, int flags)
{
    int rc = from == to ? core_task_real.dup3(from, to, flags)
                        : core_task_real.dup3(core_task_descriptor(from), core_task_descriptor(to), flags);

    return rc < 0 ? rc : to;
}

static int close_one(int fd)
{
    return core_task_real.close(core_task_descriptor(fd));
}

static off_t seek(int fd, off_t at, int from)
{
    return core_task_real.lseek(core_task_descriptor(fd), at, from);
}

static ssize_t read_at(int fd, void *data, size_t n, off_t at)
{
    return core_task_real.pread(core_task_descriptor(fd), data, n, at);
}

static ssize_t write_at(int fd, const void *data, size_t n, off_t at)
{
    return core_task_real.pwrite(core_task_descriptor(fd), data, n, at);
}

static int set_size(int fd, off_t n)
{
    return core_task_real.ftruncate(core_task_descriptor(fd), n);
}

static int state(int fd, struct stat *st)
{
    return core_task_real.fstat(core_task_descriptor(fd), st);
}

static int is_terminal(int fd)
{
    return core_task_real.isatty(core_task_descriptor(fd));
}

static int get_terminal(int fd, struct termios *t)
{
    return core_task_real.tcgetattr(core_task_descriptor(fd), t);
}

static int set_terminal(int fd, int when, const struct termios *t)
{
    return core_task_real.tcsetattr(core_task_descriptor(fd), when, t);
}

static int synchronize_data(int fd)
{
    return core_task_real.fdatasync(core_task_descriptor(fd));
}

static int synchronize(int fd)
{
    return core_task_real.fsync(core_task_descriptor(fd));
}

/* Their argument, where there is one, is a number or a pointer. */
static int control(int fd, int what, ...)
{
    va_list list;
    long arg;

    va_start(list, what);
    arg = va_arg(list, long);
    va_end(list);
    return core_task_real.fcntl(core_task_descriptor(fd), what, arg);
}

static int control_device(int fd, unsigned long what, ...)
{
    va_list list;
    long arg;

    va_start(list, what);
    arg = va_arg(list, long);
    va_end(list);
    return core_task_real.ioctl(core_task_descriptor(fd), what, arg);
}

static FILE *open_stream(int fd, const char *mode)
{
    return core_task_real.fdopen(core_task_descriptor(fd), mode);
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
    HOOK("dup3", duplicate_with, dup3),
    HOOK("close", close_one, close),
    HOOK("pread", read_at, pread),
    HOOK("pread64", read_at, pread),
    HOOK("pwrite", write_at, pwrite),
    HOOK("pwrite64", write_at, pwrite),
    HOOK("ftruncate", set_size, ftruncate),
    HOOK("ftruncate64", set_size, ftruncate),
    HOOK("fdatasync", synchronize_data, fdatasync),
    HOOK("tcgetattr", get_terminal, tcgetattr),
    HOOK("tcsetattr", set_terminal, tcsetattr),
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
    {0},
};
