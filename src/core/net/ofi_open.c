/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opening and closing libfabric's objects, and what peers must know of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/net/ofi.h"

struct core_ofi_state core_ofi;

struct card {
    uint64_t native; /* enum core_ofi_native */
    uint64_t push_most;
    uint64_t address_n;
    unsigned char address[256];
};

static int failed(const char *what, int rc)
{
    core_error("%s of libfabric's provider %s on %s: %s", what, core_ofi.info->fabric_attr->prov_name,
               core_ofi.info->domain_attr->name, core_ofi_lib.strerror(-rc));
    return rc;
}

static int open_queues(int *fd)
{
    struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_MSG, .wait_obj = FI_WAIT_FD};
    struct fi_av_attr av = {.type = core_ofi.info->domain_attr->av_type, .count = (size_t)mpt_fast.npes};
    if (av.type == FI_AV_UNSPEC)
        av.type = FI_AV_TABLE;
    int rc = fi_cq_open(core_ofi.domain, &cq, &core_ofi.cq, NULL);
    if (rc == 0 && fi_control(&core_ofi.cq->fid, FI_GETWAIT, fd) != 0)
        *fd = -1;
    if (rc != 0) { /* a provider without descriptors: waits take naps */
        cq.wait_obj = FI_WAIT_NONE;
        *fd = -1;
        rc = fi_cq_open(core_ofi.domain, &cq, &core_ofi.cq, NULL);
    }
    if (rc != 0)
        return failed("the completion queue", rc);
    rc = fi_av_open(core_ofi.domain, &av, &core_ofi.av, NULL);
    return rc ? failed("the address vector", rc) : 0;
}

static int open_endpoint(void)
{
    int rc = fi_endpoint(core_ofi.domain, core_ofi.info, &core_ofi.ep, NULL);
    if (rc == 0)
        rc = fi_ep_bind(core_ofi.ep, &core_ofi.av->fid, 0);
    if (rc == 0)
        rc = fi_ep_bind(core_ofi.ep, &core_ofi.cq->fid, FI_TRANSMIT | FI_RECV);
    if (rc == 0)
        rc = fi_enable(core_ofi.ep);
    return rc ? failed("the endpoint", rc) : 0;
}

/* What the provider promises decides how things are done. */
static void read_promises(int fd)
{
    const struct fi_info *i = core_ofi.info;
    const uint64_t order = FI_ORDER_SAW | FI_ORDER_WAW;
    size_t put_message = i->domain_attr->data_progress == FI_PROGRESS_MANUAL ? NET_PUT_MESSAGE : 0;
    core_ofi.own_keys = !(i->domain_attr->mr_mode & FI_MR_PROV_KEY);
    core_ofi.inject_max = i->tx_attr->inject_size;
    core_state.net.promise = (struct core_net_promise){
        .virtual_addr = i->domain_attr->mr_mode & FI_MR_VIRT_ADDR,
        .ordered =
            (i->tx_attr->msg_order & order) == order && i->ep_attr->max_order_waw_size == i->ep_attr->max_msg_size,
        .seals_keyed = put_message > 0 || core_ofi_provider_has(i->fabric_attr->prov_name, "tcp"),
        .key_bytes = (unsigned)i->domain_attr->mr_key_size,
        .put_message = put_message,
        .push_most = core_ofi_push_most(),
        .rma_max = i->ep_attr->max_msg_size,
        .fd = fd,
    };
}

static int open_all(bool one_host)
{
    int rc = core_ofi_load(false), fd = -1;
    if (rc != 0 || (rc = core_ofi_choose(one_host, &core_ofi.info)) != 0 ||
        (rc = core_ofi_native_choose(one_host)) != 0)
        return rc;
    if ((rc = core_ofi_lib.fabric(core_ofi.info->fabric_attr, &core_ofi.fabric, NULL)) != 0)
        return failed("the fabric", rc);
    if ((rc = fi_domain(core_ofi.fabric, core_ofi.info, &core_ofi.domain, NULL)) != 0)
        return failed("the domain", rc);
    if ((rc = open_queues(&fd)) != 0 || (rc = open_endpoint()) != 0 || (rc = core_ofi_native_check()) != 0)
        return rc;
    read_promises(fd);
    core_ofi.at = core_ofi.n = 0;
    return 0;
}

static int ofi_open(bool one_host)
{
    core_state.rma.atomics_native = true; /* until a PE says no */
    core_ofi_signals_keep();
    core_ofi_limit_raise();
    int rc = open_all(one_host);
    core_ofi_limit_known();
    core_ofi_signals_restore();
    if (rc == 0)
        core_debug("network: libfabric's %s on %s", core_ofi.info->fabric_attr->prov_name,
                   core_ofi.info->domain_attr->name);
    return rc;
}

static int ofi_card(void *to, size_t *n)
{
    struct card c = {.native = core_ofi.native, .push_most = core_state.net.promise.push_most};
    size_t address_n = sizeof c.address;
    int rc = fi_getname(&core_ofi.ep->fid, c.address, &address_n);
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
    close_fid((struct fid **)&core_ofi.ep);
    close_fid((struct fid **)&core_ofi.cq);
    close_fid((struct fid **)&core_ofi.av);
    close_fid((struct fid **)&core_ofi.domain);
    close_fid((struct fid **)&core_ofi.fabric);
    if (core_ofi.info)
        core_ofi_lib.freeinfo(core_ofi.info);
    core_ofi.info = NULL;
    free(core_ofi.peer);
    core_ofi.peer = NULL;
}

static bool ofi_address(void *to, size_t n)
{
    uint32_t format = core_ofi.info->addr_format;
    return (format == FI_SOCKADDR || format == FI_SOCKADDR_IN || format == FI_SOCKADDR_IN6) &&
           fi_getname(&core_ofi.ep->fid, to, &n) == 0;
}

static int ofi_meet(int pe, const void *card, size_t n)
{
    const struct card *c = card;
    if (n != sizeof *c || c->push_most != core_state.net.promise.push_most) { /* ofi_rxm would refuse the connection */
        core_error("PE %d on host %s sends messages of up to %llu bytes, PE %d on host %s of %zu: only one of the "
                   "hosts has adapters for "
                   "verbs, or FI_OFI_RXM_EAGER_LIMIT set; set MPT_OFI_PROVIDER=tcp, or that variable, on all hosts",
                   pe, core_host(pe), (unsigned long long)c->push_most, core_me(), core_host(core_me()),
                   core_state.net.promise.push_most);
        return -EPROTO;
    }
    if (!core_ofi.peer && !(core_ofi.peer = calloc((size_t)mpt_fast.npes, sizeof *core_ofi.peer))) {
        core_error("no memory for the network addresses of %d PEs", mpt_fast.npes);
        return -ENOMEM;
    }
    if (fi_av_insert(core_ofi.av, c->address, 1, &core_ofi.peer[pe], 0, NULL) != 1) {
        core_error("PE %d on host %s has a network address that provider %s on %s does not understand", pe,
                   core_host(pe), core_ofi.info->fabric_attr->prov_name, core_ofi.info->domain_attr->name);
        return -EADDRNOTAVAIL;
    }
    return core_ofi_native_meet(pe, (enum core_ofi_native)c->native);
}

static bool ofi_met(void)
{
    return core_state.rma.atomics_native;
}

static const char *ofi_kind(void)
{
    return core_ofi.info->fabric_attr->prov_name;
}

static const char *ofi_error(int error)
{
    return core_ofi_lib.strerror(error);
}

const struct core_net_fabric core_ofi_fabric = {
    .open = ofi_open,
    .ready = core_ofi_post_receives,
    .close = ofi_close,
    .kind = ofi_kind,
    .card = ofi_card,
    .meet = ofi_meet,
    .met = ofi_met,
    .address = ofi_address,
    .enroll = core_ofi_enroll,
    .release = core_ofi_release,
    .send = core_ofi_send,
    .write = core_ofi_write,
    .read = core_ofi_read,
    .atomic = core_ofi_atomic,
    .progress = core_ofi_progress,
    .may_sleep = core_ofi_may_sleep,
    .error = ofi_error,
};
