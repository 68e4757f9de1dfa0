/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of this folder share: how a public function and its profiling
 * twin are defined, the state behind team and context handles, and the few
 * functions that the typed calls are made of.
 */
#ifndef SHMEM_SHMEMI_H
#define SHMEM_SHMEMI_H

#include <limits.h>
#include <stdbool.h>

#define SHMEM_NO_INLINE
#define SHMEM_NO_GENERICS
#include "shmem.h"

#include "coll/coll.h"
#include "core/core.h"

/* The body is pshmem_X; shmem_X is a weak second name, so a tool may define its
 * own shmem_X and call pshmem_X, in shared and in static libraries. */
#define SHMEMI_ALIAS(name) extern __typeof__(pshmem_##name) shmem_##name __attribute__((weak, alias("pshmem_" #name)));

/* A public function: P its parameters, `...` its body, which may name itself
 * as `where`. */
#define SHMEMI_DEF(R, name, P, ...)                                        \
    R pshmem_##name P                                                      \
    {                                                                      \
        static const char where[] __attribute__((unused)) = "shmem_" #name; \
        __VA_ARGS__                                                        \
    }                                                                      \
    SHMEMI_ALIAS(name)

/* The same with its form that takes a context; the body uses `ctx`. */
#define SHMEMI_DEF_CTX(R, name, P, ...)                                          \
    R pshmem_##name P                                                            \
    {                                                                            \
        static const char where[] __attribute__((unused)) = "shmem_" #name;      \
        shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;                                     \
        __VA_ARGS__                                                              \
    }                                                                            \
    R pshmem_ctx_##name(shmem_ctx_t ctx, MPT_LIST P)                             \
    {                                                                            \
        static const char where[] __attribute__((unused)) = "shmem_ctx_" #name;  \
        __VA_ARGS__                                                              \
    }                                                                            \
    SHMEMI_ALIAS(name)                                                           \
    SHMEMI_ALIAS(ctx_##name)

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
    struct core_flow *flow; /* what it has under way: &own, or core_flow_default */
    struct core_flow own;
    struct shmemi_ctx *next; /* of the team's, or of the unused */
};

struct shmemi_team {
    struct mpt_shmem_team handle; /* of created teams */
    unsigned magic;
    struct coll_team *coll; /* &own, or coll_world */
    struct coll_team own;
    shmem_team_config_t config;
    struct shmemi_ctx *contexts;
    struct shmemi_team *next; /* of the unused */
};

extern struct shmemi_team shmemi_world, shmemi_shared;
extern struct shmemi_ctx shmemi_ctx_default;

/* Is this the whole job, in order? */
static inline bool shmemi_is_world(const struct coll_team *t)
{
    return t->start == 0 && t->stride == 1 && t->size == mpt_fast.npes;
}

/* Make the predefined teams; destroy all that are left. Collective. */
void shmemi_teams_init(void);
void shmemi_teams_finish(void);
/* Give back what the heap calls keep. */
void shmemi_heap_finish(void);
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

/* Wait until the unsigned word compares so; its value then. */
uint64_t shmemi_wait_signal(const uint64_t *ivar, int cmp, uint64_t value, const char *where);

/* An integer in the order that signed 64-bit numbers have: unsigned 64-bit ones
 * are shifted, the others are just widened. */
static inline int64_t shmemi_key(enum coll_type type, uint64_t value)
{
    return (int64_t)(type == COLL_U64 ? value ^ (uint64_t)1 << 63 : value);
}

#endif
