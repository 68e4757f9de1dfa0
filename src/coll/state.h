/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All that the engine knows of its PE (docs/adr/0040-state-in-one-struct.md).
 */
#ifndef COLL_STATE_H
#define COLL_STATE_H

#include <pthread.h>
#include <stdint.h>

#include "coll/team.h"

struct coll_block;
enum { COLL_GROUP_BUCKETS = 64, COLL_SLOT_WORDS = 16 /* 1024 slots */ };

struct coll_state {
    struct coll_team world; /* of all PEs */
    struct {
        uint64_t used[COLL_SLOT_WORDS]; /* by teams this PE is a member of */
        pthread_mutex_t lock;
    } slots; /* team.c */
    struct {
        struct coll_groups *buckets[COLL_GROUP_BUCKETS];
        pthread_mutex_t lock;
    } groups; /* groups.c */
    struct {
        struct coll_block *dying; /* made by this process, which is rank 0; others may still read */
        pthread_mutex_t lock;     /* threads may use teams of their own */
    } blocks; /* block.c */
    const void *loops; /* op.c: rows of this processor; found again by each thread that comes early: the same */
};
extern struct coll_state coll_state __attribute__((visibility("hidden")));

#endif
