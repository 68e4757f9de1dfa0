/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What coll's files share: the memory through which a team synchronises, and
 * the barrier as a pair of start and poll from which every algorithm is made.
 *
 * Every collective completes at least one barrier of its team, numbered by the
 * team's epoch. Whoever has completed epoch e knows that all have started e, so
 * all have completed e-1; hence two copies (e & 1) of lines and slots suffice.
 */
#ifndef COLL_INTERNAL_H
#define COLL_INTERNAL_H

#include "coll/coll.h"
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

/* Teams a row serves. */
enum {
    COLL_ON_SPREAD = 1,         /* a core for each PE */
    COLL_ON_CENTRAL = 2,        /* more PEs than cores */
    COLL_ON_TRANSIENT = 4,      /* synchronising in the caller's words */
    COLL_ON_NET = 8,            /* members on several nodes */
    COLL_ON_NET_TRANSIENT = 16, /* and in the caller's words */
    COLL_ON_POW2 = 32,          /* only if the size is a power of two */
    COLL_IF_ALL_FIT = 64,       /* only if everybody's bytes together fit COLL_EXCHANGE */
    COLL_IF_NODES_FIT = 128,    /* only if those of one member of each node do */
    COLL_IF_ROUNDS_FIT = 256,   /* only if those of one member for each doubling of nodes do */
    COLL_IF_MANY = 512,         /* only if coll_many */
    COLL_IF_FEW = 1024,         /* only if not */
    COLL_ON_CROWD = COLL_ON_CENTRAL | COLL_ON_TRANSIENT,
    COLL_ON_TEAM = COLL_ON_SPREAD | COLL_ON_CENTRAL,
    COLL_ON_ANY = COLL_ON_TEAM | COLL_ON_TRANSIENT,
    COLL_ON_NETS = COLL_ON_NET | COLL_ON_NET_TRANSIENT,
};

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
 * that share few cores nothing is gained by it: there rank 0, or a few, do for all what is
 * to be done with everybody's memory, and each wakes two others. */
enum { COLL_MANY = 64, COLL_WORKERS = 8 };
static inline bool coll_many(const struct coll_team *t)
{
    return MPT_UNLIKELY(t->size > COLL_MANY) && (t->way & COLL_ON_CROWD);
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
struct coll_rider {
    void (*gathered)(struct coll_call *c);
    struct coll_piece (*piece)(struct coll_call *c, int round);
    void (*last)(struct coll_call *c);
    bool (*meet)(struct coll_call *c);
};
void coll_sync_start_with(struct coll_call *c, const struct coll_rider *rider);

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

/* ride.c: everybody's 8 bytes (COLL_COLLECT) or n bytes travel with the barrier
 * that this starts; when it is complete they lie at coll_ridden. */
void coll_ride_start(struct coll_call *c, const void *data);
const char *coll_ridden(const struct coll_call *c, int rank);

/* ride.c: reductions. A PE hands its vector to its leader; a leader whose node has
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

/* An algorithm's step: c->phase starts at 0; true when the call is done. */
typedef bool coll_stepper(struct coll_call *c);

struct coll_algorithm {
    enum coll_kind kind;
    const char *name;
    coll_stepper *step;
    size_t max_bytes; /* of c->n */
    unsigned where;   /* COLL_ON_*, COLL_IF_* */
};

/* Ends the job if a member has exited before it arrived here. */
void coll_check_members(struct coll_team *t, const struct core_waiter *w);

#define ALGORITHM(kind, step, max_bytes, where) coll_stepper step;
#include "coll/algorithms.def"
#undef ALGORITHM

#endif
