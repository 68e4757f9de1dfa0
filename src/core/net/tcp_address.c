/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which of this host's addresses peers are to use: that of MPT_IFACE, else the one
 * that other hosts can most likely reach, or the loopback when all PEs are here.
 */
#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "core/net/tcp.h"

static bool usable(const struct ifaddrs *i)
{
    return i->ifa_addr && i->ifa_flags & IFF_UP &&
           (i->ifa_addr->sa_family == AF_INET || i->ifa_addr->sa_family == AF_INET6);
}

static int none(const struct ifaddrs *all)
{
    char names[256] = "";
    size_t at = 0;
    for (const struct ifaddrs *i = all; i; i = i->ifa_next)
        if (usable(i) && !strstr(names, i->ifa_name) && at + strlen(i->ifa_name) + 3 < sizeof names)
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", i->ifa_name);
    core_error("no network%s%s: the interfaces of host %s that are up and have an address are %s; see MPT_IFACE",
               *core_params.iface ? ", MPT_IFACE=" : "", core_params.iface, core_host(-1), *names ? names : "none");
    return -ENODEV;
}

int core_tcp_choose(bool one_host, union core_tcp_address *a, char *iface, size_t n)
{
    struct ifaddrs *all;
    const struct ifaddrs *best = NULL;
    unsigned least = UINT_MAX;
    if (getifaddrs(&all) != 0) {
        int err = errno;
        core_error("cannot list the interfaces of host %s: %s", core_host(-1), strerror(err));
        return -err;
    }
    for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
        if (!usable(i) || (*core_params.iface && strcmp(core_params.iface, i->ifa_name) != 0))
            continue;
        unsigned bad = core_net_penalty(i->ifa_name, i->ifa_addr, one_host) + (i->ifa_flags & IFF_RUNNING ? 0 : 16);
        if (bad < least) {
            least = bad;
            best = i;
        }
    }
    int rc = best ? 0 : none(all);
    if (best) {
        memset(a, 0, sizeof *a);
        memcpy(a, best->ifa_addr, core_tcp_size_of((const union core_tcp_address *)best->ifa_addr));
        snprintf(iface, n, "%s", best->ifa_name);
    }
    freeifaddrs(all);
    return rc;
}
