/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The seam between a PE's calls and what carries them to another node. PEs of
 * this node never come here: their memory is loaded and stored directly. A
 * network transport fills this struct of functions; core_net_start sets core_net.
 *
 * Addresses called `remote` are this process's own symmetric (or collective
 * area's) addresses; the transport knows where the same byte lies elsewhere.
 * A transport never blocks for ever on its own: whatever must wait waits by
 * core_wait_*, which calls progress.
 */
#ifndef CORE_TRANSPORT_H
#define CORE_TRANSPORT_H

#include "core/core.h"

struct core_transport {
    const char *name;
    size_t send_most; /* head and body of a channel message, at most CORE_SEND_FAR_MAX */

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
    void (*put_strided)(struct core_flow *f, int pe, void *remote, const void *local, struct core_strides s); /* source free on return */
    void (*get_strided)(struct core_flow *f, int pe, void *local, const void *remote, struct core_strides s); /* nbi */
    void (*amo_nbi)(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch); /* fetch may be NULL */
    /* May be NULL unless core_atomics_native: the adapter's own, on any PE; ordered by f's
     * fences, done when `own` is idle. */
    void (*atomic_nbi)(struct core_flow *f, struct core_flow *own, int pe, void *remote, struct core_amo a, void *fetch);
    void (*put_signal)(struct core_flow *f, int pe, void *remote, const void *local, size_t n, uint64_t *signal,
                       enum core_amo_op op, uint64_t value);
    void (*fence)(struct core_flow *f);
    bool (*idle)(struct core_flow *f); /* contract of core_flow_idle */
    void (*finish)(struct core_flow *f); /* give back what f->dirty points to; f is idle */
    bool (*all_idle)(void); /* as idle, of all flows of this PE */

    /* A channel message; 0, -EAGAIN or an error. The receiver's progress hands
     * it to core_channel_arrived. far: NULL or the body's place, sent along. */
    int (*send)(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                const struct core_far *far);
    /* May be NULL. As send, with the far body's bytes, which may be changed on return: the receiver's progress
     * hands them to core_push_arrived first (they stay there until `land`), or says core_push_coming. -ENOBUFS:
     * so much is under way that the body had better wait to be asked for. */
    int (*push)(int pe, unsigned id, const void *head, size_t head_n, const void *body, const struct core_far *far);
    size_t (*push_most)(void); /* bytes for which that pays */
    void (*land)(void *landing);
    void (*grant)(int pe, uint64_t n); /* core_push_granted there; now or later */
    /* Make [p, p+n) readable by peers: fills far->addr and far->key, *pin for
     * unpin. -ENOTSUP when it cannot. */
    int (*pin)(const void *p, size_t n, struct core_far *far, void **pin);
    void (*unpin)(void *pin);
    void (*fetch)(struct core_flow *f, void *to, const struct core_far *far, size_t offset, size_t n);

    int (*progress)(void); /* things handled; thread safe */
    /* The descriptor that becomes readable when there is something to do, -1:
     * none, sleep in short naps. may_sleep: false when there is work already. */
    int (*wait_fd)(void);
    bool (*may_sleep)(void);
};

extern const struct core_transport *core_net; /* NULL: one node */
extern const struct core_transport core_network;

/* The transport's part of PE pe's business card. */
const void *core_card_net(int pe, size_t *n);

/* channel.c: a message came in over the network (inside progress). */
void core_channel_arrived(int from, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                          const struct core_far *far);

/* push.c: the same of pushed bodies, in any thread. One that lies there; or one of n bytes of which only the head has
 * come: the transport hands on the head, gives whoever that is for time to ask for the body, stores its bytes at
 * core_push_place (which decides), all in one thread at a time, and says core_push_came. */
struct core_pushed;
void core_push_arrived(const struct core_far *far, const void *data, size_t n, void *landing);
struct core_pushed *core_push_coming(const struct core_far *far, size_t n);
void *core_push_place(struct core_pushed *body);
void core_push_came(struct core_pushed *body);
void core_push_granted(int from, uint64_t n);

#endif
