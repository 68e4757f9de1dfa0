/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the collectives' chapter share: a collective call as data
 * (coll_call.c makes it from arguments), the ways to run it (coll_run.c,
 * coll_request.c), and the builders of schedules (sched_*.c), of which the table in
 * coll_table.c chooses.
 */
#ifndef MPI_COLL_H
#define MPI_COLL_H

#include "coll/block.h"
#include "mpi/collective/sched.h"
#include "mpi/p2p/p2p.h"

struct mpii_coll_call {
    struct coll_block_call data; /* first; what bodies for a node see of it */
    struct mpii_comm *comm;
    int wide; /* width of the sides' arrays */
    bool wide_displs; /* neighbor_alltoallw: MPI_Aint in both forms */
    struct mpii_op *op;
    /* Not of blocking ones (coll_later.c): */
    uint32_t *tags; /* that were taken when it was called; NULL: it takes the communicator's */
    void **block;   /* where a persistent one finds a block of its own; NULL: the communicator's serves */
};
static inline const struct mpii_coll_call *mpii_coll_call_of(const struct coll_block_call *c)
{
    return (const struct mpii_coll_call *)(const void *)c;
}

/* Calls that do not belong together must not meet: a number for each kind, for the library's own by kind or by the call
 * that makes them (mpii_coll_within). */
enum {
    MPII_WHAT_NONBLOCKING = 32, /* does not meet the blocking call of its name */
    MPII_WHAT_OWN = 64,
    MPII_WHAT_READ = 96,
    MPII_WHAT_WRITE,
    MPII_WHAT_CALL = 128
};
static inline uint8_t mpii_coll_what(const struct mpii_coll_call *c)
{
    return MPT_LIKELY(!c->data.what)
               ? (uint8_t)(2 * c->data.kind + c->data.uneven + 1 + (c->tags ? MPII_WHAT_NONBLOCKING : 0))
               : c->data.what;
}

/* NULL: it has none, or one for each rank. */
static inline struct mpii_type *mpii_side_type(const struct coll_side *side)
{
    return mpii_type_of_layout(side->layout);
}
/* What rank i's data is on this side. */
struct mpii_part mpii_coll_part(const struct mpii_coll_call *c, const struct coll_side *side, int i);
static inline struct mpii_part mpii_part_from(struct coll_part p)
{
    return (struct mpii_part){p.at, p.count, mpii_type_of_layout(p.layout)};
}
static inline struct mpii_part mpii_coll_whole(const struct coll_side *side)
{
    return mpii_part_from(coll_whole(side));
}
static inline struct mpii_part mpii_coll_own(const struct mpii_coll_call *c)
{
    return mpii_part_from(coll_own(&c->data));
}

/* ---- running (coll_run.c, coll_request.c) ---- */

/* Blocking; returns an error class, raises nothing. */
int mpii_coll_run(const struct mpii_coll_call *c);
/* What a meeting of all in MPI does meanwhile (coll_meet.c). */
struct core_meet_hooks mpii_meet_hooks(enum coll_kind kind);
/* coll_meet.c: where comm->meets. False: another algorithm must serve, for all ranks. */
bool mpii_coll_meet(const struct mpii_coll_call *c, int *err);
/* The same of a nonblocking one, in two halves (coll/meet.h): does it begin so, for all ranks? The second half is that
 * of a meeting whose end may not have come. And who waits for it may wait in the meeting. */
bool mpii_coll_meets(const struct mpii_coll_call *c);
uint64_t mpii_coll_meet_begin(const struct mpii_coll_call *c); /* the meeting's number */
enum coll_met mpii_coll_meet_end(const struct mpii_coll_call *c, uint64_t epoch);
void mpii_coll_meet_await(const struct mpii_coll_call *c, uint64_t epoch);
/* Its body: the same where no nonblocking one is under way, or on a fiber. */
int mpii_coll_body(const struct mpii_coll_call *c);
/* On one node a nonblocking or persistent collective is its blocking body on a fiber (coll_later.c). Nonblocking ones
 * of a communicator run one after the other, as they were called. */
struct mpii_coll_later;
bool mpii_coll_later_serves(const struct mpii_coll_call *c, bool persistent); /* the same on all members */
/* Calls done at its end, with an error class and, where that is of a reduction to which ranks give different amounts,
 * who does. NULL: out of memory. */
struct coll_unlike;
typedef void mpii_coll_done(struct mpii_request *r, int error, const struct coll_unlike *u);
struct mpii_coll_later *mpii_coll_later_new(const struct mpii_coll_call *c, struct mpii_request *r, bool persistent,
                                            mpii_coll_done *done);
/* A nonblocking one once; it goes away at its end. */
void mpii_coll_later_start(struct mpii_coll_later *l);
/* A short nonblocking one, in halves, where none is under way: begun, so that the others need not wait while its
 * request is made; NULL: it must be made as above. Has it ended at once, with *err? Otherwise what is behind its
 * beginning; false: it has ended with *err. */
struct mpii_coll_later *mpii_coll_later_short(const struct mpii_coll_call *c);
bool mpii_coll_later_short_ended(struct mpii_coll_later *l, const struct mpii_coll_call *c, int *err);
bool mpii_coll_later_short_on(struct mpii_coll_later *l, const struct mpii_coll_call *c, struct mpii_request *r,
                              mpii_coll_done *done, int *err);
/* By who waits for it: is it done soon? */
void mpii_coll_later_look(struct mpii_coll_later *l);
/* r is gone. What is still under way goes on, and nobody wants to know. */
void mpii_coll_later_free(struct mpii_coll_later *l);
/* Until c has none under way: a blocking collective comes behind them. */
void mpii_coll_later_drain(struct mpii_comm *c, const char *where);
/* How a body is to run its call: at once, started, or made for later starts. */
enum mpii_coll_form { MPII_COLL_NOW, MPII_COLL_STARTED, MPII_COLL_PERSISTENT };
/* Raises errors; request is not used by MPII_COLL_NOW. */
int mpii_coll_go(const struct mpii_coll_call *c, enum mpii_coll_form form, MPI_Request *request);
/* Of a request that mpii_coll_go made (follow.h). */
struct mpt_hooks;
int mpii_coll_follow(MPI_Request request, const struct mpt_hooks *hooks, void *arg);
/* A schedule of c by the table's algorithm; check: with the steps of MPT_CHECK before it. NULL: out of memory. */
/* coll_race.c: this process comes to a collective, gets its number, and goes on. To be called only if core_race_on().
 */
uint32_t mpii_coll_race_come(const struct mpii_comm *c);
void mpii_coll_race_learn(const struct mpii_coll_call *call, uint32_t number);
void mpii_coll_race_learn_all(const struct mpii_comm *c, uint32_t number);
struct mpii_sched *mpii_coll_schedule(const struct mpii_coll_call *c, int tag, bool check);
/* Tags: all members start the same collectives in the same order. Those of
 * persistent ones stay in use while others come and go. */
int mpii_coll_tag(struct mpii_comm *comm, bool persistent);
/* The next one of a call that has come to its turn. */
int mpii_coll_next_tag(const struct mpii_coll_call *c);

/* MPT_CHECK=1 (coll_check.c): do the ranks' calls agree? As the first steps of a schedule, or at once. Raises the
 * error. */
void mpii_coll_check_steps(struct mpii_sched *s, const struct mpii_coll_call *c);
int mpii_coll_check_now(const struct mpii_coll_call *c);
/* Their tags are the same for all calls, as those of different ones are to meet; no other messages have them. */
static inline int mpii_coll_check_tag(int tag)
{
    return tag & 1 << 30 ? tag : tag & (MPII_CHECK_TAGS - 1);
}

/* Over messages, where a member has another amount of data than this one (coll_strange.c). */
_Noreturn void mpii_coll_other_amount(int member, const char *where);
bool mpii_coll_look_due(uint64_t *next); /* is it time to look what others do? Then the next time is set. */

/* --check (coll_watch.c): buffers of a nonblocking or persistent call; of a blocking one, do they overlap? */
void mpii_coll_watch(struct mpii_request *r, const struct mpii_coll_call *c);
void mpii_coll_watch_now(const struct mpii_coll_call *c);

/* ---- builders ----
 * Each adds the steps of this rank to s. */
typedef void mpii_coll_builder(struct mpii_sched *s, const struct mpii_coll_call *c);
/* The first that fits in the table of algorithms. */
mpii_coll_builder *mpii_coll_choose(const struct mpii_coll_call *c);
/* Bytes of a part, or of the vector, where all ranks know them to be the same; -1: v and w forms. */
MPI_Count mpii_coll_even_bytes(const struct mpii_coll_call *c);

mpii_coll_builder mpii_build_barrier, mpii_build_bcast_tree, mpii_build_bcast_ring;
mpii_coll_builder mpii_build_gather_tree, mpii_build_gather_all, mpii_build_scatter_tree, mpii_build_scatter_all;
mpii_coll_builder mpii_build_allgather_bruck, mpii_build_allgather_ring;
mpii_coll_builder mpii_build_alltoall_bruck, mpii_build_alltoall_pairs;
mpii_coll_builder mpii_build_reduce_tree, mpii_build_reduce_ring, mpii_build_allreduce_doubling,
    mpii_build_allreduce_ring;
mpii_coll_builder mpii_build_reduce_scatter_pairs, mpii_build_reduce_scatter_root, mpii_build_scan, mpii_build_exscan;
mpii_coll_builder mpii_build_inter_barrier, mpii_build_inter_bcast, mpii_build_inter_gather, mpii_build_inter_scatter;
mpii_coll_builder mpii_build_inter_all, mpii_build_inter_reduce, mpii_build_inter_allreduce,
    mpii_build_inter_reduce_scatter;
mpii_coll_builder mpii_build_neighbor;

/* sched_nodes.c. Are there several nodes, and members that share one, and may the call be carried out node by node? */
bool mpii_coll_over_nodes(const struct mpii_coll_call *c);
mpii_coll_builder mpii_build_barrier_nodes, mpii_build_bcast_nodes, mpii_build_allreduce_nodes;
mpii_coll_builder mpii_build_reduce_nodes, mpii_build_allgather_nodes, mpii_build_alltoall_nodes;

/* Pieces of them, over an intracommunicator (the schedule's current one). */
void mpii_build_barrier_over(struct mpii_sched *s, const struct mpii_comm *comm);
void mpii_build_bcast_over(struct mpii_sched *s, const struct mpii_comm *comm, struct mpii_part p, int root);
/* Rank order combination to `root`; result: NULL .at except at root, where it is set on entry. own may be result. */
void mpii_build_reduce_over(struct mpii_sched *s, const struct mpii_comm *comm, struct mpii_op *op,
                            struct mpii_part own, struct mpii_part result, int root);
/* Among n ranks of a list (NULL: all of them), of which this process is number `me`: to the first, in the list's order
 * (result is the others' room, too); or what is in everybody's result, to all. */
void mpii_build_reduce_among(struct mpii_sched *s, const int *ranks, int n, int me, struct mpii_op *op,
                             struct mpii_part own, struct mpii_part result);
void mpii_build_doubling_among(struct mpii_sched *s, const int *ranks, int n, int me, struct mpii_op *op,
                               struct mpii_part result);

#endif
