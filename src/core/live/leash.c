/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The leash's signal is that of asynchronous input: when the last writer of a pipe
 * has gone, the kernel sends SIGKILL to the owner of each reading end that asked
 * for it. An owner belongs to an open file, so every PE opens the pipe anew. No
 * thread, no timer; a PE that computes costs nothing. See record 0028.
 */
#include "core/live/leash.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/core.h"

enum { FD_MIN = 100 }; /* above the numbers that scripts use, as the job's memory */

int core_leash_make(struct core_header *h)
{
    struct stat st;
    int ends[2], high;

    h->leash = -1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    high = fcntl(ends[0], F_DUPFD, FD_MIN);
    if (high < 0)
        high = fcntl(ends[0], F_DUPFD, 0);
    close(ends[0]);
    if (high < 0 || fstat(high, &st) != 0 ||
        fchmod(high, 0444) != 0) { /* PEs may run as somebody else (su in a script) */
        if (high >= 0)
            close(high);
        close(ends[1]);
        return -1;
    }
    h->leash = high;
    h->leash_inode = st.st_ino;
    return ends[1];
}

/* A script may have closed the descriptor and used its number again. */
static bool is_the_pipe(int fd, const struct core_header *h)
{
    struct stat st;

    return fd >= 0 && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && st.st_ino == h->leash_inode;
}

static int open_anew(int fd)
{
    char path[32];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static bool holds(void)
{
    return core_state.live.leash.fd >= 0 && core_state.live.leash.holder == getpid();
}

enum hold { HELD, NOT_OPENED, HELD_SILENTLY }; /* silently: the kernel sends no signal when it ends */
static enum hold hold(int leash)
{
    struct pollfd p = {.events = 0};
    enum hold how = HELD;

    if (core_state.live.leash.fd >= 0)
        close(core_state.live.leash.fd); /* its parent's */
    core_state.live.leash.fd = open_anew(leash);
    core_state.live.leash.holder = getpid();
    if (core_state.live.leash.fd < 0)
        return NOT_OPENED;
    if (fcntl(core_state.live.leash.fd, F_SETOWN, getpid()) != 0 ||
        fcntl(core_state.live.leash.fd, F_SETSIG, SIGKILL) != 0 ||
        fcntl(core_state.live.leash.fd, F_SETFL, O_ASYNC | O_NONBLOCK) != 0)
        how = HELD_SILENTLY;
    p.fd = core_state.live.leash.fd;
    if (poll(&p, 1, 0) > 0 && p.revents & POLLHUP) /* it ended before we asked */
        raise(SIGKILL);
    return how;
}

void core_leash_hold(const struct core_header *h)
{
    if (!is_the_pipe(h->leash, h))
        return;
    if (!holds() && hold(h->leash) == HELD_SILENTLY)
        core_debug("the launcher's end would not be noticed while this PE computes");
    close(h->leash);
}

void core_leash_hold_early(void)
{
    const char *job = core_param_foreign(CORE_WIRE_ENV);
    struct core_header h;
    unsigned version;
    int fd;

    if (job && sscanf(job, "%u:%d:", &version, &fd) == 2 && version == CORE_WIRE_VERSION &&
        pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h && h.magic == CORE_WIRE_MAGIC && h.version == version &&
        h.build == core_wire_build() && is_the_pipe(h.leash, &h))
        hold(h.leash);
}

int core_leash_fd(void)
{
    return core_state.live.leash.fd;
}
