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

enum { CLOSE_MS = 5000 }; /* for what peers have not taken yet */

struct net_tcp_all tcp = {.epoll = -1, .listener = -1};

static int failed(const char *what, int err)
{
    core_error("%s on interface %s of host %s: %s", what, tcp.iface, core_host(-1), strerror(err));
    return -err;
}

static int tcp_listen(void)
{
    socklen_t n = sizeof tcp.own;
    tcp.own.v4.sin_port = 0; /* at the same place in both */
    tcp.listener = socket(tcp.own.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (tcp.listener < 0 || bind(tcp.listener, &tcp.own.any, net_tcp_size_of(&tcp.own)) != 0 || listen(tcp.listener, SOMAXCONN) != 0 ||
        getsockname(tcp.listener, &tcp.own.any, &n) != 0)
        return failed("no socket that PEs could call", errno);
    return 0;
}

static int tcp_open(bool one_host)
{
    memset(&tcp, 0, sizeof tcp);
    tcp.epoll = tcp.listener = -1;
    int rc = net_tcp_choose(one_host, &tcp.own, tcp.iface, sizeof tcp.iface);
    if (rc != 0)
        return rc;
    tcp.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (tcp.epoll < 0)
        return failed("no epoll", errno);
    net.promise = (struct net_promise){
        .ordered = true,
        .tails = true,
        .executed = true,
        .seals_keyed = true,
        .key_bytes = 8,
        .put_message = NET_PUT_MESSAGE,
        .push_most = NET_PUSH_LONG,
        .rma_max = 1u << 30,
        .fd = tcp.epoll,
    };
    return tcp_listen();
}

static int tcp_ready(void)
{
    return 0;
}

static int tcp_card(void *to, size_t *n)
{
    memcpy(to, &tcp.own, sizeof tcp.own);
    *n = sizeof tcp.own;
    return 0;
}

/* A descriptor for each PE that may be talked to, and as many for the program as it has now. */
static void raise_file_limit(rlim_t more)
{
    struct rlimit l;
    enum { FEW = 256 };
    if (more <= FEW || getrlimit(RLIMIT_NOFILE, &l) != 0 || l.rlim_cur == RLIM_INFINITY)
        return;
    l.rlim_cur = l.rlim_max - l.rlim_cur > more ? l.rlim_cur + more : l.rlim_max;
    setrlimit(RLIMIT_NOFILE, &l);
}

static int make_peers(void)
{
    size_t n = (size_t)mpt_fast.npes;
    raise_file_limit((rlim_t)n);
    tcp.peer = calloc(n, sizeof *tcp.peer);
    tcp.address = calloc(n, sizeof *tcp.address);
    if (!tcp.peer || !tcp.address) {
        core_error("no memory for the connections to %zu PEs", n);
        return -ENOMEM;
    }
    for (size_t i = 0; i < n; i++)
        tcp.peer[i] = (struct net_tcp_connection){.what = TCP_CONNECTION, .fd = -1, .pe = (int)i, .last = &tcp.peer[i].first};
    return 0;
}

static int tcp_meet(int pe, const void *card, size_t n)
{
    int rc = tcp.peer ? 0 : make_peers();
    if (rc != 0)
        return rc;
    if (n != sizeof *tcp.address) {
        core_error("PE %d on host %s says no address of TCP", pe, core_host(pe));
        return -EPROTO;
    }
    memcpy(&tcp.address[pe], card, n);
    if (tcp.address[pe].any.sa_family == tcp.own.any.sa_family)
        return 0;
    core_error("PE %d on host %s has an address of IPv%c, PE %d on host %s of IPv%c; name an interface that has the same on all hosts by "
               "MPT_IFACE", pe, core_host(pe), tcp.address[pe].any.sa_family == AF_INET ? '4' : '6', core_me(), core_host(core_me()),
               tcp.own.any.sa_family == AF_INET ? '4' : '6');
    return -EAFNOSUPPORT;
}

/* Nobody calls before this PE may be called by all: then the cards are known here. */
static bool tcp_met(void)
{
    char text[INET6_ADDRSTRLEN] = "";
    net_tcp_watch(EPOLL_CTL_ADD, tcp.listener, EPOLLIN, &tcp.listening);
    inet_ntop(tcp.own.any.sa_family, tcp.own.any.sa_family == AF_INET ? (void *)&tcp.own.v4.sin_addr : (void *)&tcp.own.v6.sin6_addr, text,
              sizeof text);
    core_debug("network: %s port %u on %s", text, ntohs(tcp.own.v4.sin_port), tcp.iface);
    return false;
}

/* Peers that have not taken what was said last get some time for it. */
static void finish_sending(struct net_tcp_connection *c, int64_t until)
{
    while (c->first && c->state == TCP_UP && net_tcp_now() < until) {
        struct pollfd p = {.fd = c->fd, .events = POLLOUT};
        poll(&p, 1, 100);
        net_tcp_flush(c);
    }
}

static void tcp_close(void)
{
    int64_t until = net_tcp_now() + CLOSE_MS;
    for (int pe = 0; tcp.peer && pe < mpt_fast.npes; pe++) {
        struct net_tcp_connection *c = &tcp.peer[pe];
        finish_sending(c, until);
        if (c->fd >= 0)
            close(c->fd);
    }
    net_tcp_greeters_free(true);
    if (tcp.listener >= 0)
        close(tcp.listener);
    if (tcp.epoll >= 0)
        close(tcp.epoll);
    net_tcp_stage_end();
    net_tcp_memory_end();
    free(tcp.peer);
    free(tcp.address);
    memset(&tcp, 0, sizeof tcp);
    tcp.epoll = tcp.listener = -1;
}

static bool tcp_address(void *to, size_t n)
{
    if (n < sizeof tcp.own.v6)
        return false;
    memcpy(to, &tcp.own, sizeof tcp.own.v6);
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
    net_tcp_flush_blocked();
}

const struct net_fabric net_tcp = {
    .open = tcp_open,
    .ready = tcp_ready,
    .close = tcp_close,
    .kind = tcp_kind,
    .card = tcp_card,
    .meet = tcp_meet,
    .met = tcp_met,
    .address = tcp_address,
    .enroll = net_tcp_enroll,
    .release = net_tcp_release,
    .busy = net_tcp_busy,
    .send = net_tcp_send,
    .write = net_tcp_write,
    .read = net_tcp_read,
    .progress = net_tcp_progress,
    .flush = tcp_flush,
    .may_sleep = net_tcp_may_sleep,
    .error = tcp_error,
};
