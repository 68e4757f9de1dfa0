/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A team: who takes part in a collective.
 */
#ifndef COLL_TEAM_H
#define COLL_TEAM_H

#include <stdbool.h>
#include <stdint.h>

struct coll_block;
struct coll_groups;
struct coll_sync;
struct coll_words;
struct core_wake_set;

/* Who takes part: rank r is PE start + r*stride. */
struct coll_team {
    int start, stride, size, rank; /* rank of this PE */
    struct coll_sync *sync;        /* this PE's block; same place on all members */
    struct coll_words *words;      /* transient teams: the caller's words instead */
    uint64_t epoch;                /* barriers of this team so far */
    uint64_t node_epoch;           /* barriers among its members on this node */
    const struct coll_groups *groups; /* its members by node; NULL: all are on this one */
    int slot;                      /* of the collective area; -1: transient */
    unsigned way;                  /* how it synchronises: one of COLL_ON_*, internal.h */
    struct coll_block *block;      /* that its members share (block.h); NULL: not made yet */
    struct core_wake_set *others;  /* to wake them at once; NULL: one by one, or not made yet */
    bool others_made;
    bool meets; /* all PEs of a job with tasks: see core/wait/meet.h */
    bool even;                     /* members' memory is a fixed stride apart (mpt_fast) */
};

static inline int coll_team_pe(const struct coll_team *t, int rank)
{
    return t->start + rank * t->stride;
}

#endif
