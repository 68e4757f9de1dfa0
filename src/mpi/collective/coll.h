/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the collectives' chapter share: a collective call as data
 * (coll_call.c makes it from arguments), the ways to run it (coll_run.c,
 * coll_request.c), and the builders of schedules (sched_*.c), of which the table in
 * coll_table.c chooses.
 */
#ifndef MPI_COLL_H
#define MPI_COLL_H

#include "mpi/collective/sched.h"

/* v and w forms are of their plain form's kind: what differs is how a side tells its parts. */
enum mpii_coll_kind {
    MPII_BARRIER, MPII_BCAST, MPII_GATHER, MPII_SCATTER, MPII_ALLGATHER, MPII_ALLTOALL, MPII_REDUCE, MPII_ALLREDUCE,
    MPII_REDUCE_SCATTER, MPII_SCAN, MPII_EXSCAN, MPII_NEIGHBOR_ALLGATHER, MPII_NEIGHBOR_ALLTOALL,
    MPII_COLL_KINDS
};

/* One side's data: `count` elements for each rank one after the other, or
 * counts and displacements by rank, or these and types by rank. */
struct mpii_side {
    void *buf;
    MPI_Count count;
    struct mpii_type *type; /* not when there are types */
    const void *counts, *displs;
    const MPI_Datatype *types; /* displs are in bytes then */
    bool wide_displs; /* neighbor_alltoallw: MPI_Aint in both forms */
};

struct mpii_coll_call {
    enum mpii_coll_kind kind;
    struct mpii_comm *comm;
    const char *call; /* "MPI_Bcast" */
    struct mpii_side send, recv;
    bool uneven;   /* a v or w form: other ranks' parts may differ */
    bool in_place; /* the send side is (scatter: the receive side) */
    int wide;
    int root;
    uint8_t what; /* of the library's own: in which call; 0: the user's */
    struct mpii_op *op;
};

/* Calls that do not belong together must not meet: a number for each kind, for the library's own by kind or by the call
 * that makes them (mpii_coll_within). */
enum { MPII_WHAT_OWN = 64, MPII_WHAT_READ = 96, MPII_WHAT_WRITE, MPII_WHAT_CALL = 128 };
static inline uint8_t mpii_coll_what(const struct mpii_coll_call *c)
{
    return MPT_LIKELY(!c->what) ? (uint8_t)(2 * c->kind + c->uneven + 1) : c->what;
}

/* What rank i's data is on this side. */
struct mpii_part mpii_coll_part(const struct mpii_coll_call *c, const struct mpii_side *side, int i);
/* All of a side that has no parts: bcast, reductions. */
static inline struct mpii_part mpii_coll_whole(const struct mpii_side *side)
{
    return (struct mpii_part){side->buf, side->count, side->type};
}
/* A reduction's own contribution. */
static inline struct mpii_part mpii_coll_own(const struct mpii_coll_call *c)
{
    return (struct mpii_part){c->in_place ? c->recv.buf : c->send.buf, c->recv.count, c->recv.type};
}

/* ---- running (coll_run.c, coll_request.c) ---- */

/* Blocking; returns an error class, raises nothing. */
int mpii_coll_run(const struct mpii_coll_call *c);
/* How a body is to run its call: at once, started, or made for later starts. */
enum mpii_coll_form { MPII_COLL_NOW, MPII_COLL_STARTED, MPII_COLL_PERSISTENT };
/* Raises errors; request is not used by MPII_COLL_NOW. */
int mpii_coll_go(const struct mpii_coll_call *c, enum mpii_coll_form form, MPI_Request *request);
/* Of a request that mpii_coll_go made (sections.h). */
struct mpt_hooks;
int mpii_coll_follow(MPI_Request request, const struct mpt_hooks *hooks, void *arg);
/* A schedule of c by the table's algorithm; check: with the steps of MPT_CHECK before it. NULL: out of memory. */
struct mpii_sched *mpii_coll_schedule(const struct mpii_coll_call *c, int tag, bool check);
/* Tags: all members start the same collectives in the same order. Those of
 * persistent ones stay in use while others come and go. */
int mpii_coll_tag(struct mpii_comm *comm, bool persistent);

/* MPT_CHECK=1 (coll_check.c): do the ranks' calls agree? As the first steps of a schedule, or at once. Raises the error. */
void mpii_coll_check_steps(struct mpii_sched *s, const struct mpii_coll_call *c);
int mpii_coll_check_now(const struct mpii_coll_call *c);

/* ---- builders ----
 * Each adds the steps of this rank to s. */
typedef void mpii_coll_builder(struct mpii_sched *s, const struct mpii_coll_call *c);
mpii_coll_builder *mpii_coll_choose(const struct mpii_coll_call *c);
/* Bytes of a part, or of the vector, where all ranks know them to be the same; -1: v and w forms. */
MPI_Count mpii_coll_even_bytes(const struct mpii_coll_call *c);

mpii_coll_builder mpii_build_barrier, mpii_build_bcast_tree, mpii_build_bcast_ring;
mpii_coll_builder mpii_build_gather_tree, mpii_build_gather_all, mpii_build_scatter_tree, mpii_build_scatter_all;
mpii_coll_builder mpii_build_allgather_bruck, mpii_build_allgather_ring;
mpii_coll_builder mpii_build_alltoall_bruck, mpii_build_alltoall_pairs;
mpii_coll_builder mpii_build_reduce_tree, mpii_build_reduce_ring, mpii_build_allreduce_doubling, mpii_build_allreduce_ring;
mpii_coll_builder mpii_build_reduce_scatter_pairs, mpii_build_reduce_scatter_root, mpii_build_scan, mpii_build_exscan;
mpii_coll_builder mpii_build_inter_barrier, mpii_build_inter_bcast, mpii_build_inter_gather, mpii_build_inter_scatter;
mpii_coll_builder mpii_build_inter_all, mpii_build_inter_reduce, mpii_build_inter_allreduce, mpii_build_inter_reduce_scatter;
mpii_coll_builder mpii_build_neighbor;

/* sched_nodes.c. Are there several nodes, and members that share one, and may the call be carried out node by node? */
bool mpii_coll_over_nodes(const struct mpii_coll_call *c);
mpii_coll_builder mpii_build_barrier_nodes, mpii_build_bcast_nodes, mpii_build_allreduce_nodes;
mpii_coll_builder mpii_build_reduce_nodes, mpii_build_allgather_nodes, mpii_build_alltoall_nodes;

/* Pieces of them, over an intracommunicator (the schedule's current one). */
void mpii_build_barrier_over(struct mpii_sched *s, const struct mpii_comm *comm);
void mpii_build_bcast_over(struct mpii_sched *s, const struct mpii_comm *comm, struct mpii_part p, int root);
/* Rank order combination to `root`; result: NULL .at except at root, where it is set on entry. own may be result. */
void mpii_build_reduce_over(struct mpii_sched *s, const struct mpii_comm *comm, struct mpii_op *op, struct mpii_part own,
                            struct mpii_part result, int root);
/* Among n ranks of a list (NULL: all of them), of which this process is number `me`: to the first, in the list's order
 * (result is the others' room, too); or what is in everybody's result, to all. */
void mpii_build_reduce_among(struct mpii_sched *s, const int *ranks, int n, int me, struct mpii_op *op, struct mpii_part own,
                             struct mpii_part result);
void mpii_build_doubling_among(struct mpii_sched *s, const int *ranks, int n, int me, struct mpii_op *op, struct mpii_part result);

#endif
