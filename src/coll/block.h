/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives through a block of memory that the members of a team or
 * communicator on one node share. It lies in the arena of rank 0, and all load and
 * store there: for each member a ring of lines in which it posts flags and small
 * data for the others, and a ring of slots for more.
 *
 * Collectives count hand-overs (epochs), the same on all members. Epoch e is
 * posted in line e % COLL_BLOCK_POSTS. Its data is where the post says: in the line
 * itself, or in slots the poster takes in turn. A member says in `at` which epoch
 * it has begun: it has finished reading all before. Nobody writes a line or slot
 * while a member may still read what was there, so a root can be far ahead of the
 * others.
 *
 * Long data stays where it is: members tell each other where, and then read and
 * write each other's buffers (block_direct.c).
 *
 * What the block does not know the face does that has made it (struct coll_face):
 * it waits, packs what is not dense, combines by users' functions, and carries what
 * does not fit. Bodies wait inside; a face that must not wait runs them on a fiber.
 */
#ifndef COLL_BLOCK_H
#define COLL_BLOCK_H

#include <errno.h>

#include "coll/coll.h"
#include "coll/layout.h"

enum {
    COLL_BLOCK_POSTS = 128,
    COLL_BLOCK_SLOT = 8192, /* bytes of a slot; neighbouring slots are adjacent */
    COLL_BLOCK_SLOTS = 32,
    COLL_BLOCK_CHUNK = 4 * COLL_BLOCK_SLOT, /* long data's usual piece */
    COLL_BLOCK_WIDE = 16 * COLL_BLOCK_SLOT, /* and the largest one; half of the ring */
    COLL_BLOCK_INLINE = 48,           /* bytes that travel in the flag's own line */
    COLL_BLOCK_MEMBERS = 512,         /* so that each has a share of the largest piece */
};

struct coll_post {
    uint64_t epoch; /* last one posted here */
    uint64_t said;  /* how many bytes the poster gives in all; in the low byte the first slot of its data, in the high
                     * one which call it is in */
    char data[COLL_BLOCK_INLINE];
} __attribute__((aligned(64)));

struct coll_member {
    uint64_t at __attribute__((aligned(64)));
    uint64_t order, doing; /* what it says once it has waited long: the face's */
    bool forgot; /* the block */
    struct coll_post post[COLL_BLOCK_POSTS];
    char data[COLL_BLOCK_SLOTS][COLL_BLOCK_SLOT] __attribute__((aligned(64)));
};

struct coll_meeting {
    uint64_t arrived,
        released; /* how many, and in the upper half the sum of the calls they are in; last epoch in which all have */
    char data[COLL_BLOCK_INLINE];     /* what the last to arrive made of all that was posted */
} __attribute__((aligned(64)));

struct coll_shared {
    uint64_t gone __attribute__((aligned(64)));    /* members that have forgotten the block */
    uint64_t blocked __attribute__((aligned(64))); /* members that wait for others' `at` */
    struct coll_meeting meet[COLL_BLOCK_POSTS];
    struct coll_member member[];
};

/* ---- what a face brings ---- */

/* A call as the bodies see it. */
struct coll_block_call {
    enum coll_kind kind;
    const char *where; /* name of the call, for messages */
    struct coll_side send, recv;
    bool uneven;   /* a v or w form: other ranks' parts may differ */
    bool in_place; /* the send side is (scatter: the receive side) */
    int root;
    uint8_t what; /* of the face's own: which kind of call, so that others' are recognised */
    coll_op_fn *loop; /* of a reduction; NULL: the face's `join` */
};

/* A reduction's own contribution. */
static inline struct coll_part coll_own(const struct coll_block_call *c)
{
    return (struct coll_part){c->in_place ? c->recv.buf : c->send.buf, c->recv.count, c->recv.layout};
}

/* What bodies return beside 0; what is positive is the face's own, from `rest_end`. Also -ENOMEM. */
enum {
    COLL_TRUNCATED = -EMSGSIZE,  /* more came than there is room for */
    COLL_UNEQUAL = -EINVAL,      /* another rank gives less to a reduction */
    COLL_UNREACHED = -EFAULT,    /* a member's memory cannot be read or written */
    COLL_DEAD = -EOWNERDEAD,     /* because it has died */
};

struct coll_block;
struct coll_face {
    void (*pause)(struct core_waiter *w); /* a step of waiting: what is to be done meanwhile, then a pause */
    const bool *may_die;                  /* do members die without the job? Then: */
    bool (*is_dead)(int pe);
    /* What rank 0 has in `word` to all, while there is no block yet. False: it cannot be told. */
    bool (*tell)(const struct coll_block_call *c, void *word, size_t n);

    /* Bytes [offset, offset + n) of the packed form of what is not dense; all of a part to another one, the smaller of
     * both sizes. */
    void (*pack)(void *to, struct coll_part p, int64_t offset, int64_t n);
    void (*unpack)(struct coll_part p, int64_t offset, const void *from, int64_t n);
    void (*copy)(struct coll_part to, struct coll_part from);
    /* Rank i's part of a side with arrays. */
    struct coll_part (*part)(const struct coll_block_call *c, const struct coll_side *side, int i);
    /* result = left op right; a function that can only do right = left op right finds the right one copied there. */
    void (*join)(const struct coll_block_call *c, const void *left, const void *right, void *result, int64_t count);

    /* What of a v or w form does not fit goes by message. All members take the tag, whether they need it or not; *rest
     * is NULL at first, and what was given to it is carried out at its end. */
    int (*rest_tag)(const struct coll_block_call *c);
    void (*rest_send)(void **rest, const struct coll_block_call *c, int tag, struct coll_part p, int to);
    void (*rest_recv)(void **rest, const struct coll_block_call *c, int tag, struct coll_part p, int from);
    int (*rest_end)(void *rest, const struct coll_block_call *c);

    /* Calls that do not belong together end the job. `strange`: member's post is of call `what`, of another kind than
     * this rank's; `strangers`: some member's of epoch e is. `look`: by who has waited long for a post of the last
     * epoch, `member`'s or all members' (COLL_BLOCK_NONE: for something else): ends the job where that cannot come. */
    void (*strange)(int member, int what, const char *where);
    void (*strangers)(const struct coll_block *b, uint64_t e);
    void (*look)(struct coll_block *b, int member, const char *where);
};

/* ---- the block ---- */

/* A reduction's rank that gives another amount than this one, until the error is raised. */
struct coll_unlike {
    bool found;
    int rank;
    int64_t own, bytes;
    bool more; /* it gives; bytes may be 0 then: not known how many */
};

struct coll_block {
    struct coll_shared *shared; /* NULL: there is none, messages serve */
    const struct coll_face *face;
    const int *pes; /* the members */
    const uint8_t *trouble; /* not 0: waits are in vain */
    int rank, size;
    bool oversubscribed; /* PEs outnumber them */
    bool crowded; /* so, or many members: all count on one word, so that who waits looks at one, and the last wakes all
                   */
    uint64_t epoch, seen; /* seen: all members have begun this one */
    unsigned cursor; /* the slot to take next */
    uint64_t used[COLL_BLOCK_SLOTS]; /* epoch whose data was last in this slot */
    uint8_t slot[COLL_BLOCK_POSTS]; /* first slot of this member's epochs */
    struct core_wake_set *others; /* to wake them at once; NULL: one by one */
    uint8_t what; /* which call this member is in */
    const struct coll_block_call *call; /* it; only while it lasts */
    uint64_t look_at; /* when a long wait may look again */
    bool backwards; /* direction of the next long collective in which all take from all */
    struct coll_unlike unlike;
    bool broken; /* what it serves is in trouble: see coll_block_break */
    signed char cma; /* may members read each other's private memory? -1: not known yet */
    struct coll_shared *real; /* the members' block, of one who has left it */
    int *kept; /* the members, of a block that waits for them to forget */
    struct coll_block *next; /* list of those that wait for others to forget */
};

/* Where a wait is in vain this member leaves the block for good: the body goes on to its end with a private block
 * that nobody looks at, and its result counts as failed. The others may still read what it has posted. */
void coll_block_break(struct coll_block *n);
#define COLL_BLOCK_LEFT UINT64_MAX /* as `at`: it has begun all there will be */

/* Made by all members together, by their first call. Pes and trouble live as long as it. NULL: there is no memory for
 * it, or it could not be told where it is. */
struct coll_block *coll_block_make(const struct coll_block_call *c, const struct coll_face *face, int rank, int size,
                                   const int *pes, const uint8_t *trouble);
/* This member is done with it; NULL is fine. */
void coll_block_forget(struct coll_block *n);

/* Begin the next epoch; room: bytes that this member is to post in it, at most COLL_BLOCK_WIDE. Returns its number. */
uint64_t coll_block_enter(struct coll_block *n, int64_t room, const char *where);
/* Its two halves, for whoever still reads the last epoch's slots when it fills the next one's. Only after
 * coll_block_wait_all: others may wait for this member to begin. */
uint64_t coll_block_reserve(struct coll_block *n, int64_t room, const char *where);
void coll_block_begin(struct coll_block *n, uint64_t e);
/* Where a member's `bytes` bytes of epoch e lie: this one's after it has entered, others' after they have posted. */
static inline char *coll_block_slot(const struct coll_block *n, int member, uint64_t e, int64_t bytes)
{
    struct coll_member *m = &n->shared->member[member];
    struct coll_post *p = &m->post[e % COLL_BLOCK_POSTS];

    return bytes <= COLL_BLOCK_INLINE ? p->data
                                      : m->data[member == n->rank ? n->slot[e % COLL_BLOCK_POSTS] : p->said & 0xff];
}

/* Instead of how much there is: a root that goes on with coll_direct_bcast, and so must the others. */
#define COLL_BLOCK_DIRECT ((int64_t)1 << 47)
/* Beside it: no data is posted, but where it lies. Who has posted data finds out that way that the other takes it for
 * long. */
#define COLL_BLOCK_SPOTS ((int64_t)1 << 46)
static inline int64_t coll_block_total(const struct coll_block *n, int member, uint64_t e)
{
    return (int64_t)(n->shared->member[member].post[e % COLL_BLOCK_POSTS].said << 8 >> 16);
}

/* This member's data is in its slot. To: all of them, or the one who waits (COLL_BLOCK_ALL: all wait for all). */
enum { COLL_BLOCK_ALL = -1, COLL_BLOCK_OTHERS = -2, COLL_BLOCK_NONE = -3 };
void coll_block_post(struct coll_block *n, uint64_t e, int64_t total, int to);
/* Where a communicator is crowded, a post to all in two steps: the last to arrive (true) may work for all before it
 * lets them go on. */
bool coll_block_post_last(struct coll_block *n, uint64_t e, int64_t total);
void coll_block_release(struct coll_block *n, uint64_t e);
/* Instead of a post by the one to whom the others post. */
void coll_block_arrive(struct coll_block *n, uint64_t e);
/* Until `member`, or all members, have posted e. After posts to COLL_BLOCK_ALL or to one rank: only wait_all. */
void coll_block_wait(struct coll_block *n, int member, uint64_t e, const char *where);
void coll_block_wait_all(struct coll_block *n, uint64_t e, const char *where);

/* Ask for a line that will be stored to: those that have read it have it in their caches. */
static inline void coll_block_own_line(char *p)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*p)); /* a no-op where the processor does not have it */
#else
    __builtin_prefetch(p, 1, 3);
#endif
}
static inline void coll_block_own_lines(char *slot, int64_t n)
{
    for (int64_t i = 0; i < n && i < COLL_BLOCK_SLOT; i += 64)
        coll_block_own_line(slot + i);
}

/* A collective's bytes [offset, offset + n) of the packed form of p, to and from a slot. */
static inline void coll_block_put(const struct coll_block *b, char *slot, struct coll_part p, int64_t offset, int64_t n)
{
    if (n > COLL_BLOCK_INLINE)
        coll_block_own_lines(slot, n);
    if (MPT_LIKELY(p.layout->dense))
        core_copy(slot, (char *)p.at + offset, (size_t)n);
    else
        b->face->pack(slot, p, offset, n);
}
static inline void coll_block_get(const struct coll_block *b, struct coll_part p, int64_t offset, const char *slot,
                                  int64_t n)
{
    if (MPT_LIKELY(p.layout->dense))
        core_copy((char *)p.at + offset, slot, (size_t)n);
    else
        b->face->unpack(p, offset, slot, n);
}
/* The own part, from the send side to the receive side; true: there is no room for all of it. */
static inline bool coll_block_keep(const struct coll_block *b, struct coll_part to, struct coll_part from)
{
    int64_t room = coll_part_size(to), n = coll_part_size(from);

    if (to.layout->dense && from.layout->dense && room == n)
        core_copy(to.at, from.at, (size_t)n);
    else
        b->face->copy(to, from);
    return n > room;
}

/* Rank i's part of a side. */
static inline struct coll_part coll_block_part(const struct coll_block *b, const struct coll_block_call *c,
                                               const struct coll_side *side, int i)
{
    if (MPT_UNLIKELY(side->counts != NULL))
        return b->face->part(c, side, i);
    return (struct coll_part){(char *)side->buf + i * side->count * side->layout->extent, side->count, side->layout};
}
/* result = left op right */
static inline void coll_block_join(const struct coll_block *b, const struct coll_block_call *c, const void *left,
                                   const void *right, void *result, int64_t count)
{
    if (MPT_LIKELY(c->loop != NULL))
        c->loop(left, right, result, (size_t)count);
    else
        b->face->join(c, left, right, result, count);
}

/* 0, or what went wrong: see above. */
typedef int coll_block_body(struct coll_block *n, const struct coll_block_call *c);
coll_block_body coll_block_barrier, coll_block_bcast, coll_block_gather, coll_block_gatherv, coll_block_scatter,
    coll_block_scatterv;
coll_block_body coll_block_allgather, coll_block_alltoall, coll_block_alltoallv;
coll_block_body coll_block_reduce, coll_block_allreduce, coll_block_reduce_scatter, coll_block_scan;

/* ---- long data where it is (block_direct.c, block_direct_reduce.c) ---- */

/* Where a member's buffer is, for the others. */
struct coll_spot {
    enum { COLL_SPOT_NONE, COLL_SPOT_SHARED, COLL_SPOT_PRIVATE } kind;
    uint64_t at; /* SHARED: a place (core_slice_at); PRIVATE: an address of its own */
};
struct coll_spots {
    struct coll_spot in, out;
};
_Static_assert(sizeof(struct coll_spots) <= COLL_BLOCK_INLINE, "both travel in a line");

/* A hand-over of spots. False: some part cannot be reached, or members do not agree on `total`. Parts that nobody is to
 * reach: NULL. */
bool coll_direct_begin(struct coll_block *n, const struct coll_block_call *c, const struct coll_part *in,
                       const struct coll_part *out, int64_t total, uint64_t *e);
/* All have finished with each other's buffers. *err: what went wrong here, after it at any member. */
void coll_direct_end(struct coll_block *n, const struct coll_block_call *c, int *err);
static inline const struct coll_spots *coll_direct_spots(const struct coll_block *n, int member, uint64_t e)
{
    return (const struct coll_spots *)(const void *)n->shared->member[member].post[e % COLL_BLOCK_POSTS].data;
}
/* Bytes [from, from + b) of a member's buffer, to and from `here`. all: bytes that this rank moves in this call. 0,
 * or what went wrong. */
int coll_direct_pull(const struct coll_block *n, int member, struct coll_spot spot, int64_t from, void *here, int64_t b,
                     int64_t all);
int coll_direct_push(const struct coll_block *n, int member, struct coll_spot spot, int64_t from, const void *here,
                     int64_t b);

/* False: nothing was done, and the slots must serve (the same on all members). */
typedef bool coll_direct_body(struct coll_block *n, const struct coll_block_call *c, int *err);
coll_direct_body coll_direct_bcast, coll_direct_gather, coll_direct_scatter, coll_direct_allgather,
    coll_direct_alltoall;
coll_direct_body coll_direct_reduce, coll_direct_allreduce;

#endif
