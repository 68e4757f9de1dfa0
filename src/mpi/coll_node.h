/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocking collectives through shared memory, for communicators whose members
 * are on one node. Rank 0's arena holds a block that all load and store: for
 * each member a ring of lines in which it posts flags and small data for the
 * others, and a ring of slots for more.
 *
 * Collectives count hand-overs (epochs), the same on all members. Epoch e is
 * posted in line e % NODE_POSTS, its data in slot e % NODE_SLOTS. A member says in
 * `at` which epoch it has begun: it has finished reading all before. Nobody begins
 * epoch e while a member may still read a line or slot that e would use again, so
 * these hold what is meant. Small data lets a root be far ahead of the others.
 */
#ifndef MPI_COLL_NODE_H
#define MPI_COLL_NODE_H

#include "mpi/coll.h"

enum {
    NODE_POSTS = 64,
    NODE_SLOTS = 8,
    NODE_CHUNK = 32768, /* bytes of a slot; neighbouring slots are adjacent */
    NODE_WIDE = 4,      /* slots that a wide epoch takes */
    NODE_INLINE = 48,   /* bytes that travel in the flag's own line */
    NODE_MEMBERS = 512, /* so that each has a share of a slot */
};

struct node_post {
    uint64_t epoch; /* last one posted here */
    uint64_t total; /* bytes that the poster thinks the collective has */
    char data[NODE_INLINE];
} __attribute__((aligned(64)));

struct node_member {
    uint64_t at __attribute__((aligned(64)));
    struct node_post post[NODE_POSTS];
    char data[NODE_SLOTS][NODE_CHUNK] __attribute__((aligned(64)));
};

struct node_meet {
    uint64_t arrived, released; /* how many; last epoch in which all have */
} __attribute__((aligned(64)));

struct node_shared {
    uint64_t gone __attribute__((aligned(64)));    /* members that have forgotten the communicator */
    uint64_t blocked __attribute__((aligned(64))); /* members that wait for others' `at` */
    struct node_meet meet[NODE_POSTS];
    struct node_member member[];
};

struct mpii_node {
    struct node_shared *shared; /* NULL: there is none, messages serve */
    const struct mpii_comm *comm;
    int rank, size;
    bool few_cores; /* PEs outnumber them */
    bool crowded;   /* so, or many members: all count on one word, so that who waits looks at one, and the last wakes all */
    uint64_t epoch, seen; /* seen: all members have begun this one */
    MPI_Count share, wide_share; /* of a slot, and of NODE_WIDE of them: each member's part */
    struct mpii_node *next; /* list of those that wait for others to forget */
};

/* Of c's members; made at the first call. NULL: messages must serve. */
struct mpii_node *mpii_node_of(struct mpii_comm *c);

/* Begin the next epoch, of `width` slots (0: small data only, 1, 2, 4). Returns its number. */
uint64_t mpii_node_enter(struct mpii_node *n, int width, const char *where);
/* Its two halves, for who still reads the last epoch's slots when it fills the next one's. Only after mpii_node_wait_all of
 * an epoch of the same width: others may wait for this member to begin. */
uint64_t mpii_node_reserve(struct mpii_node *n, int width, const char *where);
void mpii_node_begin(struct mpii_node *n, uint64_t e, int width);
/* Where a member's `bytes` bytes of epoch e lie, a wide one's too. */
static inline char *mpii_node_slot(const struct mpii_node *n, int member, uint64_t e, int width, MPI_Count bytes)
{
    struct node_member *m = &n->shared->member[member];

    return bytes <= NODE_INLINE ? m->post[e % NODE_POSTS].data : m->data[(e - (uint64_t)(width - 1)) % NODE_SLOTS];
}

/* This member's data is in its slot. To: all of them, or the one who waits (MPII_NODE_ALL: all wait for all). */
enum { MPII_NODE_ALL = -1, MPII_NODE_OTHERS = -2 };
void mpii_node_post(struct mpii_node *n, uint64_t e, size_t total, int to);
/* Instead of a post by the one to whom the others post. */
void mpii_node_arrive(struct mpii_node *n, uint64_t e);
/* Until `member`, or all members, have posted e. After posts to MPII_NODE_ALL or to one rank: only wait_all. */
void mpii_node_wait(struct mpii_node *n, int member, uint64_t e, const char *where);
void mpii_node_wait_all(struct mpii_node *n, uint64_t e, const char *where);

/* Runs c on the node. false: messages must serve (the same on all members). */
bool mpii_node_run(const struct mpii_coll_call *c, int *err);

static inline int mpii_node_width(MPI_Count bytes)
{
    return bytes <= NODE_INLINE ? 0 : 1;
}

/* A collective's bytes [offset, offset + n) of the packed form of p, to and from a slot. */
static inline void mpii_node_put(char *slot, struct mpii_part p, MPI_Count offset, MPI_Count n)
{
    if (MPT_LIKELY(p.type->dense))
        core_copy(slot, (char *)p.at + offset, (size_t)n);
    else
        mpii_pack(slot, p.at, p.count, p.type, offset, n);
}
static inline void mpii_node_get(struct mpii_part p, MPI_Count offset, const char *slot, MPI_Count n)
{
    if (MPT_LIKELY(p.type->dense))
        core_copy((char *)p.at + offset, slot, (size_t)n);
    else
        mpii_unpack(p.at, p.count, p.type, offset, slot, n);
}
/* The own part, from the send side to the receive side. */
static inline void mpii_node_keep(struct mpii_part to, struct mpii_part from)
{
    if (to.type->dense && from.type->dense && mpii_part_size(to) == mpii_part_size(from))
        core_copy(to.at, from.at, (size_t)mpii_part_size(to));
    else
        mpii_copy(to.at, to.count, to.type, from.at, from.count, from.type);
}

typedef int mpii_node_body(struct mpii_node *n, const struct mpii_coll_call *c);
mpii_node_body mpii_node_barrier, mpii_node_bcast, mpii_node_gather, mpii_node_gatherv, mpii_node_scatter, mpii_node_scatterv;
mpii_node_body mpii_node_allgather, mpii_node_alltoall, mpii_node_alltoallv;
mpii_node_body mpii_node_reduce, mpii_node_allreduce, mpii_node_reduce_scatter, mpii_node_scan;

#endif
