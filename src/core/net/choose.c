/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which fabric, and which address. Networks of TCP are reached by sockets of our own,
 * others by libfabric: on a host without an adapter it is not even loaded, unless a
 * variable asks for it.
 */
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "core/net/fabric.h"

static bool any_in(const char *folder)
{
    DIR *d = opendir(folder);
    const struct dirent *e;
    bool any = false;
    while (d && !any && (e = readdir(d)))
        any = e->d_name[0] != '.';
    if (d)
        closedir(d);
    return any;
}

/* Adapters that libfabric has providers for: verbs and EFA, Slingshot, Omni-Path. */
static bool has_adapters(void)
{
    static const char *const classes[] = {"/sys/class/infiniband", "/sys/class/cxi", "/sys/class/hfi1"};
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
        if (any_in(classes[i]))
            return true;
    return false;
}

/* The variable that does, NULL: none. */
static const char *asked_for_ofi(void)
{
    if (core_params.transport == CORE_TRANSPORT_OFI)
        return "MPT_TRANSPORT=ofi";
    if (*core_params.ofi_provider)
        return "MPT_OFI_PROVIDER";
    return core_params.ofi_atomics == CORE_ATOMICS_NATIVE ? "MPT_OFI_ATOMICS" : NULL;
}

int core_net_choose(bool one_host)
{
    const char *why = asked_for_ofi();
    bool tcp = core_params.transport == CORE_TRANSPORT_TCP;
    core_state.net.fabric = NULL;
    if (tcp && why) {
        core_error("MPT_TRANSPORT=tcp, but %s asks for libfabric", why);
        return -EINVAL;
    }
    if (why && !core_ofi_fabric.open) {
        core_error("%s asks for libfabric, but the library was built without its headers (apt-get install "
                   "libfabric-dev, then build again)",
                   why);
        return -ENOTSUP;
    }
    core_state.net.fabric =
        why || (!tcp && has_adapters() && core_ofi_beyond_sockets(one_host)) ? &core_ofi_fabric : &core_tcp_fabric;
    return 0;
}

/* -------------------------------------------------------------- addresses -- */

/* Interfaces that exist on every host with the same, useless, address. */
static const char *const inner_nets[] = {"docker", "virbr", "br-", "cni", "flannel", "podman", "lxc"};

static bool loopback(const struct sockaddr *a)
{
    const struct sockaddr_in *v4 = (const void *)a;
    const struct sockaddr_in6 *v6 = (const void *)a;
    if (a && a->sa_family == AF_INET)
        return ntohl(v4->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    return a && a->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

unsigned core_net_penalty(const char *iface, const struct sockaddr *a, bool one_host)
{
    const struct sockaddr_in6 *v6 = (const void *)a;
    unsigned bad = loopback(a) != one_host ? 8 : 0;
    for (unsigned i = 0; i < sizeof inner_nets / sizeof *inner_nets; i++)
        if (strncmp(iface, inner_nets[i], strlen(inner_nets[i])) == 0)
            bad += 4;
    if (a && a->sa_family == AF_INET6)
        bad += IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr) ? 2 : 1;
    return bad;
}
