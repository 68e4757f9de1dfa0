/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The face of coll: the collective engine of all faces. A collective is a
 * `struct coll_call` that is started and then stepped until it is done; the
 * blocking calls of a face use coll_run, nonblocking and persistent ones keep
 * the call and step it. Which algorithm serves which kind, size and number of
 * PEs is a row of algorithms.def.
 *
 * All members of a team start the same calls in the same order. Buffers are
 * symmetric; source and dest may be the same array, never overlap otherwise.
 * Dest is written by nobody before its owner has started the call, and when a
 * call is done its source may be changed at once.
 */
#ifndef COLL_COLL_H
#define COLL_COLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/op.h"
#include "coll/state.h"
#include "core/core.h"

struct coll_sync;
struct coll_words;
struct coll_groups;
struct coll_piggyback;
struct coll_block;

/* Rank of `pe` in t, or -1. */
int coll_team_rank(const struct coll_team *t, int pe);

/* The team of all PEs (slot 0). Once after core_job_start, collective. */
void coll_init(void);
#define COLL_WORLD (&coll_state.world)

/* Make a team out of `parent`, collectively over it. Different members of the
 * parent may name different teams in the same call when these are disjoint; a
 * PE in none passes size 0 (or a team it is not in) and gets rank -1. Returns
 * 0, or -ENOSPC on every PE when no slot is free. */
int coll_team_create(struct coll_team *parent, int start, int stride, int size, struct coll_team *new_team);
/* Collective over the members only. */
void coll_team_destroy(struct coll_team *t);

/* A team that lives only for one call, synchronising in symmetric memory that
 * the caller provides: COLL_TRANSIENT_WORDS 64-bit words, all zero before on
 * all members, all zero again when the call is done (SHMEM's pSync). */
enum { COLL_TRANSIENT_WORDS = 8 };
void coll_team_transient(struct coll_team *t, int start, int stride, int size, void *words);

/* Of all faces. v and w forms are of their plain form's kind: what differs is how a side tells its parts. */
enum coll_kind {
    COLL_BARRIER,   /* nothing else                                              */
    COLL_BROADCAST, /* n bytes from root's source to everybody's dest            */
    COLL_GATHER,    /* n bytes of each to root, in rank order                    */
    COLL_SCATTER,   /* block j of root's source to rank j                        */
    COLL_ALLGATHER, /* n bytes of each, in rank order (OpenSHMEM's fcollect)     */
    COLL_COLLECT,   /* n bytes of each, n may differ                             */
    COLL_ALLTOALL,  /* block j of rank i's source to block i of rank j's dest    */
    COLL_REDUCE,    /* count elements to root, combined in rank order            */
    COLL_ALLREDUCE, /* the same, and everybody gets the result (OpenSHMEM's reduce) */
    COLL_REDUCE_SCATTER, /* the same, and each gets its part of it               */
    COLL_INSCAN,    /* prefix over ranks 0..r                                    */
    COLL_EXSCAN,    /* prefix over ranks 0..r-1; OpenSHMEM: zero bytes on rank 0 */
    COLL_NEIGHBOR_ALLGATHER, /* MPI's, along a topology                          */
    COLL_NEIGHBOR_ALLTOALL,
    COLL_KINDS
};

/* Must not move from coll_start until it is done. */
struct coll_call {
    /* in */
    enum coll_kind kind;
    struct coll_team *team;
    const char *where; /* name of the call, for messages */
    void *dest;
    const void *source;
    size_t n;                        /* bytes per PE (reductions: count * size); alltoall: bytes of an element */
    size_t nelems;                   /* alltoall: elements per block; reductions: count */
    ptrdiff_t dest_step, source_step; /* alltoall: elements from one to the next in a block (1: contiguous); block j
                                         starts at element j*nelems*step */
    int root;
    bool root_keeps; /* broadcast: root's dest is not written (active sets) */
    bool meets; /* nobody is done before all have come: broadcasts, which need not meet */
    enum coll_type type;
    enum coll_op op;
    /* engine's state */
    bool (*step)(struct coll_call *c); /* the algorithm */
    int phase, round;
    uint64_t epoch, node_epoch;
    void (*last)(struct coll_call *c); /* what is done when all have arrived */
    const struct coll_piggyback *piggyback; /* what travels with the running barrier's signals */
    int result;
    _Alignas(16) char scratch[64];
    struct core_flow flow; /* what this call has under way on the network */
    char *buffer; /* private memory, freed when the call is done */
    size_t at; /* how far a long vector has come */
};

/* Choose the algorithm and make the first steps. */
void coll_start(struct coll_call *c);
/* One more step without blocking; true when done. */
bool coll_step(struct coll_call *c);
/* Block until done. */
void coll_wait(struct coll_call *c);
/* start + wait. Returns c->result (0). */
int coll_run(struct coll_call *c);

/* The straight-line fast path: all members arrive before one leaves. It orders
 * memory on a node; on a network this PE's puts are complete only if it has
 * called core_quiet before. */
void coll_barrier(struct coll_team *t, const char *where);

#endif
