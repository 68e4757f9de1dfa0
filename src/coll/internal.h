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

#define COLL_ROUNDS 16
#define COLL_SLOT 1024
#define COLL_LINE_PAYLOAD 56

struct coll_line {
    uint64_t flag; /* epoch */
    char payload[COLL_LINE_PAYLOAD];
} __attribute__((aligned(64)));

/* One per team and PE, in the collective area. */
struct coll_sync {
    uint64_t count __attribute__((aligned(64)));    /* rank 0's: who has arrived     */
    uint64_t released __attribute__((aligned(64))); /* rank 0's: last epoch complete */
    uint64_t arrived __attribute__((aligned(64)));  /* last epoch this PE started    */
    struct coll_line line[2][COLL_ROUNDS];
    char slot[2][COLL_SLOT];   /* what this PE publishes               */
    char result[2][COLL_SLOT]; /* rank 0's: what the last to arrive made */
};

/* What a transient team has instead: the first of the caller's
 * COLL_TRANSIENT_WORDS words, zero before and after a call. */
struct coll_words {
    uint64_t count;   /* rank 0's: who has arrived       */
    uint64_t release; /* this PE may go                  */
    uint64_t value;   /* what this PE publishes          */
};

#define COLL_BLOCK 8192
_Static_assert(sizeof(struct coll_sync) <= COLL_BLOCK, "a team's block must hold its coll_sync");

static inline void *coll_peer(const struct coll_team *t, int rank, void *own)
{
    ptrdiff_t apart = coll_team_pe(t, rank) - core_me();
    return (char *)own + apart * (ptrdiff_t)mpt_fast.stride;
}
static inline struct coll_sync *coll_sync_of(const struct coll_team *t, int rank)
{
    return coll_peer(t, rank, t->sync);
}
static inline struct coll_words *coll_words_of(const struct coll_team *t, int rank)
{
    return coll_peer(t, rank, t->words);
}

static inline void coll_wake(const struct coll_team *t, int rank)
{
    core_wake(coll_team_pe(t, rank));
}

/* What the last PE to arrive does before all are released (central way only). */
typedef void coll_last(struct coll_call *c);

/* Arrive at the team's next barrier; poll until true. */
void coll_sync_start(struct coll_call *c, coll_last *last);
bool coll_sync_poll(struct coll_call *c);

/* Publish n <= COLL_SLOT bytes for the barrier that coll_sync_start is about to
 * start, and where rank's publication of the running barrier lies. */
void coll_publish(struct coll_call *c, const void *data, size_t n);
static inline char *coll_published(const struct coll_call *c, int rank)
{
    return coll_sync_of(c->team, rank)->slot[c->epoch & 1];
}

/* Peer's copy of a symmetric address. */
static inline void *coll_at(const struct coll_call *c, int rank, const void *p)
{
    return core_addr(coll_team_pe(c->team, rank), p);
}

/* An algorithm's step: c->phase starts at 0; true when the call is done. */
typedef bool coll_stepper(struct coll_call *c);

struct coll_algorithm {
    enum coll_kind kind;
    const char *name;
    coll_stepper *step;
    size_t max_bytes; /* of c->n */
    unsigned where;   /* COLL_ON_* */
};

/* Teams a row serves. */
enum {
    COLL_ON_SPREAD = 1,    /* a core for each PE */
    COLL_ON_CENTRAL = 2,   /* more PEs than cores */
    COLL_ON_TRANSIENT = 4, /* synchronising in the caller's words */
    COLL_ON_POW2 = 8,      /* only if the size is a power of two */
    COLL_ON_TEAM = COLL_ON_SPREAD | COLL_ON_CENTRAL,
    COLL_ON_ANY = COLL_ON_TEAM | COLL_ON_TRANSIENT,
};

/* Ends the job if a member has exited before it arrived here. */
void coll_check_members(struct coll_team *t, const struct core_waiter *w);

#define ALGORITHM(kind, step, max_bytes, where) coll_stepper step;
#include "coll/algorithms.def"
#undef ALGORITHM

#endif
