/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Progress. The connections that had something last are read without asking; epoll
 * is asked when they have nothing, and then not each time, unless there are others.
 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "core/base/clock.h"
#include "core/net/tcp.h"

enum {
    EVENTS = 32,
    SELDOM = 16,  /* times that nothing is there from question to question, while all connections are hot */
    GREETERS = 64 /* questions from look to look after greeters */
};

int64_t core_tcp_now(void)
{
    return (int64_t)(core_clock_coarse_ns() / CORE_CLOCK_MS);
}

void core_tcp_watch(int op, int fd, unsigned events, void *what)
{
    struct epoll_event e = {.events = events, .data.ptr = what};
    if (epoll_ctl(core_tcp.epoll, op, fd, &e) != 0)
        core_fatal("cannot watch a connection: %s", strerror(errno));
}

static void make_hot(struct core_tcp_connection *c)
{
    if (core_tcp.hot[0] == c || !core_tcp_is_up(c))
        return;
    core_tcp.hot[1] = core_tcp.hot[0];
    core_tcp.hot[0] = c;
}

static void writable(struct core_tcp_connection *c)
{
    if (c->state != TCP_UP)
        return;
    c->armed = false;
    core_tcp_watch(EPOLL_CTL_MOD, c->fd, EPOLLIN, c);
    core_tcp_flush(c);
}

static int ready(const struct epoll_event *e)
{
    enum core_tcp_what *what = e->data.ptr;
    struct core_tcp_connection *c = e->data.ptr;
    bool locked;
    int things = 0;
    if (*what == TCP_CONNECTION) {
        if (e->events & EPOLLOUT) {
            locked = core_net_lock();
            writable(c);
            core_net_unlock(locked);
        }
        if (e->events & ~(unsigned)EPOLLOUT && core_tcp_is_up(c) && (things = core_tcp_receive(c)) > 0)
            make_hot(c);
        return things;
    }
    locked = core_net_lock();
    if (*what == TCP_LISTENER)
        core_tcp_accept();
    else
        core_tcp_greet(e->data.ptr);
    core_net_unlock(locked);
    return 1;
}

static int look(void)
{
    struct epoll_event events[EVENTS];
    int n = epoll_wait(core_tcp.epoll, events, EVENTS, 0), things = 0;
    for (int i = 0; i < n; i++)
        things += ready(&events[i]);
    if (core_tcp_counted(&core_tcp.meeting) > 0 && ++core_tcp.looks % GREETERS == 0) {
        bool locked = core_net_lock();
        core_tcp_greeters_look();
        core_tcp_greeters_free(false);
        core_net_unlock(locked);
    }
    return things;
}

static int progress(void)
{
    int things = 0;
    __atomic_store_n(&core_tcp.turn, core_tcp.turn + 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&core_tcp.blocked, __ATOMIC_RELAXED)) {
        bool locked = core_net_lock();
        things += core_tcp_flush_blocked();
        core_net_unlock(locked);
    }
    for (int i = 0; i < 2; i++)
        if (core_tcp.hot[i])
            things += core_tcp_receive(core_tcp.hot[i]); /* nothing of one that is broken */
    if (things > 0)
        return things;
    bool all_hot = core_tcp_counted(&core_tcp.up) == (unsigned)(core_tcp.hot[0] != NULL) + (core_tcp.hot[1] != NULL) &&
                   core_tcp_counted(&core_tcp.meeting) == 0;
    return !all_hot || ++core_tcp.asked % SELDOM == 0 ? look() : 0;
}

/* A handler that comes back here would find the stage in use. */
int core_tcp_progress(void)
{
    if (core_tcp.inside)
        return 0;
    core_tcp.inside = true;
    int things = progress();
    core_tcp.inside = false;
    return things;
}

/* Nothing is left to be sent later; connections that wait for room in a socket ask to be told. */
bool core_tcp_may_sleep(void)
{
    bool locked = core_net_lock();
    core_tcp_flush_blocked();
    for (struct core_tcp_connection *c = core_tcp.blocked; c; c = c->next_blocked)
        if (!c->armed && c->state == TCP_UP) {
            c->armed = true;
            core_tcp_watch(EPOLL_CTL_MOD, c->fd, EPOLLIN | EPOLLOUT, c);
        }
    core_net_unlock(locked);
    return true;
}
