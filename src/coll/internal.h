/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What coll's files share: the memory through which a team synchronises, and
 * the barrier as a pair of start and poll from which every algorithm is made.
 *
 * Every collective in steps completes at least one barrier of its team, numbered by the
 * team's epoch. Whoever has completed epoch e knows that all have started e, so
 * all have completed e-1; hence two copies (e & 1) of lines and slots suffice.
 */
#ifndef COLL_INTERNAL_H
#define COLL_INTERNAL_H

#include "coll/coll.h"
#include "coll/table.h"
#include "core/core.h"

#define COLL_ROUNDS 18
#define COLL_SLOT 1024
#define COLL_LINE_PAYLOAD 56
#define COLL_SHARE 4096
#define COLL_EXCHANGE 8192

struct coll_line {
    uint64_t flag; /* epoch */
    char payload[COLL_LINE_PAYLOAD];
} __attribute__((aligned(64)));

/* One per team and PE, in the collective area. What is before `slot` must be zero
 * when a team begins. A leader is the first member on its node. */
struct coll_sync {
    uint64_t count __attribute__((aligned(64)));    /* rank 0's or leader's: who has arrived     */
    uint64_t released __attribute__((aligned(64))); /* rank 0's or leader's: last epoch complete */
    uint64_t arrived __attribute__((aligned(64)));  /* last epoch this PE started                */
    struct coll_line line[2][COLL_ROUNDS];
    uint64_t node_count __attribute__((aligned(64)));    /* leader's, for barriers ... */
    uint64_t node_released __attribute__((aligned(64))); /* ... of one node            */
    char slot[2][COLL_SLOT] __attribute__((aligned(64))); /* what this PE publishes       */
    char result[2][COLL_SLOT];       /* rank 0's: what the last to arrive made */
    /* of teams on several nodes */
    char share[2][COLL_SHARE];       /* what a PE hands to its leader, who leaves the result in its own */
    char exchange[2][COLL_EXCHANGE]; /* leader's: what travels with a barrier's signals */
};

/* What a transient team has instead: the first of the caller's
 * COLL_TRANSIENT_WORDS words, zero before and after a call. */
struct coll_words {
    uint64_t count;        /* rank 0's or leader's: who has arrived             */
    uint64_t release;      /* this PE may go                                    */
    uint64_t value;        /* what this PE publishes                            */
    uint64_t net_count;    /* leader's: nodes that have arrived. Not in `count`: */
                           /* a network's own atomics may ignore the CPU's      */
    uint64_t node_count;   /* leader's and ...                                  */
    uint64_t node_release; /* ... everybody's, for barriers of one node         */
};
_Static_assert(sizeof(struct coll_words) <= COLL_TRANSIENT_WORDS * 8, "too few words");

#define COLL_BLOCK 32768
_Static_assert(sizeof(struct coll_sync) <= COLL_BLOCK, "a team's block must hold its coll_sync");

/* ---- members of a team by node (groups.c) ---- */

/* Groups are in the order of their lowest ranks, members in rank order. */
struct coll_groups {
    int start, stride, size; /* of which team */
    int n, own;              /* how many groups; this PE's */
    int *first;              /* group g is by_group[first[g]] .. by_group[first[g + 1] - 1]; first[n] = size */
    int *by_group;           /* ranks */
    int *group_of;           /* by rank */
    int *place_of;           /* by rank: in by_group */
    struct coll_groups *next;
};

/* Of the team start, stride, size; the caller is a member. Kept until exit. */
const struct coll_groups *coll_groups_of(int start, int stride, int size);

static inline int coll_leader(const struct coll_groups *g, int group)
{
    return g->by_group[g->first[group]];
}
static inline int coll_group_size(const struct coll_groups *g, int group)
{
    return g->first[group + 1] - g->first[group];
}
static inline int coll_own_leader(const struct coll_team *t)
{
    return coll_leader(t->groups, t->groups->own);
}
/* This PE's place among the members on its node. */
static inline int coll_own_place(const struct coll_team *t)
{
    return t->groups->place_of[t->rank] - t->groups->first[t->groups->own];
}
static inline bool coll_near(const struct coll_team *t, int rank)
{
    return t->groups->group_of[rank] == t->groups->own;
}

/* ---- memory of members on this node ---- */

static inline void *coll_beside(const struct coll_team *t, int rank, void *own)
{
    ptrdiff_t apart = coll_team_pe(t, rank) - core_me();
    return (char *)own + apart * (ptrdiff_t)mpt_fast.stride;
}
static inline struct coll_sync *coll_sync_of(const struct coll_team *t, int rank)
{
    return MPT_LIKELY(t->even) ? coll_beside(t, rank, t->sync) : core_coll_at(coll_team_pe(t, rank), t->sync);
}
static inline struct coll_words *coll_words_of(const struct coll_team *t, int rank)
{
    return MPT_LIKELY(t->even) ? coll_beside(t, rank, t->words) : core_addr(coll_team_pe(t, rank), t->words);
}

static inline void coll_wake(const struct coll_team *t, int rank)
{
    core_wake(coll_team_pe(t, rank));
}

/* A PE pays for each peer that it looks at with two pages of page tables. In a team of many
 * that share oversubscribed nothing is gained by it: there rank 0, or a few, do for all what is
 * to be done with everybody's memory, and each wakes two others. */
enum { COLL_MANY_PES = 64, COLL_WORKERS = 8 };
static inline bool coll_many(const struct coll_team *t)
{
    return MPT_UNLIKELY(t->size > COLL_MANY_PES) && (t->way & COLL_ON_CROWD);
}
static inline int coll_workers(const struct coll_team *t)
{
    return coll_many(t) ? COLL_WORKERS : t->size;
}

/* ---- barriers ---- */

/* What the last PE to arrive, or rank 0 (coll_many), does before all are released (central way only). */
typedef void coll_last(struct coll_call *c);

/* Arrive at the team's next barrier; poll until true. */
void coll_sync_start(struct coll_call *c, coll_last *last);
bool coll_sync_poll(struct coll_call *c);

/* Data that travels with the signals of a barrier between nodes (COLL_ON_NET).
 * All run at leaders: `gathered` when the own node has arrived; `piece` says what
 * goes along in a round to the group 2^round ahead: n bytes of this PE's block,
 * to the place `at` of the other's; `last` before the node is released. `meet`,
 * if not NULL, is polled instead of these rounds. */
struct coll_piece {
    void *at;
    const void *from;
    size_t n;
};
struct coll_piggyback {
    void (*gathered)(struct coll_call *c);
    struct coll_piece (*piece)(struct coll_call *c, int round);
    void (*last)(struct coll_call *c);
    bool (*meet)(struct coll_call *c);
};
void coll_sync_start_with(struct coll_call *c, const struct coll_piggyback *piggyback);

/* The same of only the members on this node. */
void coll_node_start(struct coll_call *c);
bool coll_node_poll(struct coll_call *c);

/* sync_net.c: the ways of teams on several nodes. */
void coll_net_start(struct coll_call *c);
bool coll_net_poll(struct coll_call *c);
void coll_net_send(struct coll_call *c, int line, int group, struct coll_piece p); /* a signal to a leader's line */
bool coll_net_came(const struct coll_call *c, int line);
void coll_net_words_start(struct coll_call *c);
bool coll_net_words_poll(struct coll_call *c);

/* Publish n <= COLL_SLOT bytes for the barrier that coll_sync_start is about to
 * start, and where rank's publication of the running barrier lies. */
void coll_publish(struct coll_call *c, const void *data, size_t n);
static inline char *coll_published(const struct coll_call *c, int rank)
{
    return coll_sync_of(c->team, rank)->slot[c->epoch & 1];
}

/* piggyback.c: everybody's 8 bytes (COLL_COLLECT) or n bytes travel with the barrier
 * that this starts; when it is complete they lie at coll_piggybacked. */
void coll_piggyback_start(struct coll_call *c, const void *data);
const char *coll_piggybacked(const struct coll_call *c, int rank);

/* piggyback.c: reductions. A PE hands its vector to its leader; a leader whose node has
 * arrived combines its members' vectors; everybody finds the result. */
void coll_hand_in(struct coll_call *c);
void coll_combine_node(struct coll_call *c, char *acc);
static inline char *coll_result(const struct coll_call *c)
{
    return coll_sync_of(c->team, coll_own_leader(c->team))->share[c->epoch & 1];
}

/* pairs.c: lines it uses. */
int coll_pairs_rounds(int nodes);

/* Copy of a symmetric address at a peer of this node. */
static inline void *coll_at(const struct coll_call *c, int rank, const void *p)
{
    return core_addr(coll_team_pe(c->team, rank), p);
}

/* Dest becomes the prefix over the ranks' vectors, where `vector` says they lie. */
void coll_scan_fold(struct coll_call *c, const void *vector(const struct coll_call *c, int rank));

/* Ends the job: pe has exited before it arrived in a call. */
void coll_is_left_by(int pe, const char *where) __attribute__((noreturn, cold));
/* The same if a member has. */
void coll_check_members(struct coll_team *t, const struct core_waiter *w);

/* The row of the table that serves c. steps: only one that does so in steps; else a body on the block may, which waits.
 */
const struct coll_row *coll_choose(const struct coll_call *c, bool steps);

/* team_block.c: run c by a body on the block. False: there is no block, steps must serve (the same on all members). */
bool coll_team_block_run(struct coll_call *c, coll_block_body *body);
void coll_team_forget_block(struct coll_team *t);

#define KIND(kind, ...) __VA_ARGS__
#define STEP(function, ...) coll_stepper function;
#include "coll/algorithms.def"

#endif
