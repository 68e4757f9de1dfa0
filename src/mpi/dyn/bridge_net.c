/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sockets under bridges. On one machine: a Unix socket in the abstract
 * namespace, which leaves nothing behind, however a process ends. Its name is a
 * number that only its job can compute and tell, so nobody else can take it first;
 * both ends look whose the other is. To other machines TCP, when MPT_PORT_IFACE
 * asks for it.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "mpi/dyn/bridge.h"

enum { BACKLOG = 1024 };

union name {
    struct sockaddr any;
    struct sockaddr_un un;
    struct sockaddr_in in;
};

static socklen_t unix_name(union name *a, const struct mpii_dyn_address *of)
{
    int n;

    memset(a, 0, sizeof *a);
    a->un.sun_family = AF_UNIX;
    n = snprintf(a->un.sun_path + 1, sizeof a->un.sun_path - 1, "mpt/%016llx", (unsigned long long)of->call);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

static int unix_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static int tcp_socket(void)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd >= 0)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    return fd;
}

static int failed(int fd, const char *what)
{
    int err = errno;

    core_error("this process cannot listen for other jobs (%s): %s", what, strerror(err));
    if (fd >= 0)
        close(fd);
    return -err;
}

int mpii_bridge_listen_unix(const struct mpii_dyn_address *own)
{
    union name name;
    socklen_t n = unix_name(&name, own);
    int fd = unix_socket();

    if (fd < 0 || bind(fd, &name.any, n) != 0 || listen(fd, BACKLOG) != 0)
        return failed(fd, "a Unix socket");
    return fd;
}

/* An IPv4 address, or an interface that has one. */
static bool find_interface(const char *text, struct in_addr *address)
{
    struct ifaddrs *all, *i;
    bool found = inet_pton(AF_INET, text, address) == 1;

    if (found || getifaddrs(&all) != 0)
        return found;
    for (i = all; i && !found; i = i->ifa_next)
        if (i->ifa_addr && i->ifa_addr->sa_family == AF_INET && strcmp(i->ifa_name, text) == 0) {
            *address = ((const struct sockaddr_in *)(const void *)i->ifa_addr)->sin_addr;
            found = true;
        }
    freeifaddrs(all);
    return found;
}

int mpii_bridge_listen_tcp(struct mpii_dyn_address *own)
{
    union name name = {.in = {.sin_family = AF_INET}};
    socklen_t n = sizeof name.in;
    int fd;

    if (*core_params.port_iface == '\0')
        return -ENOENT;
    if (!find_interface(core_params.port_iface, &name.in.sin_addr)) {
        core_error("MPT_PORT_IFACE=%s: expected an IPv4 address of this host, or a network interface that has one",
                   core_params.port_iface);
        return -ENODEV;
    }
    fd = tcp_socket();
    if (fd < 0 || bind(fd, &name.any, n) != 0 || listen(fd, BACKLOG) != 0 || getsockname(fd, &name.any, &n) != 0)
        return failed(fd, core_params.port_iface);
    own->ip = name.in.sin_addr.s_addr;
    own->port = name.in.sin_port;
    return fd;
}

int mpii_bridge_connect(const struct mpii_dyn_address *to, int *err)
{
    union name name;
    socklen_t n = sizeof name.in;
    bool near = to->host == mpii_dyn_own()->host || !to->ip;
    int fd = near ? unix_socket() : tcp_socket();

    if (near)
        n = unix_name(&name, to);
    else
        name.in = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = to->port, .sin_addr.s_addr = to->ip};
    *err = 0;
    if (fd >= 0 && connect(fd, &name.any, n) == 0)
        return fd;
    *err = errno;
    if (fd >= 0 && errno == EINPROGRESS)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

bool mpii_bridge_is_ours(int fd)
{
    struct ucred who;
    socklen_t n = sizeof who;
    int domain = AF_INET;

    getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &(socklen_t){sizeof domain});
    return domain != AF_UNIX || (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0 && who.uid == geteuid());
}
