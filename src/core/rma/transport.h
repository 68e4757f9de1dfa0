/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The seam between a PE's calls and what carries them to another node. PEs of
 * this node never come here: their memory is loaded and stored directly. A
 * network transport fills this struct of functions; core_net_start sets core_state.rma.net.
 *
 * Addresses called `remote` are this process's own symmetric (or collective
 * area's) addresses; the transport knows where the same byte lies elsewhere.
 * A transport never blocks for ever on its own: whatever must wait waits by
 * core_wait_*, which calls progress.
 */
#ifndef CORE_TRANSPORT_H
#define CORE_TRANSPORT_H

#include "core/rma/rma.h"

struct core_rndv;

struct core_transport {
    const char *name;
    size_t send_most; /* head and body of a channel message, at most CORE_SEND_RNDV_MAX */

    /* Open the device, register memory; write into `card` (size *n, then the
     * bytes used) what peers need to reach this PE. A message has been printed
     * when it fails. */
    int (*open)(void *card, size_t *n);
    /* Peers' cards are there (core_card_net(pe, &n)): make PEs reachable. */
    int (*connect)(void);
    /* After the last barrier: stop using the network. */
    void (*close)(void);
    /* May be NULL. The device's own socket address, at most n bytes; false: it has none. */
    bool (*address)(void *sockaddr, size_t n);

    void (*put)(struct core_flow *f, int pe, void *remote, const void *local, size_t n); /* source free on return */
    void (*put_nbi)(struct core_flow *f, int pe, void *remote, const void *local, size_t n);
    void (*get_nbi)(struct core_flow *f, int pe, void *local, const void *remote, size_t n);
    void (*put_strided)(struct core_flow *f, int pe, void *remote, const void *local,
                        struct core_strides s); /* source free on return */
    void (*get_strided)(struct core_flow *f, int pe, void *local, const void *remote, struct core_strides s); /* nbi */
    void (*amo_nbi)(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch); /* fetch may be NULL */
    /* May be NULL unless core_atomics_are_native: the adapter's own, on any PE; ordered by f's
     * fences, done when `own` is idle. */
    void (*atomic_nbi)(struct core_flow *f, struct core_flow *own, int pe, void *remote, struct core_amo a,
                       void *fetch);
    void (*put_signal)(struct core_flow *f, int pe, void *remote, const void *local, size_t n, uint64_t *signal,
                       enum core_amo_op op, uint64_t value);
    void (*fence)(struct core_flow *f);
    bool (*idle)(struct core_flow *f); /* contract of core_flow_idle */
    void (*finish)(struct core_flow *f); /* give back what f->dirty points to; f is idle */
    bool (*all_idle)(void); /* as idle, of all flows of this PE */

    /* A channel message; 0, -EAGAIN or an error. The receiver's progress hands
     * it to core_channel_arrived. rndv: NULL, or where the body is, sent along. */
    int (*send)(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                const struct core_rndv *rndv);
    /* May be NULL. As send, with the rendezvous body's bytes, which may be changed on return: the receiver's progress
     * hands them to core_push_arrived first (they stay there until `land`), or says core_push_coming. -ENOBUFS:
     * so much is under way that the body had better wait to be asked for. */
    int (*push)(int pe, unsigned id, const void *head, size_t head_n, const void *body, const struct core_rndv *rndv);
    size_t (*push_most)(void); /* bytes for which that pays */
    void (*land)(void *landing);
    void (*grant)(int pe, uint64_t n); /* core_push_granted there; now or later */
    /* Make [p, p+n) readable by peers: fills far->addr and far->key, *pin for
     * unpin. -ENOTSUP when it cannot. */
    int (*registration)(const void *p, size_t n, struct core_rndv *rndv, void **registration);
    void (*unpin)(void *registration);
    void (*fetch)(struct core_flow *f, void *to, const struct core_rndv *rndv, size_t offset, size_t n);

    int (*progress)(void); /* things handled; thread safe */
    /* The descriptor that becomes readable when there is something to do, -1:
     * none, sleep in short naps. may_sleep: false when there is work already. */
    int (*wait_fd)(void);
    bool (*may_sleep)(void);
};

extern const struct core_transport core_network;

#endif
