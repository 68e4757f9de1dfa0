/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opening and closing the network, and this PE's business card: what kind of
 * network it uses, how to reach it there, where its symmetric memory lies, and
 * what messages to it are sealed with. Only PEs of the job get to see it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/net/fabric.h"

struct net_state net = {.lock = PTHREAD_MUTEX_INITIALIZER, .promise.fd = -1};

struct card {
    char kind[40];
    struct core_siphash_key seal_key;
    uint64_t seals_keyed;
    uint64_t key[NET_REGIONS], base[NET_REGIONS];
    uint64_t fabric_n;
    _Alignas(8) unsigned char fabric[320];
};
_Static_assert(sizeof(struct card) <= CORE_CARD_NET, "the transport's card fits");

/* After a barrier that all flows were idle before: nobody sends any more, and what
 * peers sent has been handled. */
static void close_all(void)
{
    net_pump_stop();
    if (net.dropped > 0)
        core_debug("network: %llu things dropped that were not of this job", (unsigned long long)net.dropped);
    core_atomics_native = core_net_silent = false;
    net_release_regions();
    net.fabric->close();
    net.promise = (struct net_promise){.fd = -1};
    net_flows_release();
    net_ops_release();
    free(net.peer);
    net.peer = NULL;
}

static int open_all(struct card *c, bool one_host)
{
    int rc = net.fabric->open(one_host);
    if (rc != 0 || (rc = net_secrets_make()) != 0 || (rc = net_register_regions()) != 0 || (rc = net.fabric->ready()) != 0)
        return rc;
    memset(c, 0, sizeof *c);
    c->seal_key = net.seal_key;
    c->seals_keyed = net.promise.seals_keyed;
    strncpy(c->kind, net.fabric->kind(), sizeof c->kind - 1);
    for (int i = 0; i < NET_REGIONS; i++) {
        c->key[i] = net.region[i].memory.key;
        c->base[i] = (uintptr_t)net.region[i].base;
    }
    size_t n = sizeof c->fabric;
    rc = net.fabric->card(c->fabric, &n);
    c->fabric_n = n;
    return rc;
}

static int net_open(void *card, size_t *n)
{
    bool one_host = core_seg.header->npes == (unsigned)mpt_fast.npes;
    net.next_key = net.dropped = 0;
    net.deferred = NULL;
    net.deferred_end = &net.deferred;
    net.begun = net.done = 0;
    int rc = *n < sizeof(struct card) ? -EOVERFLOW : (rc = net_choose(one_host)) != 0 ? rc : open_all(card, one_host);
    if (rc != 0) {
        if (net.fabric)
            close_all();
        return rc;
    }
    *n = sizeof(struct card);
    core_debug("network: %s, %s, puts up to %zu bytes by message", net.fabric->kind(),
               net.promise.fd >= 0 ? "sleeps on a descriptor" : "sleeps in naps", net.promise.put_message);
    return 0;
}

static bool net_address(void *to, size_t n)
{
    return net.fabric->address(to, n);
}

static int meet(int pe)
{
    size_t n;
    const struct card *c = core_card_net(pe, &n);
    struct net_peer *p = &net.peer[pe];
    if (n != sizeof *c || strncmp(c->kind, net.fabric->kind(), sizeof c->kind - 1) != 0) {
        core_error("PE %d on host %s uses the network %.39s, PE %d on host %s uses %s; set MPT_TRANSPORT (tcp or ofi), or "
                   "MPT_OFI_PROVIDER, on all hosts", pe, core_host(pe), n == sizeof *c ? c->kind : "of another build", core_me(),
                   core_host(core_me()), net.fabric->kind());
        return -EPROTO;
    }
    memcpy(p->key, c->key, sizeof p->key);
    memcpy(p->base, c->base, sizeof p->base);
    p->seal_key = c->seal_key;
    p->seal_keyed = c->seals_keyed;
    return net.fabric->meet(pe, c->fabric, c->fabric_n);
}

static int net_connect(void)
{
    net.peer = calloc((size_t)mpt_fast.npes, sizeof *net.peer);
    if (!net.peer) {
        core_error("no memory for the network addresses of %d PEs", mpt_fast.npes);
        return -ENOMEM;
    }
    for (int pe = 0; pe < mpt_fast.npes; pe++) {
        int rc = meet(pe);
        if (rc != 0)
            return rc;
    }
    core_atomics_native = net.fabric->met();
    core_net_silent = core_atomics_native || net.promise.put_message == 0;
    core_debug("network: atomics by %s", core_atomics_native ? "the adapters" : "the target's processor");
    core_progress_needed();
    int rc = core_poll_start();
    return rc ? rc : net_pump_start();
}

_Static_assert(CORE_SEND_FAR_MAX + sizeof(struct net_head) + 8 <= NET_MSG_USUAL, "a channel message fits");
const struct core_transport core_network = {
    .name = "network",
    .send_most = CORE_SEND_FAR_MAX,
    .open = net_open,
    .connect = net_connect,
    .close = close_all,
    .address = net_address,
    .put = net_put,
    .put_nbi = net_put_nbi,
    .get_nbi = net_get_nbi,
    .put_strided = net_put_strided,
    .get_strided = net_get_strided,
    .amo_nbi = net_amo_nbi,
    .atomic_nbi = net_atomic_nbi,
    .put_signal = net_put_signal,
    .fence = net_fence,
    .idle = net_idle,
    .finish = net_finish,
    .all_idle = net_all_idle,
    .send = net_channel_send,
    .push = net_push,
    .push_most = net_push_most,
    .land = net_land,
    .grant = net_grant,
    .pin = net_pin,
    .unpin = net_unpin,
    .fetch = net_fetch,
    .progress = net_progress,
    .wait_fd = net_wait_fd,
    .may_sleep = net_may_sleep,
};
