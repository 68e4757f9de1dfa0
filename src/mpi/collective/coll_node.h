/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocking collectives through shared memory, for communicators whose members
 * are on one node. Rank 0's arena holds a block that all load and store: for
 * each member a ring of lines in which it posts flags and small data for the
 * others, and a ring of slots for more.
 *
 * Collectives count hand-overs (epochs), the same on all members. Epoch e is
 * posted in line e % NODE_POSTS. Its data is where the post says: in the line
 * itself, or in slots the poster takes in turn. A member says in `at` which epoch
 * it has begun: it has finished reading all before. Nobody writes a line or slot
 * while a member may still read what was there, so a root can be far ahead of the
 * others.
 *
 * Long data stays where it is: members tell each other where, and then read and
 * write each other's buffers (coll_direct.c).
 */
#ifndef MPI_COLL_NODE_H
#define MPI_COLL_NODE_H

#include "mpi/collective/coll.h"

enum {
    NODE_POSTS = 128,
    NODE_SLOT = 8192, /* bytes of a slot; neighbouring slots are adjacent */
    NODE_SLOTS = 32,
    NODE_CHUNK = 4 * NODE_SLOT, /* long data's usual piece */
    NODE_WIDE = 16 * NODE_SLOT, /* and the largest one; half of the ring */
    NODE_INLINE = 48,           /* bytes that travel in the flag's own line */
    NODE_MEMBERS = 512,         /* so that each has a share of the largest piece */
};

struct node_post {
    uint64_t epoch; /* last one posted here */
    uint64_t said;  /* how many bytes the poster gives in all; in the low byte the first slot of its data, in the high one
                     * which call it is in */
    char data[NODE_INLINE];
} __attribute__((aligned(64)));

struct node_member {
    uint64_t at __attribute__((aligned(64)));
    uint64_t order, doing; /* what it says once it has waited long: coll_strange.c */
    bool forgot; /* the communicator */
    struct node_post post[NODE_POSTS];
    char data[NODE_SLOTS][NODE_SLOT] __attribute__((aligned(64)));
};

struct node_meet {
    uint64_t arrived, released; /* how many, and in the upper half the sum of the calls they are in; last epoch in which all have */
    char data[NODE_INLINE];     /* what the last to arrive made of all that was posted */
} __attribute__((aligned(64)));

struct node_shared {
    uint64_t gone __attribute__((aligned(64)));    /* members that have forgotten the communicator */
    uint64_t blocked __attribute__((aligned(64))); /* members that wait for others' `at` */
    struct node_meet meet[NODE_POSTS];
    struct node_member member[];
};

/* A reduction's rank that gives another amount than this one, until the error is raised. */
struct mpii_unlike {
    bool found;
    int rank;
    MPI_Count own, bytes;
    bool more; /* it gives; bytes may be 0 then: not known how many */
};

struct mpii_node {
    struct node_shared *shared; /* NULL: there is none, messages serve */
    const struct mpii_comm *comm;
    int rank, size;
    bool few_cores; /* PEs outnumber them */
    bool crowded;   /* so, or many members: all count on one word, so that who waits looks at one, and the last wakes all */
    uint64_t epoch, seen;      /* seen: all members have begun this one */
    unsigned cursor;           /* the slot to take next */
    uint64_t used[NODE_SLOTS]; /* epoch whose data was last in this slot */
    uint8_t slot[NODE_POSTS];  /* first slot of this member's epochs */
    uint8_t what;              /* which call this member is in */
    const struct mpii_coll_call *call; /* it; only while it lasts */
    uint64_t look_at;          /* when a long wait may look again */
    bool backwards;            /* direction of the next long collective in which all take from all */
    struct mpii_unlike unlike;
    bool broken;               /* a member is dead, or the communicator revoked: see mpii_node_break */
    signed char reach;         /* may members read each other's private memory? -1: not known yet */
    struct node_shared *real;  /* the members' block, of one who has left it */
    int *procs;                /* the members, of a block that waits for them to forget */
    struct mpii_node *next;    /* list of those that wait for others to forget */
};

/* Where a wait is in vain this member leaves the block for good: the body goes on to its end with a private block
 * that nobody looks at, and its result counts as failed. The others may still read what it has posted. */
void mpii_node_break(struct mpii_node *n);
#define NODE_LEFT UINT64_MAX /* as `at`: it has begun all there will be */

/* Of c's members; made at the first call. NULL: messages must serve. */
struct mpii_node *mpii_node_of(struct mpii_comm *c, const char *where);

/* Of c's block; NULL: it has none. */
static inline struct mpii_unlike *mpii_node_unlike(const struct mpii_comm *c)
{
    return c->coll ? &((struct mpii_node *)c->coll)->unlike : NULL;
}

/* Begin the next epoch; room: bytes that this member is to post in it, at most NODE_WIDE. Returns its number. */
uint64_t mpii_node_enter(struct mpii_node *n, MPI_Count room, const char *where);
/* Its two halves, for who still reads the last epoch's slots when it fills the next one's. Only after mpii_node_wait_all:
 * others may wait for this member to begin. */
uint64_t mpii_node_reserve(struct mpii_node *n, MPI_Count room, const char *where);
void mpii_node_begin(struct mpii_node *n, uint64_t e);
/* Where a member's `bytes` bytes of epoch e lie: this one's after it has entered, others' after they have posted. */
static inline char *mpii_node_slot(const struct mpii_node *n, int member, uint64_t e, MPI_Count bytes)
{
    struct node_member *m = &n->shared->member[member];
    struct node_post *p = &m->post[e % NODE_POSTS];

    return bytes <= NODE_INLINE ? p->data : m->data[member == n->rank ? n->slot[e % NODE_POSTS] : p->said & 0xff];
}

/* Instead of how much there is: a root that goes on with mpii_direct_bcast, and so must the others. */
#define NODE_DIRECT ((MPI_Count)1 << 47)
/* Beside it: no data is posted, but where it lies. Who has posted data finds out that way that the other takes it for long. */
#define NODE_SPOTS ((MPI_Count)1 << 46)
static inline MPI_Count mpii_node_total(const struct mpii_node *n, int member, uint64_t e)
{
    return (MPI_Count)(n->shared->member[member].post[e % NODE_POSTS].said << 8 >> 16);
}

/* This member's data is in its slot. To: all of them, or the one who waits (MPII_NODE_ALL: all wait for all). */
enum { MPII_NODE_ALL = -1, MPII_NODE_OTHERS = -2, MPII_NODE_NONE = -3 };
void mpii_node_post(struct mpii_node *n, uint64_t e, MPI_Count total, int to);
/* Where a communicator is crowded, a post to all in two steps: the last to arrive (true) may work for all before it lets them
 * go on. */
bool mpii_node_post_last(struct mpii_node *n, uint64_t e, MPI_Count total);
void mpii_node_release(struct mpii_node *n, uint64_t e);
/* Instead of a post by the one to whom the others post. */
void mpii_node_arrive(struct mpii_node *n, uint64_t e);
/* Until `member`, or all members, have posted e. After posts to MPII_NODE_ALL or to one rank: only wait_all. */
void mpii_node_wait(struct mpii_node *n, int member, uint64_t e, const char *where);
void mpii_node_wait_all(struct mpii_node *n, uint64_t e, const char *where);

/* ---- calls that do not belong together (coll_strange.c) ---- */

/* The job ends: member's post is of this call, of another kind than this rank's; or some member's of epoch e is. */
void mpii_node_strange(int member, int what, const char *where) __attribute__((noreturn, noinline, cold));
void mpii_node_strangers(const struct mpii_node *n, uint64_t e) __attribute__((noreturn, noinline, cold));
/* By who has waited long in this rank's call for a post of the last epoch, `member`'s or all members' (MPII_NODE_NONE: for
 * something else): ends the job where that cannot come. */
void mpii_node_look(struct mpii_node *n, int member, const char *where) __attribute__((noinline, cold));

/* Runs c on the node. false: messages must serve (the same on all members). */
bool mpii_node_run(const struct mpii_coll_call *c, int *err);

/* Ask for a line that will be stored to: those that have read it have it in their caches. */
static inline void mpii_node_own_line(char *p)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*p)); /* a no-op where the processor does not have it */
#else
    __builtin_prefetch(p, 1, 3);
#endif
}
static inline void mpii_node_own_lines(char *slot, MPI_Count n)
{
    for (MPI_Count i = 0; i < n && i < NODE_SLOT; i += 64)
        mpii_node_own_line(slot + i);
}

/* A collective's bytes [offset, offset + n) of the packed form of p, to and from a slot. */
static inline void mpii_node_put(char *slot, struct mpii_part p, MPI_Count offset, MPI_Count n)
{
    if (n > NODE_INLINE)
        mpii_node_own_lines(slot, n);
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
/* The own part, from the send side to the receive side; true: there is no room for all of it. */
static inline bool mpii_node_keep(struct mpii_part to, struct mpii_part from)
{
    MPI_Count room = mpii_part_size(to), n = mpii_part_size(from);

    if (to.type->dense && from.type->dense && room == n)
        core_copy(to.at, from.at, (size_t)n);
    else
        mpii_copy(to.at, to.count, to.type, from.at, from.count, from.type);
    return n > room;
}

typedef int mpii_node_body(struct mpii_node *n, const struct mpii_coll_call *c);
mpii_node_body mpii_node_barrier, mpii_node_bcast, mpii_node_gather, mpii_node_gatherv, mpii_node_scatter, mpii_node_scatterv;
mpii_node_body mpii_node_allgather, mpii_node_alltoall, mpii_node_alltoallv;
mpii_node_body mpii_node_reduce, mpii_node_allreduce, mpii_node_reduce_scatter, mpii_node_scan;

/* ---- long data where it is (coll_direct.c, coll_direct_reduce.c) ---- */

/* Where a member's buffer is, for the others. */
struct node_spot {
    enum { NODE_SPOT_NONE, NODE_SPOT_SHARED, NODE_SPOT_PRIVATE } kind;
    uint64_t at; /* SHARED: a place (core_place_at); PRIVATE: an address of its own */
};
struct node_spots {
    struct node_spot in, out;
};
_Static_assert(sizeof(struct node_spots) <= NODE_INLINE, "both travel in a line");

/* A hand-over of spots. False: some part cannot be reached, or members do not agree on `total`. Parts that nobody is to
 * reach: NULL. */
bool mpii_direct_begin(struct mpii_node *n, const struct mpii_coll_call *c, const struct mpii_part *in, const struct mpii_part *out,
                       MPI_Count total, uint64_t *e);
/* All have finished with each other's buffers. */
void mpii_direct_end(struct mpii_node *n, const struct mpii_coll_call *c);
static inline const struct node_spots *mpii_direct_spots(const struct mpii_node *n, int member, uint64_t e)
{
    return (const struct node_spots *)(const void *)n->shared->member[member].post[e % NODE_POSTS].data;
}
/* Bytes [from, from + b) of a member's buffer, to and from `here`. all: bytes that this rank moves in this call. An error class. */
int mpii_direct_pull(const struct mpii_node *n, int member, struct node_spot spot, MPI_Count from, void *here, MPI_Count b, MPI_Count all);
int mpii_direct_push(const struct mpii_node *n, int member, struct node_spot spot, MPI_Count from, const void *here, MPI_Count b);

/* False: nothing was done, and the slots must serve (the same on all members). */
typedef bool mpii_direct_body(struct mpii_node *n, const struct mpii_coll_call *c, int *err);
mpii_direct_body mpii_direct_bcast, mpii_direct_gather, mpii_direct_scatter, mpii_direct_allgather, mpii_direct_alltoall;
mpii_direct_body mpii_direct_reduce, mpii_direct_allreduce;

#endif
