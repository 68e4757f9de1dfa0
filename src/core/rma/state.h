/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of rma: see core/state.h.
 */
#ifndef CORE_RMA_STATE_H
#define CORE_RMA_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct core_card;
struct core_late;
struct core_transport;

/* What one context has under way over the network (rma.h). */
struct core_flow {
    uint64_t begun, done; /* operations; done by the thread that makes progress */
    void *dirty; /* the transport's: the PEs to ask at the next quiet */
    uint64_t pulls; /* fetches by messages (pull.c) under way */
    bool unfenced, unquiet; /* with --check: operations since the last fence, the last quiet (check/race.h) */
};

struct core_rma_state {
    const struct core_transport *net; /* NULL: one node */
    bool net_on; /* some PEs are reached by a network */
    bool later; /* not all operations are complete at their call: network, adversary */
    bool net_silent; /* it changes this PE's memory without a sign: waits for that sleep shortly */
    bool atomics_native; /* the network's adapters carry out programs' atomics (rma.h) */
    struct core_late *late; /* the adversary delays operations on this node; NULL: it does not */
    struct core_flow default_flow; /* of calls without a context */
    const struct core_card *cards; /* of all PEs; NULL: no network */
    char host[64];           /* this one's name, once it was asked for */
    struct {
        pthread_mutex_t lock; /* of readable */
        /* A word that only PE `pe` of this job has, at an address it tells: a PE that reads it
         * through a process number knows that the number means that PE. (In containers
         * with process numbers of their own it may mean another process.) */
        uint64_t identity;
        unsigned char *readable; /* by slice of this node: may we read that process? 0 not known yet */
    } cma; /* cma.c */
};

#endif
