/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes without blocking and without changing the file we were given: it may
 * be shared with others (a shell, a terminal), who don't expect O_NONBLOCK.
 */
#include "launch/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { POLLED_MAX = 4096 }; /* what a pipe takes whole when poll says writable (PIPE_BUF) */

/* Opening our own descriptor again gives a new file description, whose flags
 * are ours alone. A regular file never blocks and would lose its position. */
void sink_open(struct sink *s, int fd)
{
    char path[32];
    struct stat st;

    *s = (struct sink){.fd = fd, .given = fd, .kind = SINK_PLAIN};
    if (fstat(fd, &st)) {
        s->error = errno;
        return;
    }
    if (S_ISREG(st.st_mode))
        return;
    if (S_ISSOCK(st.st_mode)) {
        s->kind = SINK_SOCKET;
        return;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    s->fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    s->kind = SINK_NONBLOCK;
    if (s->fd >= 0)
        return;
    s->fd = fd;
    s->kind = SINK_POLLED;
}

static bool make_room(struct sink *s, size_t n)
{
    size_t queued = sink_queued(s), size = s->size ? s->size : 64 << 10;
    char *data;

    if (s->head) {
        memmove(s->data, s->data + s->head, queued);
        s->head = 0;
        s->tail = queued;
    }
    while (size - queued < n)
        size *= 2;
    if (size == s->size)
        return true;
    data = realloc(s->data, size);
    if (!data) {
        s->error = ENOMEM;
        return false;
    }
    s->data = data;
    s->size = size;
    return true;
}

void sink_put(struct sink *s, const void *data, size_t n)
{
    if (s->error || (s->size - s->tail < n && !make_room(s, n)))
        return;
    memcpy(s->data + s->tail, data, n);
    s->tail += n;
}

static ssize_t write_some(struct sink *s, const char *data, size_t n)
{
    struct pollfd p = {.fd = s->fd, .events = POLLOUT};

    switch (s->kind) {
    case SINK_SOCKET:
        return send(s->fd, data, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    case SINK_POLLED:
        if (poll(&p, 1, 0) == 0) {
            errno = EAGAIN;
            return -1;
        }
        return write(s->fd, data, n < POLLED_MAX ? n : POLLED_MAX);
    case SINK_PLAIN:
    case SINK_NONBLOCK:
        break;
    }
    return write(s->fd, data, n);
}

void sink_flush(struct sink *s)
{
    while (!s->error && sink_queued(s)) {
        ssize_t n = write_some(s, s->data + s->head, sink_queued(s));

        if (n >= 0) {
            s->head += (size_t)n;
            continue;
        }
        if (errno == EINTR)
            continue;
        s->blocked = errno == EAGAIN || errno == EWOULDBLOCK;
        if (s->blocked)
            return;
        s->error = errno;
    }
    s->blocked = false;
    s->head = s->tail = 0;
}
