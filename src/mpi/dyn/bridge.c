/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The writing ends of bridges, and the hook that moves all of them on.
 *
 * A process that ends closes all it has: what it sent before is read first, so
 * one that said goodbye is told from one that died.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "mpi/dyn/bridge.h"
#include "mpi/ft/ft.h"

static struct mpii_bridges *const bridges = &mpii_state.dyn.bridges;

enum { FULL = 1 << 20, PIECES = 32, EVENTS = 32 };
#define POLL_NS 2000u        /* between looks at the sockets */
#define RETRY_NS 2000000u    /* between tries to connect */

void mpii_bridge_watch(int fd, uint32_t events, enum mpii_bridge_tag tag, void *what, bool known)
{
    struct epoll_event e = {.events = events, .data.u64 = (uint64_t)(uintptr_t)what | tag};

    if (epoll_ctl(bridges->epoll_fd, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &e) != 0)
        core_fatal("cannot watch a connection to another job: %s", strerror(errno));
}

void mpii_bridge_close_socket(int fd)
{
    epoll_ctl(bridges->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
    close(fd);
}

/* --------------------------------------------------------------- writing -- */

static void watch_out(struct mpii_dyn_peer *p, bool known)
{
    mpii_bridge_watch(p->out.fd, EPOLLRDHUP | (p->out.first || !p->out.up ? EPOLLOUT : 0), BRIDGE_OUT, p, known);
}

static void drop_chunks(struct mpii_bridge_out *o)
{
    for (struct mpii_bridge_chunk *c; (c = o->first);) {
        o->first = c->next;
        free(c);
    }
    o->last = &o->first;
    o->queued = 0;
}

static void close_out(struct mpii_bridge_out *o)
{
    if (o->fd >= 0)
        mpii_bridge_close_socket(o->fd);
    o->fd = -1;
    if (o->retry)
        bridges->retrying--;
    o->retry = 0;
    o->up = o->hung_up = false;
    drop_chunks(o);
}

void mpii_bridge_lost(struct mpii_dyn_peer *p, const char *why)
{
    bool met = p->out.up || p->in || p->out.patient, orderly = p->bye_heard;
    char name[DYN_NAME];

    if (p->gone)
        return;
    p->gone = met;
    close_out(&p->out);
    mpii_bridge_in_close(p->in);
    p->in = NULL;
    mpii_dyn_port_on_gone(p);
    mpii_bridge_forget(p);
    if (mpii_state.ft.on && !orderly && p->number >= core_size()) {
        p->gone = true;
        mpii_ft_foreign_died(p->number);
    } else if (met && !orderly && p->number >= core_size() && mpii_dyn_connected(p->number)) {
        core_job_be_first();
        core_fatal("%s, which this job is connected to, %s; ending this job too",
                   mpii_dyn_name(&p->at, name, sizeof name), why);
    }
}

/* As many chunks at once as the socket takes. */
static ssize_t write_some(struct mpii_bridge_out *o)
{
    struct iovec pieces[PIECES];
    struct msghdr m = {.msg_iov = pieces};

    for (struct mpii_bridge_chunk *c = o->first; c && m.msg_iovlen + 2 <= PIECES; c = c->next) {
        size_t head = c->at < c->n ? c->at : c->n, body = c->at - head;

        if (head < c->n)
            pieces[m.msg_iovlen++] = (struct iovec){c->data + head, c->n - head};
        if (body < c->body_n)
            pieces[m.msg_iovlen++] = (struct iovec){(char *)(uintptr_t)c->body + body, c->body_n - body};
    }
    return sendmsg(o->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void advance(struct mpii_bridge_out *o, size_t n)
{
    while (n > 0) {
        struct mpii_bridge_chunk *c = o->first;
        size_t left = c->n + c->body_n - c->at, step = n < left ? n : left;

        c->at += step;
        n -= step;
        if (step < left)
            return;
        o->queued -= c->n;
        o->first = c->next;
        if (!o->first)
            o->last = &o->first;
        free(c);
    }
}

static void flush(struct mpii_dyn_peer *p)
{
    struct mpii_bridge_out *o = &p->out;
    bool waited = o->first != NULL;
    ssize_t n = 0;

    while (o->up && o->first && (n = write_some(o)) > 0)
        advance(o, (size_t)n);
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        o->hung_up = true; /* what it said last may still be there to read */
        drop_chunks(o);
    }
    if (waited && o->up)
        watch_out(p, true);
}

static struct mpii_bridge_chunk *chunk_of(const struct mpii_bridge_post *post)
{
    size_t inline_n = post->by_reference ? 0 : post->n;
    struct mpii_bridge_frame f = {post->kind, post->channel, (uint32_t)post->head_n, post->token, post->n};
    struct mpii_bridge_chunk *c = malloc(sizeof *c + sizeof f + post->head_n + inline_n);

    if (!c)
        return NULL;
    *c = (struct mpii_bridge_chunk){.n = sizeof f + post->head_n + inline_n};
    memcpy(c->data, &f, sizeof f);
    if (post->head_n)
        memcpy(c->data + sizeof f, post->head, post->head_n);
    if (inline_n)
        memcpy(c->data + sizeof f + post->head_n, post->body, inline_n);
    if (post->by_reference) {
        c->body = post->body;
        c->body_n = post->n;
    }
    return c;
}

static int append(struct mpii_dyn_peer *p, const struct mpii_bridge_post *post)
{
    struct mpii_bridge_chunk *c = chunk_of(post);

    if (!c)
        return -ENOMEM;
    *p->out.last = c;
    p->out.last = &c->next;
    p->out.queued += c->n;
    return 0;
}

/* ------------------------------------------------------------ connecting -- */

static void not_connected(struct mpii_dyn_peer *p, int error)
{
    struct mpii_bridge_out *o = &p->out;

    if (o->fd >= 0)
        mpii_bridge_close_socket(o->fd);
    o->fd = -1;
    if ((error == EAGAIN || (o->patient && error == ECONNREFUSED)) && core_clock_ns() < o->give_up) {
        bridges->retrying += o->retry == 0;
        o->retry = core_clock_ns() + RETRY_NS;
        return;
    }
    mpii_bridge_lost(p, strerror(error));
}

static void connected(struct mpii_dyn_peer *p)
{
    p->out.up = true;
    if (mpii_bridge_is_ours(p->out.fd))
        flush(p);
    else
        mpii_bridge_lost(p, "belongs to another user");
}

static void try_to_connect(struct mpii_dyn_peer *p)
{
    struct mpii_bridge_out *o = &p->out;
    int err = 0;

    if (o->retry) {
        bridges->retrying--;
        o->retry = 0;
    }
    o->fd = mpii_bridge_connect(&p->at, &err);
    if (o->fd < 0) {
        not_connected(p, err);
        return;
    }
    o->up = err == 0;
    watch_out(p, false);
    if (err == 0)
        connected(p);
}

static int begin(struct mpii_dyn_peer *p, bool patient)
{
    struct mpii_bridge_hello hello = {BRIDGE_MAGIC, *mpii_dyn_own(), p->at};
    struct mpii_bridge_post post = {.kind = BRIDGE_HELLO, .body = &hello, .n = sizeof hello};

    p->out.patient = patient;
    p->out.give_up = core_params.timeout ? core_clock_ns() + core_params.timeout * 1000000000ull : UINT64_MAX;
    return append(p, &post);
}

int mpii_bridge_post(struct mpii_dyn_peer *p, const struct mpii_bridge_post *post)
{
    struct mpii_bridge_out *o = &p->out;
    bool fresh = o->fd < 0 && !o->retry && !o->first;
    int err = p->gone || o->hung_up ? -EPIPE : 0;

    if (err == 0 && fresh)
        err = begin(p, post->kind != BRIDGE_OFFER && !(post->kind == BRIDGE_BYE && p->in));
    if (err == 0)
        err = append(p, post);
    if (err == 0 && fresh)
        try_to_connect(p);
    else if (err == 0)
        flush(p);
    return err;
}

bool mpii_bridge_full(const struct mpii_dyn_peer *p)
{
    return p->out.queued > FULL;
}

bool mpii_bridge_idle(const struct mpii_dyn_peer *p)
{
    return !p->out.first;
}

/* -------------------------------------------------------------- the hook -- */

static void on_out(struct mpii_dyn_peer *p, uint32_t events)
{
    int error = 0;

    if (p->out.fd < 0)
        return;
    if (!p->out.up) {
        if (getsockopt(p->out.fd, SOL_SOCKET, SO_ERROR, &error, &(socklen_t){sizeof error}) == 0 && error == 0 &&
            events & EPOLLOUT)
            connected(p);
        else
            not_connected(p, error ? error : ECONNREFUSED);
        return;
    }
    if (events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP))
        p->out.hung_up = true;
    else
        flush(p);
}

/* Whether it said goodbye stands in what it sent before. */
static void after_hang_up(struct mpii_dyn_peer *p)
{
    mpii_bridge_accept(bridges->unix_fd, false);
    if (bridges->tcp_fd >= 0)
        mpii_bridge_accept(bridges->tcp_fd, true);
    if (p->in)
        mpii_bridge_read(p->in);
    if (!p->in || p->bye_heard)
        mpii_bridge_lost(p, "has ended without MPI_Finalize");
}

static void dispatch(const struct epoll_event *e)
{
    void *what = (void *)(uintptr_t)(e->data.u64 & ~(uint64_t)(BRIDGE_TAGS - 1));

    switch ((enum mpii_bridge_tag)(e->data.u64 & (BRIDGE_TAGS - 1))) {
    case BRIDGE_UNIX:
        mpii_bridge_accept(bridges->unix_fd, false);
        break;
    case BRIDGE_TCP:
        mpii_bridge_accept(bridges->tcp_fd, true);
        break;
    case BRIDGE_OUT:
        on_out(what, e->events);
        break;
    case BRIDGE_IN:
        mpii_bridge_read(what);
        break;
    case BRIDGE_NAMES:
    case BRIDGE_TAGS:
        mpii_dyn_names_step();
    }
}

static void step(struct mpii_hook *t)
{
    struct epoll_event events[EVENTS];
    uint64_t now = core_clock_ns();
    int n;

    (void)t;
    if (now - bridges->looked < POLL_NS)
        return;
    bridges->looked = now;
    n = epoll_wait(bridges->epoll_fd, events, EVENTS, 0);
    for (int i = 0; i < n; i++)
        dispatch(&events[i]);
    if (n > 0 || bridges->retrying)
        for (struct mpii_dyn_peer *p = NULL; (p = mpii_dyn_peer_next(p));) {
            if (p->out.retry && now >= p->out.retry)
                try_to_connect(p);
            if (p->out.hung_up)
                after_hang_up(p);
        }
    mpii_bridge_in_step(now);
    mpii_bridge_in_free_closed();
}

/* ----------------------------------------------------------- start and end -- */

void mpii_bridge_listen_to(bool who_knocks)
{
    mpii_bridge_watch(bridges->unix_fd, who_knocks ? EPOLLIN : 0, BRIDGE_UNIX, NULL, true);
    if (bridges->tcp_fd >= 0)
        mpii_bridge_watch(bridges->tcp_fd, who_knocks ? EPOLLIN : 0, BRIDGE_TCP, NULL, true);
}

int mpii_bridge_open(struct mpii_dyn_address *own)
{
    bridges->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (bridges->epoll_fd < 0)
        core_error("this process cannot listen for other jobs: %s", strerror(errno));
    bridges->unix_fd = bridges->epoll_fd >= 0 ? mpii_bridge_listen_unix(own) : -1;
    bridges->tcp_fd = bridges->unix_fd >= 0 ? mpii_bridge_listen_tcp(own) : -1;
    if (bridges->unix_fd < 0 || (bridges->tcp_fd < 0 && bridges->tcp_fd != -ENOENT) ||
        core_wait_also(bridges->epoll_fd) != 0) {
        mpii_bridge_close();
        return -EIO;
    }
    mpii_bridge_watch(bridges->unix_fd, EPOLLIN, BRIDGE_UNIX, NULL, false);
    if (bridges->tcp_fd >= 0)
        mpii_bridge_watch(bridges->tcp_fd, EPOLLIN, BRIDGE_TCP, NULL, false);
    bridges->hook = (struct mpii_hook){.step = step};
    mpii_hook_add(&bridges->hook);
    core_wait_at_end(mpii_bridge_close);
    return 0;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        mpii_bridge_close_socket(*fd);
    *fd = -1;
}

void mpii_bridge_close(void)
{
    core_wait_also(-1);
    core_wait_at_end(NULL);
    mpii_hook_remove(&bridges->hook);
    for (struct mpii_dyn_peer *p = NULL; (p = mpii_dyn_peer_next(p));) {
        close_out(&p->out);
        p->gone = true;
        p->in = NULL;
    }
    mpii_bridge_in_close_all();
    close_fd(&bridges->unix_fd);
    close_fd(&bridges->tcp_fd);
    close_fd(&bridges->epoll_fd);
}
