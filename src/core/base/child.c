/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See child.h. Whether the process has our memory is known when we go on: what it has stored first is there, or not.
 * Our stack will not do for that: of a task, memory is shared with other processes, so copies have it as well.
 * Calls are the kernel's: the C library's may be a task's, which lets others run while it waits, in a copy, too.
 */
#include "core/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* It is on a stack that a sanitizer would not know. */
#define ON_OTHER_STACK __attribute__((no_sanitize("address")))

struct beginning {
    const struct core_child *child;
    int pipe;
    volatile bool here; /* in our memory */
};

static ON_OTHER_STACK int begin(void *arg)
{
    struct beginning *b = arg;
    int status;

    b->here = true;
    status = b->child->run(b->child->arg);
    if (syscall(SYS_write, b->pipe, b->child->result, b->child->n) < 0)
        return status; /* nobody can be told */
    return status;
}

/* What the copy says; nothing: it executes the program, which has closed the pipe. */
static void listen_to(const struct core_child *c, int pipe)
{
    long got;

    do
        got = syscall(SYS_read, pipe, c->result, c->n);
    while (got < 0 && errno == EINTR);
}

static pid_t make(const struct core_child *c, struct beginning *b)
{
    pid_t pid = clone(begin, c->stack_end, CLONE_VM | CLONE_VFORK | c->flags, b);

    return pid < 0 && errno == EINVAL ? clone(begin, c->stack_end, SIGCHLD, b) : pid;
}

static pid_t start(const struct core_child *c, struct beginning *b)
{
    int ends[2], error;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    *b = (struct beginning){.child = c, .pipe = ends[1]};
    pid = make(c, b);
    error = errno;
    syscall(SYS_close, ends[1]);
    if (pid > 0 && !b->here)
        listen_to(c, ends[0]);
    syscall(SYS_close, ends[0]);
    errno = error;
    return pid;
}

pid_t core_child_start(const struct core_child *c)
{
    struct beginning *b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int error;
    pid_t pid;

    if (b == MAP_FAILED)
        return -1;
    pid = start(c, b);
    error = errno;
    munmap(b, sizeof *b);
    errno = error;
    return pid;
}
