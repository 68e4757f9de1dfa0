/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of net above the fabric: see core/state.h. That of a fabric, of types that
 * only its files know, is in tcp.h and ofi.h.
 */
#ifndef CORE_NET_STATE_H
#define CORE_NET_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/siphash.h"

struct core_net_chunk;
struct core_net_dirty;
struct core_net_fabric;
struct core_net_op;

enum core_net_region_id { NET_HEAP, NET_DATA, NET_COLL, NET_FACE, NET_REGIONS };

/* Memory that peers may reach. */
struct core_net_memory {
    uint64_t key;
    void *handle; /* the fabric's; NULL: nothing is registered */
};

struct core_net_region {
    char *base;
    size_t len;
    struct core_net_memory memory;
};

struct core_net_peer {
    uint64_t key[NET_REGIONS], base[NET_REGIONS];
    struct core_siphash_key seal_key; /* of what is sent to it */
    bool seal_keyed;
    uint64_t sent; /* channel messages to it */
    uint64_t came; /* ... and from it, handed on */
    struct core_net_op *early; /* those that overtook others, by number */
};

/* What the fabric promises decides how things are done. */
struct core_net_promise {
    bool virtual_addr; /* remote addresses are the target's, not offsets */
    bool ordered; /* messages come after earlier writes, writes after writes */
    bool tails; /* messages may have a tail */
    bool executed; /* ... and are executed before what comes after them, also reads */
    bool seals_keyed; /* others may see what passes */
    unsigned key_bytes; /* of a key of memory */
    size_t put_message; /* puts up to this size go by message */
    size_t push_most; /* bytes of a body that may be pushed */
    size_t rma_max; /* bytes of one RMA operation */
    int fd; /* becomes readable when there is something to do; -1: there is none */
};

/* The progress thread (pump.c). */
struct core_net_pump {
    pthread_t thread;
    bool running;
    int stop;   /* readable: the thread is to end */
    int soon;   /* a timer: readable: the fabric is to send what waits */
    bool asked; /* for that; under the lock */
    int64_t nap_us;
};

struct core_net_state {
    pthread_mutex_t lock;
    const struct core_net_fabric *fabric;
    struct core_net_promise promise;
    struct core_siphash_key seal_key; /* of what is sent to this PE; its card has it */
    struct core_siphash_key memory_key; /* makes the keys of registered memory; nobody else has it */
    uint64_t next_key;
    uint64_t dropped; /* of what came */
    struct core_net_region region[NET_REGIONS];
    struct core_net_peer *peer;
    struct core_net_op *free_ops, *free_messages;
    struct core_net_dirty *dirty; /* of all flows */
    uint64_t begun, done; /* of all flows */
    struct core_net_op *deferred, **deferred_end; /* replies that found no room */
    uint64_t progresses; /* calls of progress */
    bool taking, missed; /* a thread handles what came; another one wanted to */
    struct core_net_chunk **chunks; /* of ops (op.c) */
    uint32_t n_chunks;
    struct core_net_pump pump;
};

#endif
