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
    core_net_pump_stop();
    if (core_state.net.dropped > 0)
        core_debug("network: %llu things dropped that were not of this job",
                   (unsigned long long)core_state.net.dropped);
    core_state.rma.atomics_native = core_state.rma.net_silent = false;
    core_net_release_regions();
    core_state.net.fabric->close();
    core_state.net.promise = (struct core_net_promise){.fd = -1};
    core_net_flows_release();
    core_net_ops_release();
    free(core_state.net.peer);
    core_state.net.peer = NULL;
}

static int open_all(struct card *c, bool one_host)
{
    int rc = core_state.net.fabric->open(one_host);
    if (rc != 0 || (rc = core_net_secrets_make()) != 0 || (rc = core_net_register_regions()) != 0 ||
        (rc = core_state.net.fabric->ready()) != 0)
        return rc;
    memset(c, 0, sizeof *c);
    c->seal_key = core_state.net.seal_key;
    c->seals_keyed = core_state.net.promise.seals_keyed;
    strncpy(c->kind, core_state.net.fabric->kind(), sizeof c->kind - 1);
    for (int i = 0; i < NET_REGIONS; i++) {
        c->key[i] = core_state.net.region[i].memory.key;
        c->base[i] = (uintptr_t)core_state.net.region[i].base;
    }
    size_t n = sizeof c->fabric;
    rc = core_state.net.fabric->card(c->fabric, &n);
    c->fabric_n = n;
    return rc;
}

static int net_open(void *card, size_t *n)
{
    bool one_host = core_seg->header->npes == (unsigned)mpt_fast.npes;
    core_state.net.next_key = core_state.net.dropped = 0;
    core_state.net.deferred = NULL;
    core_state.net.deferred_end = &core_state.net.deferred;
    core_state.net.begun = core_state.net.done = 0;
    int rc = *n < sizeof(struct card)                ? -EOVERFLOW
             : (rc = core_net_choose(one_host)) != 0 ? rc
                                                     : open_all(card, one_host);
    if (rc != 0) {
        if (core_state.net.fabric)
            close_all();
        return rc;
    }
    *n = sizeof(struct card);
    core_debug("network: %s, %s, puts up to %zu bytes by message", core_state.net.fabric->kind(),
               core_state.net.promise.fd >= 0 ? "sleeps on a descriptor" : "sleeps in naps",
               core_state.net.promise.put_message);
    return 0;
}

static bool net_address(void *to, size_t n)
{
    return core_state.net.fabric->address(to, n);
}

static int meet(int pe)
{
    size_t n;
    const struct card *c = core_card_net(pe, &n);
    struct core_net_peer *p = &core_state.net.peer[pe];
    if (n != sizeof *c || strncmp(c->kind, core_state.net.fabric->kind(), sizeof c->kind - 1) != 0) {
        core_error(
            "PE %d on host %s uses the network %.39s, PE %d on host %s uses %s; set MPT_TRANSPORT (tcp or ofi), or "
            "MPT_OFI_PROVIDER, on all hosts",
            pe, core_host(pe), n == sizeof *c ? c->kind : "of another build", core_me(), core_host(core_me()),
            core_state.net.fabric->kind());
        return -EPROTO;
    }
    memcpy(p->key, c->key, sizeof p->key);
    memcpy(p->base, c->base, sizeof p->base);
    p->seal_key = c->seal_key;
    p->seal_keyed = c->seals_keyed;
    return core_state.net.fabric->meet(pe, c->fabric, c->fabric_n);
}

static int net_connect(void)
{
    core_state.net.peer = calloc((size_t)mpt_fast.npes, sizeof *core_state.net.peer);
    if (!core_state.net.peer) {
        core_error("no memory for the network addresses of %d PEs", mpt_fast.npes);
        return -ENOMEM;
    }
    for (int pe = 0; pe < mpt_fast.npes; pe++) {
        int rc = meet(pe);
        if (rc != 0)
            return rc;
    }
    core_state.rma.atomics_native = core_state.net.fabric->met();
    core_state.rma.net_silent = core_state.rma.atomics_native || core_state.net.promise.put_message == 0;
    core_debug("network: atomics by %s", core_state.rma.atomics_native ? "the adapters" : "the target's processor");
    core_progress_needed();
    int rc = core_poll_start();
    return rc ? rc : core_net_pump_start();
}

_Static_assert(CORE_SEND_RNDV_MAX + sizeof(struct core_net_head) + 8 <= NET_MSG_USUAL, "a channel message fits");
const struct core_transport core_network = {
    .name = "network",
    .send_most = CORE_SEND_RNDV_MAX,
    .open = net_open,
    .connect = net_connect,
    .close = close_all,
    .address = net_address,
    .put = core_net_put,
    .put_nbi = core_net_put_nbi,
    .get_nbi = core_net_get_nbi,
    .put_strided = core_net_put_strided,
    .get_strided = core_net_get_strided,
    .amo_nbi = core_net_amo_nbi,
    .atomic_nbi = core_net_atomic_nbi,
    .put_signal = core_net_put_signal,
    .fence = core_net_fence,
    .idle = core_net_idle,
    .finish = core_net_finish,
    .all_idle = core_net_all_idle,
    .send = core_net_channel_send,
    .push = core_net_push,
    .push_most = core_net_push_most,
    .land = core_net_land,
    .grant = core_net_grant,
    .registration = core_net_register,
    .unpin = core_net_unpin,
    .fetch = core_net_fetch,
    .progress = core_net_progress,
    .wait_fd = core_net_wait_fd,
    .may_sleep = core_net_may_sleep,
};
