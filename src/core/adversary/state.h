/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of the adversary: see core/state.h.
 */
#ifndef CORE_ADVERSARY_STATE_H
#define CORE_ADVERSARY_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { CORE_ADVERSARY_MOST_KINDS = 16 };

struct core_adversary_state {
    bool on;
    unsigned kinds;    /* bits */
    unsigned always;   /* what core_adversary_always says, bits */
    uint64_t random;   /* the generator's state */
    uint64_t left;     /* disturbances until LIMIT */
    uint32_t rate[CORE_ADVERSARY_MOST_KINDS]; /* of 2^32 occasions so many are taken */
    uint64_t pause_ns, hold_ns; /* the longest */
    uint64_t began, paused; /* when, and for how long until now */
    uint64_t holds_until, turns, looks; /* looks: of a task, which has no time ... */
    bool counts; /* ... nor do its own threads, which are no tasks */
    bool holds;
    pthread_mutex_t lock; /* threads of the program take turns with the generator */
};

#endif
