/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which provider and interface. libfabric lists what fits the hints, best first;
 * this file drops what is known not to serve, obeys MPT_OFI_PROVIDER and
 * MPT_IFACE, and prefers addresses that other hosts can reach (or, when all
 * PEs are on one host, the loopback).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/net/ofi.h"

#define OFI_API FI_VERSION(1, 11)

/* Only on demand: MPT_OFI_PROVIDER names them. */
static const struct {
    const char *part, *why;
} skipped[] = {
    {"shm", "reaches one host only, which needs no network"},
    {"sm2", "reaches one host only, which needs no network"},
    {"udp", "slow"},
    {"ofi_rxd", "reliability by software over datagrams"},
    {"sockets", "deprecated"},
    {"net", "experimental"},
    {"ofi_hook", "debugging"},
    {"ofi_mrail", "needs settings of its own"},
    {"psm", "no longer served"},
    {"usnic", "no RMA"},
};

static bool named(const char *wanted, const char *name)
{
    size_t n = strlen(wanted);
    return strncmp(wanted, name, n) == 0 && (name[n] == 0 || name[n] == ';');
}

bool core_ofi_provider_has(const char *provider, const char *part)
{
    const char *at = strstr(provider, part);
    return at && (at == provider || at[-1] == ';');
}

static const char *reason_to_skip(const char *provider)
{
    for (unsigned i = 0; i < sizeof skipped / sizeof *skipped; i++)
        if (core_ofi_provider_has(provider, skipped[i].part))
            return skipped[i].why;
    return NULL;
}

static bool wanted(const struct fi_info *info)
{
    const char *provider = core_params.ofi_provider, *iface = core_params.iface;
    if (*provider ? !named(provider, info->fabric_attr->prov_name)
                  : reason_to_skip(info->fabric_attr->prov_name) != NULL)
        return false;
    return !*iface || strcmp(iface, info->domain_attr->name) == 0;
}

static unsigned penalty(const struct fi_info *info, bool one_host)
{
    bool sockets = info->addr_format == FI_SOCKADDR_IN || info->addr_format == FI_SOCKADDR_IN6;
    return core_net_penalty(info->domain_attr->name, sockets ? info->src_addr : NULL, one_host);
}

static struct fi_info *hints(void)
{
    struct fi_info *h = core_ofi_lib.dupinfo(NULL);
    if (!h)
        return NULL;
    h->caps = FI_MSG | FI_RMA;
    h->mode = FI_CONTEXT | FI_CONTEXT2;
    h->ep_attr->type = FI_EP_RDM;
    h->tx_attr->msg_order = h->rx_attr->msg_order = FI_ORDER_SAS;
    h->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
    h->domain_attr->threading = FI_THREAD_DOMAIN; /* core_state.net.lock */
    h->domain_attr->resource_mgmt = FI_RM_ENABLED;
    return h;
}

/* Each provider with each interface once. */
static void list(const struct fi_info *all, char *text, size_t n)
{
    size_t at = 0;
    char entry[128];
    *text = 0;
    for (const struct fi_info *i = all; i; i = i->next) {
        snprintf(entry, sizeof entry, "%s on %s", i->fabric_attr->prov_name, i->domain_attr->name);
        if (!strstr(text, entry) && at + strlen(entry) + 3 < n)
            at += (size_t)snprintf(text + at, n - at, "%s%s", at ? ", " : "", entry);
    }
}

static int none(const struct fi_info *all, int rc)
{
    const char *provider = core_params.ofi_provider, *iface = core_params.iface;
    const char *filter = core_param_foreign("FI_PROVIDER");
    char offered[512];
    list(all, offered, sizeof offered);
    core_error("no network%s%s%s%s%s%s: of providers with FI_EP_RDM, FI_MSG, FI_RMA and ordered messages libfabric "
               "%u.%u offers %s%s%s; "
               "see MPT_OFI_PROVIDER, MPT_IFACE, fi_info -t FI_EP_RDM -c 'FI_MSG|FI_RMA', FI_LOG_LEVEL=warn",
               *provider ? ", MPT_OFI_PROVIDER=" : "", provider, *iface ? ", MPT_IFACE=" : "", iface,
               filter ? ", FI_PROVIDER=" : "", filter ? filter : "", FI_MAJOR(core_ofi_lib.version()),
               FI_MINOR(core_ofi_lib.version()), *offered ? offered : "none", rc ? ": " : "",
               rc ? core_ofi_lib.strerror(-rc) : "");
    return -ENODEV;
}

/* The best of what libfabric offers, in *all. */
static const struct fi_info *look(bool one_host, struct fi_info **all, int *rc)
{
    struct fi_info *h = hints(), *best = NULL;
    *all = NULL;
    *rc = h ? core_ofi_lib.getinfo(OFI_API, NULL, NULL, 0, h, all) : -FI_ENOMEM;
    if (h)
        core_ofi_lib.freeinfo(h);
    for (struct fi_info *i = *all; i; i = i->next) {
        if (!wanted(i) || (best && strcmp(i->fabric_attr->prov_name, best->fabric_attr->prov_name) != 0))
            continue;
        if (!best || penalty(i, one_host) < penalty(best, one_host))
            best = i;
    }
    return best;
}

int core_ofi_choose(bool one_host, struct fi_info **info)
{
    struct fi_info *all;
    int rc;
    const struct fi_info *best = look(one_host, &all, &rc);
    if (!best)
        rc = none(all, rc);
    else if (!(*info = core_ofi_lib.dupinfo(best))) {
        core_error("no memory for libfabric's description of a network");
        rc = -ENOMEM;
    }
    if (all)
        core_ofi_lib.freeinfo(all);
    return rc;
}

bool core_ofi_beyond_sockets(bool one_host)
{
    struct fi_info *all;
    int rc;
    if (core_ofi_load(true) != 0)
        return false;
    const struct fi_info *best = look(one_host, &all, &rc);
    bool is = best && !core_ofi_provider_has(best->fabric_attr->prov_name, "tcp");
    if (all)
        core_ofi_lib.freeinfo(all);
    return is;
}

/* Of the same provider and interface: asked for all it has, a provider may be slower. */
int core_ofi_choose_atomics(bool one_host, struct fi_info **info)
{
    struct fi_info *h = hints(), *all = NULL, *best = NULL;
    if (!h)
        return -ENODATA;
    h->caps |= FI_ATOMIC;
    h->fabric_attr->prov_name = strdup((*info)->fabric_attr->prov_name);
    h->domain_attr->name = strdup((*info)->domain_attr->name);
    int rc = h->fabric_attr->prov_name && h->domain_attr->name /* else no memory, and other interfaces would do */
                 ? core_ofi_lib.getinfo(OFI_API, NULL, NULL, 0, h, &all)
                 : -FI_ENOMEM;
    core_ofi_lib.freeinfo(h);
    for (struct fi_info *i = rc == 0 ? all : NULL; i; i = i->next)
        if (wanted(i) && i->caps & FI_ATOMIC && i->addr_format == (*info)->addr_format &&
            (!best || penalty(i, one_host) < penalty(best, one_host)))
            best = i;
    struct fi_info *own = best ? core_ofi_lib.dupinfo(best) : NULL;
    if (own) {
        core_ofi_lib.freeinfo(*info);
        *info = own;
    }
    if (rc == 0)
        core_ofi_lib.freeinfo(all);
    return own ? 0 : -ENODATA;
}
