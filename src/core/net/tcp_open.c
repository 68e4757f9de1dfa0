/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opening and closing the sockets, and what peers must know of them.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/net/tcp.h"
#include "core/task/task.h"

enum { CLOSE_MS = 5000 }; /* for what peers have not taken yet */

struct core_tcp_all core_tcp = {.epoll = -1, .listener = -1};

static int failed(const char *what, int err)
{
    core_error("%s on interface %s of host %s: %s", what, core_tcp.iface, core_host(-1), strerror(err));
    return -err;
}

static int tcp_listen(void)
{
    socklen_t n = sizeof core_tcp.own;
    core_tcp.own.v4.sin_port = 0; /* at the same offset in both */
    core_tcp.listener = socket(core_tcp.own.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (core_tcp.listener < 0 || bind(core_tcp.listener, &core_tcp.own.any, core_tcp_size_of(&core_tcp.own)) != 0 ||
        listen(core_tcp.listener, SOMAXCONN) != 0 || getsockname(core_tcp.listener, &core_tcp.own.any, &n) != 0)
        return failed("no socket that PEs could call", errno);
    return 0;
}

static int tcp_open(bool one_host)
{
    memset(&core_tcp, 0, sizeof core_tcp);
    core_tcp.epoll = core_tcp.listener = -1;
    int rc = core_tcp_choose(one_host, &core_tcp.own, core_tcp.iface, sizeof core_tcp.iface);
    if (rc != 0)
        return rc;
    core_tcp.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (core_tcp.epoll < 0)
        return failed("no epoll", errno);
    core_state.net.promise = (struct core_net_promise){
        .ordered = true,
        .tails = true,
        .executed = true,
        .seals_keyed = true,
        .key_bytes = 8,
        .put_message = NET_PUT_MESSAGE,
        .push_most = NET_PUSH_LONG,
        .rma_max = 1u << 30,
        .fd = core_tcp.epoll,
    };
    return tcp_listen();
}

static int tcp_ready(void)
{
    return 0;
}

static int tcp_card(void *to, size_t *n)
{
    memcpy(to, &core_tcp.own, sizeof core_tcp.own);
    *n = sizeof core_tcp.own;
    return 0;
}

/* A descriptor for each PE that may be talked to, and as many for the program as it has now. Tasks have one table
 * together, and come here one after the other. */
static void raise_file_limit(rlim_t more)
{
    struct rlimit l;
    enum { FEW = 256 };
    if (more * core_task_count() <= FEW || getrlimit(RLIMIT_NOFILE, &l) != 0 || l.rlim_cur == RLIM_INFINITY)
        return;
    l.rlim_cur = l.rlim_max - l.rlim_cur > more ? l.rlim_cur + more : l.rlim_max;
    setrlimit(RLIMIT_NOFILE, &l);
}

static int make_peers(void)
{
    size_t n = (size_t)mpt_fast.npes;
    raise_file_limit((rlim_t)n);
    core_tcp.peer = calloc(n, sizeof *core_tcp.peer);
    core_tcp.address = calloc(n, sizeof *core_tcp.address);
    if (!core_tcp.peer || !core_tcp.address) {
        core_error("no memory for the connections to %zu PEs", n);
        return -ENOMEM;
    }
    for (size_t i = 0; i < n; i++)
        core_tcp.peer[i] = (struct core_tcp_connection){
            .what = TCP_CONNECTION, .fd = -1, .pe = (int)i, .last = &core_tcp.peer[i].first};
    return 0;
}

static int tcp_meet(int pe, const void *card, size_t n)
{
    int rc = core_tcp.peer ? 0 : make_peers();
    if (rc != 0)
        return rc;
    if (n != sizeof *core_tcp.address) {
        core_error("PE %d on host %s says no address of TCP", pe, core_host(pe));
        return -EPROTO;
    }
    memcpy(&core_tcp.address[pe], card, n);
    if (core_tcp.address[pe].any.sa_family == core_tcp.own.any.sa_family)
        return 0;
    core_error("PE %d on host %s has an address of IPv%c, PE %d on host %s of IPv%c; name an interface that has the "
               "same on all hosts by "
               "MPT_IFACE",
               pe, core_host(pe), core_tcp.address[pe].any.sa_family == AF_INET ? '4' : '6', core_me(),
               core_host(core_me()), core_tcp.own.any.sa_family == AF_INET ? '4' : '6');
    return -EAFNOSUPPORT;
}

/* Nobody calls before this PE may be called by all: then the cards are known here. */
static bool tcp_met(void)
{
    char text[INET6_ADDRSTRLEN] = "";
    core_tcp_watch(EPOLL_CTL_ADD, core_tcp.listener, EPOLLIN, &core_tcp.listening);
    inet_ntop(core_tcp.own.any.sa_family,
              core_tcp.own.any.sa_family == AF_INET ? (void *)&core_tcp.own.v4.sin_addr
                                                    : (void *)&core_tcp.own.v6.sin6_addr,
              text, sizeof text);
    core_debug("network: %s port %u on %s", text, ntohs(core_tcp.own.v4.sin_port), core_tcp.iface);
    return false;
}

/* Peers that have not taken what was said last get some time for it. */
static void finish_sending(struct core_tcp_connection *c, int64_t until)
{
    while (c->first && c->state == TCP_UP && core_tcp_now() < until) {
        struct pollfd p = {.fd = c->fd, .events = POLLOUT};
        poll(&p, 1, 100);
        core_tcp_flush(c);
    }
}

static void tcp_close(void)
{
    int64_t until = core_tcp_now() + CLOSE_MS;
    for (int pe = 0; core_tcp.peer && pe < mpt_fast.npes; pe++) {
        struct core_tcp_connection *c = &core_tcp.peer[pe];
        finish_sending(c, until);
        if (c->fd >= 0)
            close(c->fd);
    }
    core_tcp_greeters_free(true);
    if (core_tcp.listener >= 0)
        close(core_tcp.listener);
    if (core_tcp.epoll >= 0)
        close(core_tcp.epoll);
    core_tcp_stage_end();
    core_tcp_memory_end();
    free(core_tcp.peer);
    free(core_tcp.address);
    memset(&core_tcp, 0, sizeof core_tcp);
    core_tcp.epoll = core_tcp.listener = -1;
}

static bool tcp_address(void *to, size_t n)
{
    if (n < sizeof core_tcp.own.v6)
        return false;
    memcpy(to, &core_tcp.own, sizeof core_tcp.own.v6);
    return true;
}

static const char *tcp_kind(void)
{
    return "tcp sockets";
}

static const char *tcp_error(int error)
{
    return strerror(error);
}

static void tcp_flush(void)
{
    core_tcp_flush_blocked();
}

const struct core_net_fabric core_tcp_fabric = {
    .open = tcp_open,
    .ready = tcp_ready,
    .close = tcp_close,
    .kind = tcp_kind,
    .card = tcp_card,
    .meet = tcp_meet,
    .met = tcp_met,
    .address = tcp_address,
    .enroll = core_tcp_enroll,
    .release = core_tcp_release,
    .busy = core_tcp_busy,
    .send = core_tcp_send,
    .write = core_tcp_write,
    .read = core_tcp_read,
    .progress = core_tcp_progress,
    .flush = tcp_flush,
    .may_sleep = core_tcp_may_sleep,
    .error = tcp_error,
};
