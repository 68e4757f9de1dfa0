/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the race checker (core/check/race.h) is told of OpenSHMEM's operations and of what orders them (1.6, 9.12).
 * Nothing without --check.
 */
#ifndef SHMEM_RACE_H
#define SHMEM_RACE_H

#include "shmem/shmemi.h"

struct shmemi_race_copy {
    struct core_flow *flow;
    int pe; /* of the job */
    void *remote;
    const void *local;
    size_t n;
    bool nbi;
    const char *where;
};
void shmemi_race_put(const struct shmemi_race_copy *c);
/* Before it is carried out; and after, as a word may tell of others' work. */
void shmemi_race_get(const struct shmemi_race_copy *c);
void shmemi_race_got(const void *remote, size_t n, int pe);

/* An atomic of `width` bytes: before, and after if it has fetched. */
struct shmemi_race_atomic {
    struct core_flow *flow;
    int pe;
    const void *object;
    unsigned width;
    bool changes, fetches, nbi, tries;
    const char *where;
    const void *fetch; /* of a nonblocking one that fetches: where to; or NULL */
};
void shmemi_race_atomic(const struct shmemi_race_atomic *a);
void shmemi_race_fetched(const struct shmemi_race_atomic *a);

/* A put with signal: its data, and the signal, which tells of these only. */
void shmemi_race_signal(const struct shmemi_race_copy *c, uint64_t *sig_addr);

/* A wait or a successful test of the n bytes at ivar. */
void shmemi_race_awaited(const void *ivar, size_t n);

/* A lock: the word that stands for it lies at PE 0. */
void shmemi_race_locked(long *lock);
void shmemi_race_unlocks(long *lock, const char *where);

/* A collective: what all, or the root's, have done before they came is ordered before what this PE does after. */
struct shmemi_race_meeting {
    struct coll_team *team;
    uint64_t key;
    uint32_t number;
};
struct shmemi_race_meeting shmemi_race_come(struct coll_team *t);
void shmemi_race_met(struct shmemi_race_meeting m, int root); /* rank; -1: all */

/* What a collective does to this PE's symmetric memory. */
void shmemi_race_buffer(const void *at, size_t n, bool written, const char *where);

static inline void shmemi_race_quiet(struct core_flow *flow)
{
    if (core_race_on())
        core_race_quiet(flow);
}

static inline void shmemi_race_fence(struct core_flow *flow)
{
    if (core_race_on())
        core_race_fence(flow);
}

#endif
