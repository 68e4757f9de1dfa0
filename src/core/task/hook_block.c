/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that wait for descriptors: other tasks of the process go on until there is something. Of a thread that a PE has
 * started they wait in the kernel, as everywhere.
 */
#define _FORTIFY_SOURCE 0
#include "core/task/block.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/internal.h"
#include "core/task/hooks.h"

int core_task_descriptor(int fd)
{
    return fd >= STDIN_FILENO && fd <= STDERR_FILENO ? core_task_here()->descriptors[fd] : fd;
}

static uint64_t after(uint64_t ns)
{
    uint64_t now = core_clock_ns();

    return ns < UINT64_MAX - now ? now + ns : UINT64_MAX;
}

static uint64_t after_time(const struct timespec *t)
{
    return t ? after((uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec) : UINT64_MAX;
}

/* ------------------------------------------------------- one descriptor -- */

struct awaiting {
    struct pollfd p;
    unsigned breaks;
};

static bool is_ready(void *arg)
{
    struct awaiting *a = arg;

    return core_task_self->breaks != a->breaks || core_task_real.poll(&a->p, 1, 0) != 0;
}

/* That the socket's own limit is. */
static uint64_t limit_of(int fd, short events)
{
    struct timeval limit = {0};
    socklen_t n = sizeof limit;

    if (getsockopt(fd, SOL_SOCKET, events & POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO, &limit, &n) != 0 ||
        (limit.tv_sec == 0 && limit.tv_usec == 0))
        return UINT64_MAX;
    return after((uint64_t)limit.tv_sec * 1000000000u + (uint64_t)limit.tv_usec * 1000u);
}

int core_task_await(int fd, short events)
{
    struct awaiting a = {{.fd = fd, .events = events}, core_task_self ? core_task_self->breaks : 0};
    int flags;

    if (!core_task_self || core_task_real.poll(&a.p, 1, 0) != 0)
        return 0;
    flags = core_task_real.fcntl(fd, F_GETFL);
    if (flags < 0 || flags & O_NONBLOCK)
        return 1;
    if (!core_task_until(is_ready, &a, limit_of(fd, events))) {
        errno = EAGAIN;
        return -1;
    }
    if (core_task_self->breaks == a.breaks)
        return 0;
    errno = EINTR;
    return -1;
}

/* --------------------------------------------------------------- sockets -- */

/* A call of a socket that has failed as it would have waited: once more? */
static bool again(ssize_t rc, int fd, short events)
{
    int ready;

    if (rc >= 0 || errno != EAGAIN)
        return false;
    ready = core_task_await(fd, events);
    if (ready == 1)
        errno = EAGAIN;
    return ready == 0;
}

static int at_once(int flags)
{
    return core_task_self ? flags | MSG_DONTWAIT : flags;
}

/* What is to wait for all of it gets it in pieces. */
static ssize_t receive_bytes(int fd, void *data, size_t n, int flags)
{
    bool all = flags & MSG_WAITALL && !(flags & (MSG_PEEK | MSG_DONTWAIT));
    size_t done = 0;
    ssize_t got;

    fd = core_task_descriptor(fd);
    do {
        do
            got = core_task_real.recv(fd, (char *)data + done, n - done, at_once(flags));
        while (again(flags & MSG_DONTWAIT ? 0 : got, fd, POLLIN));
        if (got <= 0)
            return done > 0 ? (ssize_t)done : got;
        done += (size_t)got;
    } while (all && done < n);
    return (ssize_t)done;
}

static ssize_t receive_checked(int fd, void *data, size_t n, size_t room, int flags)
{
    if (n > room)
        core_fatal("recv: %zu bytes into %zu", n, room);
    return receive_bytes(fd, data, n, flags);
}

static ssize_t receive_from(int fd, void *data, size_t n, int flags, struct sockaddr *from, socklen_t *size)
{
    ssize_t got;

    fd = core_task_descriptor(fd);
    do
        got = core_task_real.recvfrom(fd, data, n, at_once(flags), from, size);
    while (again(flags & MSG_DONTWAIT ? 0 : got, fd, POLLIN));
    return got;
}

static ssize_t receive_from_checked(int fd, void *data, size_t n, size_t room, int flags, struct sockaddr *from,
                                    socklen_t *size)
{
    if (n > room)
        core_fatal("recvfrom: %zu bytes into %zu", n, room);
    return receive_from(fd, data, n, flags, from, size);
}

static ssize_t receive_message(int fd, struct msghdr *m, int flags)
{
    ssize_t got;

    fd = core_task_descriptor(fd);
    do
        got = core_task_real.recvmsg(fd, m, at_once(flags));
    while (again(flags & MSG_DONTWAIT ? 0 : got, fd, POLLIN));
    return got;
}

static ssize_t send_message(int fd, const struct msghdr *m, int flags)
{
    ssize_t sent;

    fd = core_task_descriptor(fd);
    do
        sent = core_task_real.sendmsg(fd, m, at_once(flags));
    while (again(flags & MSG_DONTWAIT ? 0 : sent, fd, POLLOUT));
    return sent;
}

static ssize_t send_to(int fd, const void *data, size_t n, int flags, const struct sockaddr *to, socklen_t size)
{
    ssize_t sent;

    fd = core_task_descriptor(fd);
    do
        sent = core_task_real.sendto(fd, data, n, at_once(flags), to, size);
    while (again(flags & MSG_DONTWAIT ? 0 : sent, fd, POLLOUT));
    return sent;
}

/* All of it, as of a socket that waits. */
static ssize_t send_bytes(int fd, const void *data, size_t n, int flags)
{
    bool all = core_task_self && !(flags & MSG_DONTWAIT) && n > 0;
    size_t done = 0;
    ssize_t sent;

    do {
        sent = send_to(fd, (const char *)data + done, n - done, flags, NULL, 0);
        if (sent < 0)
            return done > 0 ? (ssize_t)done : -1;
        done += (size_t)sent;
        all = all && done < n && !(core_task_real.fcntl(core_task_descriptor(fd), F_GETFL) & O_NONBLOCK);
    } while (all);
    return (ssize_t)done;
}

static int accept_with(int fd, struct sockaddr *from, socklen_t *size, int flags)
{
    fd = core_task_descriptor(fd);
    return core_task_await(fd, POLLIN) >= 0 ? core_task_real.accept(fd, from, size, flags) : -1;
}

static int accept_one(int fd, struct sockaddr *from, socklen_t *size)
{
    return accept_with(fd, from, size, 0);
}

/* A pipe that has room takes so much without a wait. */
static ssize_t write_pipe(int fd, const char *data, size_t n)
{
    size_t done = 0;

    while (done < n) {
        size_t piece = n - done < PIPE_BUF ? n - done : PIPE_BUF;
        ssize_t wrote = core_task_await(fd, POLLOUT) >= 0 ? core_task_real.write(fd, data + done, piece) : -1;

        if (wrote < 0)
            return done > 0 ? (ssize_t)done : -1;
        done += (size_t)wrote;
        if ((size_t)wrote < piece)
            break;
    }
    return (ssize_t)done;
}

ssize_t core_task_write(int fd, const void *data, size_t n)
{
    struct stat st;

    if (!core_task_self || core_task_real.fstat(fd, &st) != 0)
        return core_task_real.write(fd, data, n);
    if (S_ISSOCK(st.st_mode))
        return send_bytes(fd, data, n, 0);
    return S_ISFIFO(st.st_mode) && n > 0 ? write_pipe(fd, data, n) : core_task_real.write(fd, data, n);
}

/* ------------------------------------------------------ many descriptors -- */

struct looking {
    struct pollfd *all;
    nfds_t n;
    const sigset_t *mask;
    int epoll, room; /* or an epoll descriptor, and its events */
    struct epoll_event *events;
    unsigned interrupts;
    int found;
};

static bool has_found(void *arg)
{
    struct looking *l = arg;
    const struct timespec none = {0};

    l->found = l->events ? core_task_real.wait_events(l->epoll, l->events, l->room, 0, l->mask)
               : l->mask ? core_task_real.poll_masked(l->all, l->n, &none, l->mask)
                         : core_task_real.poll(l->all, l->n, 0);
    return l->found != 0 || core_task_self->interrupts != l->interrupts;
}

static int look_until(struct looking *l, uint64_t end)
{
    l->interrupts = core_task_self->interrupts;
    if (!core_task_until(has_found, l, end))
        return 0;
    if (l->found == 0) {
        errno = EINTR;
        return -1;
    }
    return l->found;
}

/* Descriptors 0 to 2 in the list are those of the PE. */
static void translate(struct pollfd *all, nfds_t n, int (*as)(int fd))
{
    for (nfds_t i = 0; i < n; i++)
        all[i].fd = as(all[i].fd);
}

static int poll_many(struct pollfd *all, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
    struct looking l = {.all = all, .n = n, .mask = mask};
    struct pollfd few[16], *own = n <= 16 ? few : malloc(n * sizeof *own);
    int found;

    if (!own) {
        errno = ENOMEM;
        return -1;
    }
    memcpy(own, all, n * sizeof *own);
    translate(own, n, core_task_descriptor);
    l.all = own;
    found = core_task_self ? look_until(&l, after_time(limit)) : core_task_real.poll_masked(own, n, limit, mask);
    for (nfds_t i = 0; i < n; i++)
        all[i].revents = own[i].revents;
    if (own != few)
        free(own);
    return found;
}

static int poll_ms(struct pollfd *all, nfds_t n, int ms)
{
    const struct timespec limit = {ms / 1000, ms % 1000 * 1000000l};

    return poll_many(all, n, ms < 0 ? NULL : &limit, NULL);
}

static int poll_ms_checked(struct pollfd *all, nfds_t n, int ms, size_t room)
{
    if (room / sizeof *all < n)
        core_fatal("poll: %lu descriptors in a list of %zu", (unsigned long)n, room / sizeof *all);
    return poll_ms(all, n, ms);
}

static int poll_masked_checked(struct pollfd *all, nfds_t n, const struct timespec *limit, const sigset_t *mask,
                               size_t room)
{
    if (room / sizeof *all < n)
        core_fatal("ppoll: %lu descriptors in a list of %zu", (unsigned long)n, room / sizeof *all);
    return poll_many(all, n, limit, mask);
}

static int wait_events_masked(int epoll, struct epoll_event *events, int room, int ms, const sigset_t *mask)
{
    struct looking l = {.epoll = epoll, .events = events, .room = room, .mask = mask};

    if (!core_task_self || ms == 0 || !events || room < 1)
        return core_task_real.wait_events(epoll, events, room, ms, mask);
    return look_until(&l, ms < 0 ? UINT64_MAX : after((uint64_t)ms * 1000000u));
}

static int wait_events(int epoll, struct epoll_event *events, int room, int ms)
{
    return wait_events_masked(epoll, events, room, ms, NULL);
}

static int control_events(int epoll, int what, int fd, struct epoll_event *event)
{
    return core_task_real.control_events(epoll, what, core_task_descriptor(fd), event);
}

/* ---------------------------------------------------------------- select -- */

/* As lists for poll: what select calls readable, writable and exceptional. */
enum { SETS = 3 };
static const short wanted[SETS] = {POLLIN | POLLRDNORM, POLLOUT | POLLWRNORM, POLLPRI};
static const short told[SETS] = {POLLIN | POLLRDNORM | POLLHUP | POLLERR, POLLOUT | POLLWRNORM | POLLERR, POLLPRI};

static nfds_t list_of(int n, fd_set *const sets[SETS], struct pollfd *all)
{
    nfds_t k = 0;

    for (int fd = 0; fd < n; fd++) {
        short events = 0;

        for (unsigned s = 0; s < SETS; s++)
            if (sets[s] && FD_ISSET(fd, sets[s]))
                events |= wanted[s];
        if (events)
            all[k++] = (struct pollfd){.fd = fd, .events = events};
    }
    return k;
}

static int sets_of(const struct pollfd *all, nfds_t k, int n, fd_set *const sets[SETS])
{
    int found = 0;

    for (nfds_t i = 0; i < k; i++)
        if (all[i].revents & POLLNVAL) {
            errno = EBADF;
            return -1;
        }
    for (unsigned s = 0; s < SETS; s++)
        for (int fd = 0; sets[s] && fd < n; fd++)
            FD_CLR(fd, sets[s]);
    for (nfds_t i = 0; i < k; i++)
        for (unsigned s = 0; s < SETS; s++)
            if (sets[s] && all[i].events & wanted[s] && all[i].revents & told[s]) {
                FD_SET(all[i].fd, sets[s]);
                found++;
            }
    return found;
}

static int select_masked(int n, fd_set *in, fd_set *out, fd_set *exceptional, const struct timespec *limit,
                         const sigset_t *mask)
{
    fd_set *const sets[SETS] = {in, out, exceptional};
    struct pollfd all[FD_SETSIZE];
    nfds_t k;
    int found;

    if (n < 0 || n > FD_SETSIZE || (limit && (limit->tv_sec < 0 || (unsigned long)limit->tv_nsec > 999999999ul))) {
        errno = EINVAL;
        return -1;
    }
    k = list_of(n, sets, all);
    found = poll_many(all, k, limit, mask);
    return found < 0 ? found : sets_of(all, k, n, sets);
}

/* Linux tells what is left. */
static int select_some(int n, fd_set *in, fd_set *out, fd_set *exceptional, struct timeval *left)
{
    struct timespec limit = {0};
    uint64_t end, now;
    int found;

    if (!left)
        return select_masked(n, in, out, exceptional, NULL, NULL);
    limit = (struct timespec){left->tv_sec + left->tv_usec / 1000000, left->tv_usec % 1000000 * 1000};
    end = after_time(&limit);
    found = select_masked(n, in, out, exceptional, &limit, NULL);
    now = core_clock_ns();
    now = now < end ? end - now : 0;
    *left = (struct timeval){(time_t)(now / 1000000000u), (suseconds_t)(now % 1000000000u / 1000)};
    return found;
}

/* ----------------------------------------------------------------- locks -- */

struct locking {
    int fd, what, rc;
};

static bool got_lock(void *arg)
{
    struct locking *l = arg;

    l->rc = core_task_real.flock(l->fd, l->what | LOCK_NB);
    return l->rc == 0 || errno != EWOULDBLOCK;
}

static int lock_file(int fd, int what)
{
    struct locking l = {core_task_descriptor(fd), what, 0};

    if (!core_task_self || what & LOCK_NB)
        return core_task_real.flock(l.fd, what);
    core_task_until(got_lock, &l, UINT64_MAX);
    return l.rc;
}

const struct core_task_hook core_task_hooks_block[] = {
    HOOK("recv", receive_bytes, recv),
    REPLACE("__recv_chk", receive_checked),
    HOOK("recvfrom", receive_from, recvfrom),
    REPLACE("__recvfrom_chk", receive_from_checked),
    HOOK("recvmsg", receive_message, recvmsg),
    REPLACE("send", send_bytes),
    HOOK("sendto", send_to, sendto),
    HOOK("sendmsg", send_message, sendmsg),
    REPLACE("accept", accept_one),
    HOOK("accept4", accept_with, accept),
    HOOK("poll", poll_ms, poll),
    REPLACE("__poll_chk", poll_ms_checked),
    HOOK("ppoll", poll_many, poll_masked),
    REPLACE("__ppoll_chk", poll_masked_checked),
    HOOK("epoll_pwait", wait_events_masked, wait_events),
    REPLACE("epoll_wait", wait_events),
    HOOK("epoll_ctl", control_events, control_events),
    REPLACE("select", select_some),
    REPLACE("pselect", select_masked),
    HOOK("flock", lock_file, flock),
    {0},
};
