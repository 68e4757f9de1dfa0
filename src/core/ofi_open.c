/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opening and closing the endpoint, and this PE's business card: the provider's
 * name, its address, where its symmetric memory can be reached, and what messages
 * to it are sealed with. Only PEs of the job get to see it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/ofi.h"

struct ofi_state ofi = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

struct card {
    char provider[40];
    uint64_t native; /* enum ofi_native */
    uint64_t push_most;
    struct core_siphash_key seal_key;
    uint64_t seal_keyed;
    uint64_t key[OFI_REGIONS], base[OFI_REGIONS];
    uint64_t address_n;
    unsigned char address[256];
};
_Static_assert(sizeof(struct card) <= CORE_CARD_NET, "the transport's card fits");

static int failed(const char *what, int rc)
{
    core_error("%s of libfabric's provider %s on %s: %s", what, ofi.info->fabric_attr->prov_name, ofi.info->domain_attr->name,
               ofi_lib.strerror(-rc));
    return rc;
}

static int open_queues(void)
{
    struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_MSG, .wait_obj = FI_WAIT_FD};
    struct fi_av_attr av = {.type = ofi.info->domain_attr->av_type, .count = (size_t)mpt_fast.npes};
    if (av.type == FI_AV_UNSPEC)
        av.type = FI_AV_TABLE;
    int rc = fi_cq_open(ofi.domain, &cq, &ofi.cq, NULL);
    if (rc == 0 && fi_control(&ofi.cq->fid, FI_GETWAIT, &ofi.fd) != 0)
        ofi.fd = -1;
    if (rc != 0) { /* a provider without descriptors: waits take naps */
        cq.wait_obj = FI_WAIT_NONE;
        ofi.fd = -1;
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
static void read_promises(void)
{
    const struct fi_info *i = ofi.info;
    const uint64_t order = FI_ORDER_SAW | FI_ORDER_WAW;
    ofi.virtual_addr = i->domain_attr->mr_mode & FI_MR_VIRT_ADDR;
    ofi.own_keys = !(i->domain_attr->mr_mode & FI_MR_PROV_KEY);
    ofi.next_key = 0;
    ofi.dropped = 0;
    ofi.ordered = (i->tx_attr->msg_order & order) == order && i->ep_attr->max_order_waw_size == i->ep_attr->max_msg_size;
    ofi.inject_max = i->tx_attr->inject_size;
    ofi.rma_max = i->ep_attr->max_msg_size;
    ofi.put_message = i->domain_attr->data_progress == FI_PROGRESS_MANUAL ? OFI_PUT_MESSAGE : 0;
    ofi.seal_keyed = ofi.put_message > 0 || ofi_provider_has(i->fabric_attr->prov_name, "tcp");
    ofi.deferred = NULL;
    ofi.deferred_end = &ofi.deferred;
    ofi.at = ofi.n = 0;
    ofi.begun = ofi.done = 0;
}

static int open_all(void)
{
    bool one_host = core_seg.header->npes == (unsigned)mpt_fast.npes;
    int rc = ofi_load();
    if (rc != 0 || (rc = ofi_choose(one_host, &ofi.info)) != 0 || (rc = ofi_native_choose(one_host)) != 0)
        return rc;
    if ((rc = ofi_lib.fabric(ofi.info->fabric_attr, &ofi.fabric, NULL)) != 0)
        return failed("the fabric", rc);
    if ((rc = fi_domain(ofi.fabric, ofi.info, &ofi.domain, NULL)) != 0)
        return failed("the domain", rc);
    if ((rc = open_queues()) != 0 || (rc = open_endpoint()) != 0 || (rc = ofi_native_check()) != 0)
        return rc;
    read_promises();
    if ((rc = ofi_secrets_make()) != 0 || (rc = ofi_register_regions()) != 0)
        return rc;
    return ofi_post_receives();
}

static int fill_card(struct card *c)
{
    size_t n = sizeof c->address;
    memset(c, 0, sizeof *c);
    c->native = ofi.native;
    c->push_most = ofi_push_most();
    c->seal_key = ofi.seal_key;
    c->seal_keyed = ofi.seal_keyed;
    strncpy(c->provider, ofi.info->fabric_attr->prov_name, sizeof c->provider - 1);
    int rc = fi_getname(&ofi.ep->fid, c->address, &n);
    if (rc != 0)
        return failed("the address", rc);
    c->address_n = n;
    for (int i = 0; i < OFI_REGIONS; i++) {
        c->key[i] = ofi.region[i].mr ? fi_mr_key(ofi.region[i].mr) : 0;
        c->base[i] = (uintptr_t)ofi.region[i].base;
    }
    return 0;
}

static void close_fid(struct fid **fid)
{
    if (*fid)
        fi_close(*fid);
    *fid = NULL;
}

/* After a barrier that all flows were idle before: nobody sends any more, and what
 * peers sent has been handled. */
static void close_all(void)
{
    ofi_pump_stop();
    if (ofi.dropped > 0)
        core_debug("network: %llu things dropped that were not of this job", (unsigned long long)ofi.dropped);
    core_atomics_native = core_net_silent = false;
    if (ofi.ep)
        close_fid((struct fid **)&ofi.ep);
    ofi_release_regions();
    close_fid((struct fid **)&ofi.cq);
    close_fid((struct fid **)&ofi.av);
    close_fid((struct fid **)&ofi.domain);
    close_fid((struct fid **)&ofi.fabric);
    if (ofi.info)
        ofi_lib.freeinfo(ofi.info);
    ofi.info = NULL;
    ofi.fd = -1;
    ofi_flows_release();
    ofi_ops_release();
    free(ofi.peer);
    ofi.peer = NULL;
}

static int ofi_open(void *card, size_t *n)
{
    ofi_signals_keep();
    ofi_push_limit_raise();
    int rc = *n < sizeof(struct card) ? -EOVERFLOW : open_all();
    ofi_push_limit_known();
    ofi_signals_restore();
    if (rc == 0)
        rc = fill_card(card);
    if (rc != 0) {
        close_all();
        return rc;
    }
    *n = sizeof(struct card);
    core_debug("network: %s on %s, %s, puts up to %zu bytes by message", ofi.info->fabric_attr->prov_name,
               ofi.info->domain_attr->name, ofi.fd >= 0 ? "sleeps on a descriptor" : "sleeps in naps", ofi.put_message);
    return 0;
}

static bool ofi_address(void *to, size_t n)
{
    uint32_t format = ofi.info->addr_format;
    return (format == FI_SOCKADDR || format == FI_SOCKADDR_IN || format == FI_SOCKADDR_IN6) &&
           fi_getname(&ofi.ep->fid, to, &n) == 0;
}

static int meet(int pe)
{
    size_t n;
    const struct card *c = core_card_net(pe, &n);
    struct ofi_peer *p = &ofi.peer[pe];
    if (n != sizeof *c || strncmp(c->provider, ofi.info->fabric_attr->prov_name, sizeof c->provider - 1) != 0) {
        core_error("PE %d on host %s uses the network %.39s, PE %d on host %s uses %s; set MPT_OFI_PROVIDER on all hosts", pe,
                   core_host(pe), n == sizeof *c ? c->provider : "of another build", core_me(), core_host(core_me()),
                   ofi.info->fabric_attr->prov_name);
        return -EPROTO;
    }
    if (c->push_most != ofi_push_most()) { /* ofi_rxm would refuse the connection */
        core_error("PE %d on host %s sends messages of up to %llu bytes, PE %d on host %s of %zu: only one of the hosts has adapters for "
                   "verbs, or FI_OFI_RXM_EAGER_LIMIT set; set MPT_OFI_PROVIDER=tcp, or that variable, on all hosts", pe, core_host(pe),
                   (unsigned long long)c->push_most, core_me(), core_host(core_me()), ofi_push_most());
        return -EPROTO;
    }
    if (fi_av_insert(ofi.av, c->address, 1, &p->addr, 0, NULL) != 1) {
        core_error("PE %d on host %s has a network address that provider %s on %s does not understand", pe, core_host(pe),
                   ofi.info->fabric_attr->prov_name, ofi.info->domain_attr->name);
        return -EADDRNOTAVAIL;
    }
    memcpy(p->key, c->key, sizeof p->key);
    memcpy(p->base, c->base, sizeof p->base);
    p->seal_key = c->seal_key;
    p->seal_keyed = c->seal_keyed;
    return ofi_native_meet(pe, (enum ofi_native)c->native);
}

static int ofi_connect(void)
{
    ofi.peer = calloc((size_t)mpt_fast.npes, sizeof *ofi.peer);
    if (!ofi.peer) {
        core_error("no memory for the network addresses of %d PEs", mpt_fast.npes);
        return -ENOMEM;
    }
    core_atomics_native = true; /* until a PE says no */
    for (int pe = 0; pe < mpt_fast.npes; pe++) {
        int rc = meet(pe);
        if (rc != 0)
            return rc;
    }
    core_net_silent = core_atomics_native || ofi.put_message == 0;
    core_debug("network: atomics by %s", core_atomics_native ? "the adapters" : "the target's processor");
    core_progress_due = true;
    int rc = core_poll_start();
    return rc ? rc : ofi_pump_start();
}

_Static_assert(CORE_SEND_FAR_MAX + sizeof(struct ofi_head) + 8 <= OFI_MSG_USUAL, "a channel message fits");
const struct core_transport core_ofi = {
    .name = "libfabric",
    .send_most = CORE_SEND_FAR_MAX,
    .open = ofi_open,
    .connect = ofi_connect,
    .close = close_all,
    .address = ofi_address,
    .put = ofi_put,
    .put_nbi = ofi_put_nbi,
    .get_nbi = ofi_get_nbi,
    .put_strided = ofi_put_strided,
    .get_strided = ofi_get_strided,
    .amo_nbi = ofi_amo_nbi,
    .atomic_nbi = ofi_atomic_nbi,
    .put_signal = ofi_put_signal,
    .fence = ofi_fence,
    .idle = ofi_idle,
    .finish = ofi_finish,
    .all_idle = ofi_all_idle,
    .send = ofi_channel_send,
    .push = ofi_push,
    .push_most = ofi_push_most,
    .land = ofi_land,
    .grant = ofi_grant,
    .pin = ofi_pin,
    .unpin = ofi_unpin,
    .fetch = ofi_fetch,
    .progress = ofi_progress,
    .wait_fd = ofi_wait_fd,
    .may_sleep = ofi_may_sleep,
};
