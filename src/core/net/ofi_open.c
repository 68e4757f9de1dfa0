/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opening and closing libfabric's objects, and what peers must know of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/net/ofi.h"

struct net_ofi_state ofi;

struct card {
    uint64_t native; /* enum net_ofi_native */
    uint64_t push_most;
    uint64_t address_n;
    unsigned char address[256];
};

static int failed(const char *what, int rc)
{
    core_error("%s of libfabric's provider %s on %s: %s", what, ofi.info->fabric_attr->prov_name, ofi.info->domain_attr->name,
               net_ofi_lib.strerror(-rc));
    return rc;
}

static int open_queues(int *fd)
{
    struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_MSG, .wait_obj = FI_WAIT_FD};
    struct fi_av_attr av = {.type = ofi.info->domain_attr->av_type, .count = (size_t)mpt_fast.npes};
    if (av.type == FI_AV_UNSPEC)
        av.type = FI_AV_TABLE;
    int rc = fi_cq_open(ofi.domain, &cq, &ofi.cq, NULL);
    if (rc == 0 && fi_control(&ofi.cq->fid, FI_GETWAIT, fd) != 0)
        *fd = -1;
    if (rc != 0) { /* a provider without descriptors: waits take naps */
        cq.wait_obj = FI_WAIT_NONE;
        *fd = -1;
        rc = fi_cq_open(ofi.domain, &cq, &ofi.cq, NULL);
    }
    if (rc != 0)
        return failed("the completion queue", rc);
    rc = fi_av_open(ofi.domain, &av, &ofi.av, NULL);
    return rc ? failed("the address vector", rc) : 0;
}

static int open_endpoint(void)
{
    int rc = fi_endpoint(ofi.domain, ofi.info, &ofi.ep, NULL);
    if (rc == 0)
        rc = fi_ep_bind(ofi.ep, &ofi.av->fid, 0);
    if (rc == 0)
        rc = fi_ep_bind(ofi.ep, &ofi.cq->fid, FI_TRANSMIT | FI_RECV);
    if (rc == 0)
        rc = fi_enable(ofi.ep);
    return rc ? failed("the endpoint", rc) : 0;
}

/* What the provider promises decides how things are done. */
static void read_promises(int fd)
{
    const struct fi_info *i = ofi.info;
    const uint64_t order = FI_ORDER_SAW | FI_ORDER_WAW;
    size_t put_message = i->domain_attr->data_progress == FI_PROGRESS_MANUAL ? NET_PUT_MESSAGE : 0;
    ofi.own_keys = !(i->domain_attr->mr_mode & FI_MR_PROV_KEY);
    ofi.inject_max = i->tx_attr->inject_size;
    net.promise = (struct net_promise){
        .virtual_addr = i->domain_attr->mr_mode & FI_MR_VIRT_ADDR,
        .ordered = (i->tx_attr->msg_order & order) == order && i->ep_attr->max_order_waw_size == i->ep_attr->max_msg_size,
        .seals_keyed = put_message > 0 || net_ofi_provider_has(i->fabric_attr->prov_name, "tcp"),
        .key_bytes = (unsigned)i->domain_attr->mr_key_size,
        .put_message = put_message,
        .push_most = net_ofi_push_most(),
        .rma_max = i->ep_attr->max_msg_size,
        .fd = fd,
    };
}

static int open_all(bool one_host)
{
    int rc = net_ofi_load(false), fd = -1;
    if (rc != 0 || (rc = net_ofi_choose(one_host, &ofi.info)) != 0 || (rc = net_ofi_native_choose(one_host)) != 0)
        return rc;
    if ((rc = net_ofi_lib.fabric(ofi.info->fabric_attr, &ofi.fabric, NULL)) != 0)
        return failed("the fabric", rc);
    if ((rc = fi_domain(ofi.fabric, ofi.info, &ofi.domain, NULL)) != 0)
        return failed("the domain", rc);
    if ((rc = open_queues(&fd)) != 0 || (rc = open_endpoint()) != 0 || (rc = net_ofi_native_check()) != 0)
        return rc;
    read_promises(fd);
    ofi.at = ofi.n = 0;
    return 0;
}

static int ofi_open(bool one_host)
{
    core_atomics_native = true; /* until a PE says no */
    net_ofi_signals_keep();
    net_ofi_limit_raise();
    int rc = open_all(one_host);
    net_ofi_limit_known();
    net_ofi_signals_restore();
    if (rc == 0)
        core_debug("network: libfabric's %s on %s", ofi.info->fabric_attr->prov_name, ofi.info->domain_attr->name);
    return rc;
}

static int ofi_card(void *to, size_t *n)
{
    struct card c = {.native = ofi.native, .push_most = net.promise.push_most};
    size_t address_n = sizeof c.address;
    int rc = fi_getname(&ofi.ep->fid, c.address, &address_n);
    if (rc != 0)
        return failed("the address", rc);
    c.address_n = address_n;
    memcpy(to, &c, sizeof c);
    *n = sizeof c;
    return 0;
}

static void close_fid(struct fid **fid)
{
    if (*fid)
        fi_close(*fid);
    *fid = NULL;
}

static void ofi_close(void)
{
    close_fid((struct fid **)&ofi.ep);
    close_fid((struct fid **)&ofi.cq);
    close_fid((struct fid **)&ofi.av);
    close_fid((struct fid **)&ofi.domain);
    close_fid((struct fid **)&ofi.fabric);
    if (ofi.info)
        net_ofi_lib.freeinfo(ofi.info);
    ofi.info = NULL;
    free(ofi.peer);
    ofi.peer = NULL;
}

static bool ofi_address(void *to, size_t n)
{
    uint32_t format = ofi.info->addr_format;
    return (format == FI_SOCKADDR || format == FI_SOCKADDR_IN || format == FI_SOCKADDR_IN6) &&
           fi_getname(&ofi.ep->fid, to, &n) == 0;
}

static int ofi_meet(int pe, const void *card, size_t n)
{
    const struct card *c = card;
    if (n != sizeof *c || c->push_most != net.promise.push_most) { /* ofi_rxm would refuse the connection */
        core_error("PE %d on host %s sends messages of up to %llu bytes, PE %d on host %s of %zu: only one of the hosts has adapters for "
                   "verbs, or FI_OFI_RXM_EAGER_LIMIT set; set MPT_OFI_PROVIDER=tcp, or that variable, on all hosts", pe, core_host(pe),
                   (unsigned long long)c->push_most, core_me(), core_host(core_me()), net.promise.push_most);
        return -EPROTO;
    }
    if (!ofi.peer && !(ofi.peer = calloc((size_t)mpt_fast.npes, sizeof *ofi.peer))) {
        core_error("no memory for the network addresses of %d PEs", mpt_fast.npes);
        return -ENOMEM;
    }
    if (fi_av_insert(ofi.av, c->address, 1, &ofi.peer[pe], 0, NULL) != 1) {
        core_error("PE %d on host %s has a network address that provider %s on %s does not understand", pe, core_host(pe),
                   ofi.info->fabric_attr->prov_name, ofi.info->domain_attr->name);
        return -EADDRNOTAVAIL;
    }
    return net_ofi_native_meet(pe, (enum net_ofi_native)c->native);
}

static bool ofi_met(void)
{
    return core_atomics_native;
}

static const char *ofi_kind(void)
{
    return ofi.info->fabric_attr->prov_name;
}

static const char *ofi_error(int error)
{
    return net_ofi_lib.strerror(error);
}

const struct net_fabric net_ofi = {
    .open = ofi_open,
    .ready = net_ofi_post_receives,
    .close = ofi_close,
    .kind = ofi_kind,
    .card = ofi_card,
    .meet = ofi_meet,
    .met = ofi_met,
    .address = ofi_address,
    .enroll = net_ofi_enroll,
    .release = net_ofi_release,
    .send = net_ofi_send,
    .write = net_ofi_write,
    .read = net_ofi_read,
    .atomic = net_ofi_atomic,
    .progress = net_ofi_progress,
    .may_sleep = net_ofi_may_sleep,
    .error = ofi_error,
};
