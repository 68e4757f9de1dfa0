/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pipes of the PEs to sinks, line by line. See forward.h for the rules.
 */
#include "launch/forward.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/number.h"
#include "launch/launch.h"
#include "launch/output_file.h"

enum {
    STREAM_MAX = 64 << 10,  /* longest line kept whole */
    SINK_MAX = 64 << 10,    /* more is queued: streams are not read */
    ROUNDS = 16,            /* of reading, before signals get a look; empties any pipe */
    STDERR_SINK = 1,
};

#define MS 1000000ull
#define QUIET (50 * MS)         /* then an unfinished line is shown, */
#define QUIET_CROWD (1000 * MS) /* or then, when there are several */
#define HOLD (500 * MS)         /* others wait for the end of one that is shown */

/* --------------------------------------------------------- streams to look at -- */

enum { BITS = 64 };

static unsigned busy_words(const struct forward *f)
{
    return core_ceil_div(f->nstreams, BITS);
}

static void set_ready(struct forward *f, unsigned i)
{
    f->streams[i].ready = true;
    f->busy[i / BITS] |= 1ull << i % BITS;
}

/* The first from `i` on, NULL: none. Of thousands of streams few have something. */
static struct stream *next_busy(const struct forward *f, unsigned i)
{
    for (unsigned w = i / BITS; w < busy_words(f); w++) {
        uint64_t bits = f->busy[w] & (w == i / BITS ? ~0ull << i % BITS : ~0ull);

        if (bits)
            return &f->streams[w * BITS + (unsigned)__builtin_ctzll(bits)];
    }
    return NULL;
}

static struct stream *first_busy(const struct forward *f)
{
    return next_busy(f, 0);
}

static struct stream *busy_after(const struct forward *f, const struct stream *s)
{
    return next_busy(f, (unsigned)(s - f->streams) + 1);
}

static void forget_idle(struct forward *f, struct stream *s)
{
    unsigned i = (unsigned)(s - f->streams);

    if (s->ready || s->n > 0)
        return;
    f->busy[i / BITS] &= ~(1ull << i % BITS);
    if (s->fd < 0) {
        free(s->data);
        s->data = NULL;
    }
}

/* ---------------------------------------------------------------- set up -- */

static bool same_file(int a, int b)
{
    struct stat x, y;

    return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int forward_init(struct forward *f, unsigned npes, struct forward_how how, int epoll_fd)
{
    *f = (struct forward){.how = how, .epoll_fd = epoll_fd, .nsinks = 2};
    if (how.merge || same_file(STDOUT_FILENO, STDERR_FILENO))
        f->nsinks = 1;
    f->per_pe = !how.merge && (how.files[0] || how.files[1]) ? 2 : f->nsinks;
    f->nstreams = npes * f->per_pe;
    f->streams = calloc(f->nstreams, sizeof *f->streams);
    f->busy = calloc(busy_words(f), sizeof *f->busy);
    if (!f->streams || !f->busy)
        return -ENOMEM;
    for (unsigned i = 0; i < f->nstreams; i++) {
        f->streams[i].fd = f->streams[i].file = -1;
        f->streams[i].pe = i / f->per_pe;
        f->streams[i].to = &f->sinks[i % f->nsinks];
    }
    for (unsigned i = 0; i < f->nsinks; i++) {
        struct epoll_event ev = {.events = EPOLLOUT | EPOLLET, .data.u64 = f->nstreams + i};

        sink_open(&f->sinks[i].sink, i ? STDERR_FILENO : STDOUT_FILENO);
        /* Regular files can't be watched, and never block. */
        epoll_ctl(epoll_fd, EPOLL_CTL_ADD, f->sinks[i].sink.fd, &ev);
    }
    return 0;
}

/* A pipe whose reading end has a number that children need not look at. */
static int make_pipe(const struct forward *f, int ends[2])
{
    int low, e;

    if (pipe2(ends, O_CLOEXEC))
        return -errno;
    low = ends[0];
    if (low >= f->fd_min)
        return 0;
    ends[0] = fcntl(low, F_DUPFD_CLOEXEC, f->fd_min);
    e = errno;
    close(low);
    if (ends[0] >= 0)
        return 0;
    close(ends[1]);
    return -(errno = e);
}

static int open_stream(struct forward *f, unsigned i, int *child)
{
    struct epoll_event ev = {.events = EPOLLIN | EPOLLET, .data.u64 = i};
    struct stream *s = &f->streams[i];
    const char *file = f->how.files[i % f->per_pe];
    int ends[2], e;

    if (file && (s->file = output_file_open(file, s->pe, f->nstreams / f->per_pe)) < 0)
        return s->file;
    if (make_pipe(f, ends))
        return -errno;
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK) || epoll_ctl(f->epoll_fd, EPOLL_CTL_ADD, ends[0], &ev)) {
        e = errno;
        close(ends[0]);
        close(ends[1]);
        return -(errno = e);
    }
    s->fd = ends[0];
    *child = ends[1];
    f->open++;
    return 0;
}

int forward_open(struct forward *f, unsigned pe, int *out, int *err)
{
    int rc = open_stream(f, pe * f->per_pe, out);

    if (rc == 0 && f->per_pe == 1)
        *err = *out;
    else if (rc == 0)
        rc = open_stream(f, pe * f->per_pe + STDERR_SINK, err);
    return rc;
}

/* --------------------------------------------------------------- reading -- */

static void close_stream(struct forward *f, struct stream *s)
{
    close(s->fd);
    s->fd = -1;
    s->ready = false;
    f->open--;
}

/* How much to read now: not past what was there when the last PE ended. */
static size_t readable(const struct forward *f, const struct stream *s)
{
    size_t room = STREAM_MAX - s->n;

    return f->closing && s->left < room ? s->left : room;
}

/* Returns whether something was read, or the end found. */
static bool read_stream(struct forward *f, struct stream *s, uint64_t now)
{
    ssize_t n;

    if (!s->ready || s->fd < 0 || s->n == STREAM_MAX || sink_queued(&s->to->sink) > SINK_MAX)
        return false;
    if (!s->data && !(s->data = malloc(STREAM_MAX))) {
        s->to->sink.error = ENOMEM;
        close_stream(f, s);
        return false;
    }
    n = readable(f, s) ? read(s->fd, s->data + s->n, readable(f, s)) : 0;
    if (n > 0) {
        s->n += (size_t)n;
        s->left -= f->closing ? (size_t)n : 0;
        s->last = now;
        return true;
    }
    if (n < 0 && errno == EINTR)
        return true;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && !f->closing) {
        s->ready = false;
        return false;
    }
    close_stream(f, s);
    return true;
}

/* --------------------------------------------------------------- passing -- */

/* "05:18:10.123 [3] " as the user wants it. Returns its length. */
static size_t prefix(const struct forward *f, const struct stream *s, char *text, size_t room)
{
    size_t n = 0;

    if (f->how.stamp) {
        struct timeval now = core_clock_date();
        struct tm t;

        if (localtime_r(&now.tv_sec, &t))
            n = strftime(text, room, "%H:%M:%S", &t);
        n += (size_t)snprintf(text + n, room - n, ".%03u ", (unsigned)(now.tv_usec / 1000));
    }
    return f->how.tag ? n + (size_t)snprintf(text + n, room - n, "[%u] ", s->pe) : n;
}

static void put_prefixed(const struct forward *f, struct stream *s, size_t n)
{
    const char *at = s->data, *end = at + n;
    char tag[48];
    size_t length = prefix(f, s, tag, sizeof tag);

    while (at < end) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        const char *next = nl ? nl + 1 : end;

        if (!s->mid_line)
            sink_put(&s->to->sink, tag, length);
        sink_put(&s->to->sink, at, (size_t)(next - at));
        s->mid_line = !nl;
        at = next;
    }
}

/* To the stream's own file, if it has one. An error, such as a full disk, ends the job as one of our output does. */
static void put_file(struct stream *s, size_t n)
{
    for (size_t done = 0; s->file >= 0 && done < n;) {
        ssize_t k = write(s->file, s->data + done, n - done);

        if (k < 0 && errno != EINTR) {
            s->to->sink.error = errno;
            close(s->file);
            s->file = -1;
        }
        done += k > 0 ? (size_t)k : 0;
    }
}

static void put_sink(const struct forward *f, struct stream *s, size_t n)
{
    if (f->how.tag || f->how.stamp)
        put_prefixed(f, s, n);
    else
        sink_put(&s->to->sink, s->data, n);
    s->mid_line = s->data[n - 1] != '\n';
    s->to->owner = s->mid_line ? s : NULL;
    s->to->held = 0;
}

/* The first n bytes of a stream go to its file and to its sink, which is free for them. */
static void pass(struct forward *f, struct stream *s, size_t n)
{
    if (n == 0)
        return;
    put_file(s, n);
    if (s->file < 0 || !f->how.files_only)
        put_sink(f, s, n);
    s->n -= n;
    memmove(s->data, s->data + n, s->n);
}

/* The unfinished line that is last on the sink ends here. */
static void break_line(struct forward_sink *to)
{
    if (!to->owner)
        return;
    sink_put(&to->sink, "\n", 1);
    to->owner->mid_line = false;
    to->owner = NULL;
    to->held = 0;
}

static size_t whole_lines(const struct stream *s)
{
    const char *nl = s->n ? memrchr(s->data, '\n', s->n) : NULL;

    return nl ? (size_t)(nl + 1 - s->data) : 0;
}

/* May a stream that does not own the sink write on it now? */
static bool gets_sink(struct stream *s, uint64_t now)
{
    struct forward_sink *to = s->to;

    if (!to->owner)
        return true;
    if (!to->held)
        to->held = now;
    if (to->owner->fd >= 0 && now - to->held < HOLD)
        return false;
    break_line(to);
    return true;
}

/* Returns whether it passed on something. */
static bool pass_stream(struct forward *f, struct stream *s, uint64_t now)
{
    size_t n;

    if (s->n == 0 || sink_queued(&s->to->sink) > SINK_MAX)
        return false;
    n = s->to->owner == s || s->n == STREAM_MAX || s->fd < 0 ? s->n : whole_lines(s);
    if (n == 0 || (s->to->owner != s && !gets_sink(s, now)))
        return false;
    pass(f, s, n);
    return true;
}

/* ------------------------------------------------------ unfinished lines -- */

/* The stream whose unfinished line is to be shown on sink `to`, and when: the
 * only one, or the one of the lowest PE. NULL when none is. */
static struct stream *next_partial(const struct forward *f, const struct forward_sink *to, uint64_t *at)
{
    struct stream *first = NULL;
    unsigned count = 0;

    if (to->owner)
        return NULL;
    for (struct stream *s = first_busy(f); s && count < 2; s = busy_after(f, s)) {
        if (s->to != to || s->n == 0)
            continue;
        if (count++ == 0)
            first = s;
    }
    if (first)
        *at = first->last + (count > 1 ? QUIET_CROWD : QUIET);
    return first;
}

static bool show_partials(struct forward *f, uint64_t now)
{
    bool shown = false;

    for (unsigned i = 0; i < f->nsinks; i++) {
        uint64_t at;
        struct stream *s = next_partial(f, &f->sinks[i], &at);

        if (s && now >= at && sink_queued(&s->to->sink) <= SINK_MAX) {
            pass(f, s, s->n);
            shown = true;
        }
    }
    return shown;
}

int forward_timeout(const struct forward *f, uint64_t now)
{
    uint64_t soonest = UINT64_MAX;

    for (unsigned i = 0; i < f->nsinks; i++) {
        const struct forward_sink *to = &f->sinks[i];
        uint64_t at = UINT64_MAX;

        /* A sink that is full is waited for by its event. */
        if (to->sink.blocked && sink_queued(&to->sink) > SINK_MAX)
            continue;
        if (to->held)
            at = to->held + HOLD;
        else
            next_partial(f, to, &at);
        if (at < soonest)
            soonest = at;
    }
    if (soonest == UINT64_MAX)
        return -1;
    return soonest <= now ? 0 : (int)((soonest - now) / MS + 1);
}

/* ------------------------------------------------------------- interface -- */

void forward_event(struct forward *f, uint64_t data)
{
    if (data < f->nstreams) {
        if (f->streams[data].fd >= 0) /* an event that came before it may have emptied and closed it */
            set_ready(f, (unsigned)data);
    } else {
        f->sinks[data - f->nstreams].sink.blocked = false;
    }
}

static void flush_sinks(struct forward *f)
{
    for (unsigned i = 0; i < f->nsinks; i++)
        if (!f->sinks[i].sink.blocked)
            sink_flush(&f->sinks[i].sink);
}

/* After a flush a sink is empty or blocked: what this leaves behind waits for
 * an event or for a time that forward_timeout tells. */
bool forward_run(struct forward *f, uint64_t now)
{
    bool moved = true;

    for (unsigned round = 0; moved && round < ROUNDS; round++) {
        moved = false;
        flush_sinks(f);
        for (struct stream *s = first_busy(f); s; s = busy_after(f, s)) {
            moved |= read_stream(f, s, now);
            moved |= pass_stream(f, s, now);
            forget_idle(f, s);
        }
        moved = moved || show_partials(f, now);
    }
    flush_sinks(f);
    return moved;
}

void forward_drain(struct forward *f)
{
    for (unsigned i = 0; i < f->nstreams; i++)
        if (f->streams[i].fd >= 0)
            set_ready(f, i);
    forward_run(f, core_clock_ns());
}

void forward_close(struct forward *f)
{
    f->closing = true;
    for (unsigned i = 0; i < f->nstreams; i++) {
        struct stream *s = &f->streams[i];
        int left = 0;

        if (s->fd < 0)
            continue;
        ioctl(s->fd, FIONREAD, &left);
        s->left = left > 0 ? (size_t)left : 0;
        set_ready(f, i);
    }
}

void forward_message(struct forward *f, const char *line, size_t n)
{
    struct forward_sink *to = &f->sinks[f->nsinks - 1];

    break_line(to);
    sink_put(&to->sink, line, n);
    if (!to->sink.blocked)
        sink_flush(&to->sink);
}

bool forward_done(const struct forward *f)
{
    if (f->open || first_busy(f))
        return false;
    for (unsigned i = 0; i < f->nsinks; i++)
        if (sink_queued(&f->sinks[i].sink))
            return false;
    return true;
}

int forward_error(const struct forward *f, int *fd)
{
    for (unsigned i = 0; i < f->nsinks; i++)
        if (f->sinks[i].sink.error) {
            *fd = f->sinks[i].sink.given;
            return f->sinks[i].sink.error;
        }
    return 0;
}
