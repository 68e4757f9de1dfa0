/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sockets of the lifeline: an address that other hosts can reach, and the
 * kernel's own watch over a silent connection, which also serves a PE that
 * computes for hours.
 */
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "core/base/siphash.h"
#include "core/internal.h"
#include "core/live/detector.h"
#include "core/rma/transport.h"

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static socklen_t size_of(const union address *a)
{
    return a->any.sa_family == AF_INET ? sizeof a->v4 : sizeof a->v6;
}

/* How well an interface's address serves; 0: not at all. */
static int merit(const struct ifaddrs *i, const union address *net)
{
    const union address *a = (const union address *)i->ifa_addr;
    if (!a || !(i->ifa_flags & IFF_UP) || (a->any.sa_family != AF_INET && a->any.sa_family != AF_INET6))
        return 0;
    if (a->any.sa_family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&a->v6.sin6_addr))
        return 0; /* means nothing without the interface */
    if (net->any.sa_family == AF_INET && a->any.sa_family == AF_INET &&
        a->v4.sin_addr.s_addr == net->v4.sin_addr.s_addr)
        return 9;
    if (net->any.sa_family == AF_INET6 && a->any.sa_family == AF_INET6 &&
        memcmp(&a->v6.sin6_addr, &net->v6.sin6_addr, sizeof a->v6.sin6_addr) == 0)
        return 9;
    int base = a->any.sa_family == AF_INET ? 2 : 1;
    if (i->ifa_flags & IFF_LOOPBACK)
        return base;
    return base + (i->ifa_flags & IFF_RUNNING ? 4 : 2);
}

/* The transport's own address where it is one of this host's, so that the
 * lifeline takes the way of the data; else a likely one. */
static int choose(union address *best)
{
    struct ifaddrs *list;
    union address net = {.any.sa_family = AF_UNSPEC};
    int top = 0;
    if (!core_state.rma.net->address || !core_state.rma.net->address(&net, sizeof net))
        net.any.sa_family = AF_UNSPEC;
    if (getifaddrs(&list) != 0)
        return -errno;
    for (struct ifaddrs *i = list; i; i = i->ifa_next) {
        int m = merit(i, &net);
        if (m <= top)
            continue;
        top = m;
        memcpy(best, i->ifa_addr, size_of((union address *)i->ifa_addr));
    }
    freeifaddrs(list);
    return top > 0 ? 0 : -EADDRNOTAVAIL;
}

int core_detector_listen(struct core_detector_card *card)
{
    union address a = {.any.sa_family = AF_UNSPEC};
    socklen_t n = sizeof a;
    int rc = choose(&a);
    if (rc != 0)
        return rc;
    int fd = socket(a.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -errno;
    a.v4.sin_port = 0; /* at the same offset in both */
    if (bind(fd, &a.any, size_of(&a)) != 0 || listen(fd, 16) != 0 || getsockname(fd, &a.any, &n) != 0) {
        rc = -errno;
        close(fd);
        return rc;
    }
    *card = (struct core_detector_card){.family = a.any.sa_family, .port = a.v4.sin_port};
    if (a.any.sa_family == AF_INET)
        memcpy(card->addr, &a.v4.sin_addr, sizeof a.v4.sin_addr);
    else
        memcpy(card->addr, &a.v6.sin6_addr, sizeof a.v6.sin6_addr);
    if ((rc = core_random(&card->key, sizeof card->key)) == 0)
        return fd;
    close(fd);
    return rc;
}

static int wait_connected(int fd, int timeout_ms)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    int error = 0, n;
    socklen_t size = sizeof error;
    do
        n = poll(&p, 1, timeout_ms);
    while (n < 0 && errno == EINTR);
    if (n == 0)
        return -ETIMEDOUT;
    if (n < 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        return -errno;
    return -error;
}

int core_detector_connect(const struct core_detector_card *card, int timeout_ms)
{
    union address a = {.any.sa_family = card->family};
    a.v4.sin_port = card->port;
    if (card->family == AF_INET)
        memcpy(&a.v4.sin_addr, card->addr, sizeof a.v4.sin_addr);
    else
        memcpy(&a.v6.sin6_addr, card->addr, sizeof a.v6.sin6_addr);
    int fd = socket(card->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), rc = 0;
    if (fd < 0)
        return -errno;
    if (connect(fd, &a.any, size_of(&a)) != 0)
        rc = errno == EINPROGRESS ? wait_connected(fd, timeout_ms) : -errno;
    if (rc == 0)
        return fd;
    close(fd);
    return rc;
}

static void set(int fd, int level, int name, int value)
{
    if (setsockopt(fd, level, name, &value, sizeof value) != 0)
        core_debug("a lifeline cannot be watched closely: option %d: %s", name, strerror(errno));
}

void core_detector_watch(int fd)
{
    int limit = (int)(core_params.timeout < 1u << 20 ? core_params.timeout : 1u << 20);
    int idle = limit / 3 > 0 ? limit / 3 : 1, every = limit / 6 > 0 ? limit / 6 : 1;
    set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    if (limit == 0)
        return;
    set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle);
    set(fd, IPPROTO_TCP, TCP_KEEPINTVL, every);
    set(fd, IPPROTO_TCP, TCP_KEEPCNT, (limit - idle) / every > 0 ? (limit - idle) / every : 1);
    set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, limit * 1000);
}
