/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Progress. The connections that had something last are read without asking; epoll
 * is asked when they have nothing, and then not each time, unless there are others.
 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#include "core/net/tcp.h"

enum {
    EVENTS = 32,
    SELDOM = 16,  /* times that nothing is there from question to question, while all connections are hot */
    GREETERS = 64 /* questions from look to look after greeters */
};

int64_t net_tcp_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void net_tcp_watch(int op, int fd, unsigned events, void *what)
{
    struct epoll_event e = {.events = events, .data.ptr = what};
    if (epoll_ctl(tcp.epoll, op, fd, &e) != 0)
        core_fatal("cannot watch a connection: %s", strerror(errno));
}

static void make_hot(struct net_tcp_connection *c)
{
    if (tcp.hot[0] == c || !net_tcp_is_up(c))
        return;
    tcp.hot[1] = tcp.hot[0];
    tcp.hot[0] = c;
}

static void writable(struct net_tcp_connection *c)
{
    if (c->state != TCP_UP)
        return;
    c->armed = false;
    net_tcp_watch(EPOLL_CTL_MOD, c->fd, EPOLLIN, c);
    net_tcp_flush(c);
}

static int ready(const struct epoll_event *e)
{
    enum net_tcp_what *what = e->data.ptr;
    struct net_tcp_connection *c = e->data.ptr;
    bool locked;
    int things = 0;
    if (*what == TCP_CONNECTION) {
        if (e->events & EPOLLOUT) {
            locked = net_lock();
            writable(c);
            net_unlock(locked);
        }
        if (e->events & ~(unsigned)EPOLLOUT && net_tcp_is_up(c) && (things = net_tcp_receive(c)) > 0)
            make_hot(c);
        return things;
    }
    locked = net_lock();
    if (*what == TCP_LISTENER)
        net_tcp_accept();
    else
        net_tcp_greet(e->data.ptr);
    net_unlock(locked);
    return 1;
}

static int look(void)
{
    struct epoll_event events[EVENTS];
    int n = epoll_wait(tcp.epoll, events, EVENTS, 0), things = 0;
    for (int i = 0; i < n; i++)
        things += ready(&events[i]);
    if (net_tcp_counted(&tcp.meeting) > 0 && ++tcp.looks % GREETERS == 0) {
        bool locked = net_lock();
        net_tcp_greeters_look();
        net_tcp_greeters_free(false);
        net_unlock(locked);
    }
    return things;
}

static int progress(void)
{
    int things = 0;
    __atomic_store_n(&tcp.turn, tcp.turn + 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&tcp.blocked, __ATOMIC_RELAXED)) {
        bool locked = net_lock();
        things += net_tcp_flush_blocked();
        net_unlock(locked);
    }
    for (int i = 0; i < 2; i++)
        if (tcp.hot[i])
            things += net_tcp_receive(tcp.hot[i]); /* nothing of one that is broken */
    if (things > 0)
        return things;
    bool all_hot = net_tcp_counted(&tcp.up) == (unsigned)(tcp.hot[0] != NULL) + (tcp.hot[1] != NULL) && net_tcp_counted(&tcp.meeting) == 0;
    static unsigned asked;
    return !all_hot || ++asked % SELDOM == 0 ? look() : 0;
}

/* A handler that comes back here would find the stage in use. */
int net_tcp_progress(void)
{
    if (tcp.inside)
        return 0;
    tcp.inside = true;
    int things = progress();
    tcp.inside = false;
    return things;
}

/* Nothing is left to be sent later; who waits for room in a socket asks to be told. */
bool net_tcp_may_sleep(void)
{
    bool locked = net_lock();
    net_tcp_flush_blocked();
    for (struct net_tcp_connection *c = tcp.blocked; c; c = c->next_blocked)
        if (!c->armed && c->state == TCP_UP) {
            c->armed = true;
            net_tcp_watch(EPOLL_CTL_MOD, c->fd, EPOLLIN | EPOLLOUT, c);
        }
    net_unlock(locked);
    return true;
}
