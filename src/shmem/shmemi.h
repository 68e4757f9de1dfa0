/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of this folder share: how a public function gets its second name, the state behind team and context
 * handles, all that the layer remembers, and the few functions that the typed calls are made of.
 */
#ifndef SHMEM_SHMEMI_H
#define SHMEM_SHMEMI_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>

#define SHMEM_NO_INLINE
#define SHMEM_NO_GENERICS
#include "shmem.h"

#include "coll/coll.h"
#include "core/core.h"

/* A public function is pshmem_X. This makes shmem_X a weak second name of it, so a
 * tool may define its own shmem_X and call pshmem_X, in shared and in static
 * libraries. */
#define SHMEMI_ALIAS(name) extern __typeof__(p##name) name __attribute__((weak, alias("p" #name)))

/* Notes for the checker and the recorder who has called a public function. */
void shmemi_note_caller(const void *from, const char *where) __attribute__((cold));
static inline const char *shmemi_called(const void *from, const char *where)
{
    if (MPT_UNLIKELY(core_params.check || core_trace_on()))
        shmemi_note_caller(from, where);
    return where;
}
/* In a public function: its name as the program knows it, without the p. */
#define SHMEMI_WHERE shmemi_called(__builtin_return_address(0), &__func__[1])

/* Column CODE of the table of types as an enum coll_type. */
#define COLL_CHAR (CHAR_MIN < 0 ? COLL_I8 : COLL_U8)
#define SHMEMI_TYPE(C) COLL_##C

/* ------------------------------------------------------ teams and contexts -- */

enum { SHMEMI_TEAM_LIVE = 0x7ea30001, SHMEMI_CTX_LIVE = 0xc0110001, SHMEMI_DEAD = 0xdead };

struct shmemi_ctx {
    struct mpt_shmem_ctx handle; /* of created contexts */
    unsigned magic;
    long options;
    bool in_session;
    struct shmemi_team *team;
    struct core_flow *flow; /* what it has under way: &own, or CORE_FLOW_DEFAULT */
    struct core_flow own;
    uintptr_t gone; /* --check: where it was destroyed, */
    pthread_t creator; /* and by which thread it was made */
    struct shmemi_ctx *next; /* of the team's, or of the unused */
};

struct shmemi_team {
    struct mpt_shmem_team handle; /* of created teams */
    unsigned magic;
    struct coll_team *coll; /* &own, or COLL_WORLD */
    struct coll_team own;
    shmem_team_config_t config;
    uintptr_t gone; /* --check: where it was destroyed */
    struct shmemi_ctx *contexts;
    struct shmemi_team *next; /* of the unused */
};

/* ------------------------------------------------------------- all state --
 * What calls remember, but for the two objects that the standard names (mpt_shmem_team_world, mpt_shmem_ctx_default).
 * Structs of teams and contexts are never returned to malloc, so that the check of a destroyed handle may read them. */

enum { SHMEMI_TURNS_LOG = 8 };

/* With --check only: a block of the heap, which is `room` bytes long; freed: 0 or where. */
struct shmemi_block {
    uintptr_t lo;
    size_t n, room;
    uintptr_t made, freed;
};

struct shmemi_put {
    const struct core_flow *flow;
    const char *where;
    const void *source;
    size_t summed, n; /* the first bytes of it all */
    uintptr_t site;
    uint64_t sum;
    bool brings; /* it is a get: `source` is where it puts what it gets */
};

/* The first are of teams, the others of active sets. */
enum { SHMEMI_AGREE_TEAMS = 64, SHMEMI_AGREE_SLOTS = 96, SHMEMI_AGREE_SITES = 256, SHMEMI_PENDING = 256 };

struct shmemi_found {
    pthread_mutex_t lock; /* guards blocks, pending and sites */
    struct shmemi_blocks {
        struct shmemi_block *list; /* in use, in the order of their addresses */
        size_t n, room;
        struct shmemi_block *gone; /* a ring */
        size_t went;
        uint32_t version; /* of the list */
    } blocks; /* blocks.c */
    struct shmemi_agree {
        void *ring; /* symmetric; NULL: nothing is compared */
        struct shmemi_agree_slot {
            uint64_t team, calls; /* team 0: none */
        } slot[SHMEMI_AGREE_SLOTS];
        struct shmemi_agree_site {
            uintptr_t site;
            uint64_t out;
        } site[SHMEMI_AGREE_SITES];
    } agree; /* agree.c */
    struct shmemi_pending {
        struct shmemi_put put[SHMEMI_PENDING];
        size_t n; /* the last ones of n are known */
        size_t gets; /* of them, or of those that they have replaced */
    } pending; /* pending.c */
};

struct shmemi {
    int starts; /* init calls not yet finalized */
    bool checks; /* --check: found.h */
    uint64_t *met; /* with --trace: collectives so far, of each group (trace.c) */
    bool guards; /* a checker of memory watches (core/mem/guard.h) */
    bool looks;  /* checks or guards */
    struct shmemi_team world, shared;
    struct shmemi_ctx ctx_default;
    struct {
        pthread_mutex_t lock; /* guards the lists of all teams, and of the unused */
        struct shmemi_ctx *unused;
    } contexts;
    struct {
        pthread_mutex_t lock;
        struct shmemi_team *unused;
        struct shmemi_team *live; /* in order of creation, which is the same on all members of a team */
    } teams;
    struct {
        bool told_exhausted, told_alignment, told_hints; /* what is said once only */
    } heap;
    struct {
        /* In one word, so that threads see both halves or none: tag of the array, next element. 0: never used. */
        uint64_t table[1 << SHMEMI_TURNS_LOG];
        uint64_t forgotten;
    } turns; /* turn.c */
    struct shmemi_found found;
};
/* Hidden, so that code finds it without a table of addresses. */
extern struct shmemi shmemi __attribute__((visibility("hidden")));

/* Failed tests in a row of this thread, for core_test_failed: of words, of locks. */
struct shmemi_thread {
    unsigned tests, lock_tests;
};
extern _Thread_local struct shmemi_thread shmemi_thread __attribute__((visibility("hidden")));

/* Is this the whole job, in order? */
static inline bool shmemi_is_world(const struct coll_team *t)
{
    return t->start == 0 && t->stride == 1 && t->size == mpt_fast.npes;
}

/* Make the predefined teams; destroy all that are left. Collective. */
void shmemi_teams_init(void);
void shmemi_teams_finish(void);
/* Destroy a team's contexts. */
void shmemi_ctx_destroy_all(struct shmemi_team *team);

/* ------------------------------------------------------- what calls are of -- */

void shmemi_put(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t size, int pe, const char *where);
void shmemi_get(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t size, int pe, const char *where);
void shmemi_put_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t size, int pe,
                    const char *where);
void shmemi_get_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t size, int pe,
                    const char *where);

/* nblocks blocks of bsize elements; strides in elements from block to block. */
struct shmemi_strides {
    ptrdiff_t dst, sst;
    size_t bsize, nblocks, size;
};
void shmemi_iput(shmem_ctx_t ctx, void *dest, const void *source, struct shmemi_strides s, int pe, const char *where);
void shmemi_iget(shmem_ctx_t ctx, void *dest, const void *source, struct shmemi_strides s, int pe, const char *where);

/* Where object `p` of `size` bytes on PE pe of ctx can be reached by an atomic
 * instruction, NULL if it is on another node; *world_pe gets the PE's number in
 * the job. */
void *shmemi_atomic_at(shmem_ctx_t ctx, const void *p, size_t size, const char *arg, int pe, int *world_pe,
                       const char *where);

/* Completes the PE's operations on the default context, then all PEs meet. */
void shmemi_barrier_all(const char *where);
/* The members of a team meet. */
void shmemi_sync(struct coll_team *t, const char *where);

/* Collectives of a team given by its members; offset and counts in elements of
 * `size` bytes. */
int shmemi_broadcast(struct coll_team *t, void *dest, const void *source, size_t nelems, size_t size, int root,
                     bool root_keeps, const char *where);
int shmemi_gather(enum coll_kind kind, struct coll_team *t, void *dest, const void *source, size_t nelems, size_t size,
                  const char *where);
int shmemi_alltoall(struct coll_team *t, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                    size_t size, const char *where);
int shmemi_reduce(enum coll_kind kind, enum coll_op op, enum coll_type type, struct coll_team *t, void *dest,
                  const void *source, size_t nelems, const char *where);
/* Of an active set. */
void shmemi_to_all(enum coll_op op, enum coll_type type, void *dest, const void *source, int nreduce, int PE_start,
                   int logPE_stride, int PE_size, long *pSync, const char *where);

/* Wait until the unsigned word compares so; its value then. */
uint64_t shmemi_wait_signal(const uint64_t *ivar, int cmp, uint64_t value, const char *where);

/* An integer in the order that signed 64-bit numbers have: unsigned 64-bit ones
 * are shifted, the others are just widened. */
static inline int64_t shmemi_key(enum coll_type type, uint64_t value)
{
    return (int64_t)(type == COLL_U64 ? value ^ (uint64_t)1 << 63 : value);
}

#endif
