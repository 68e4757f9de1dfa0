/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Short collectives on the block in two halves, for callers that do not wait in
 * between: the first one posts what this member gives, the second one takes what the
 * others have posted. Neither waits. Barriers, and broadcasts and reductions whose data
 * travels in the lines of the posts.
 */
#ifndef COLL_BLOCK_HALF_H
#define COLL_BLOCK_HALF_H

#include "coll/block.h"

struct coll_block_half {
    uint64_t e;
    int from; /* whose posts the second half needs: a member's, COLL_BLOCK_ALL, or COLL_BLOCK_NONE */
    int err;  /* found in the first half */
};

/* The first half. False: the call is not such a one, or would have to wait; nothing has been done. */
bool coll_block_half_begin(struct coll_block *n, const struct coll_block_call *c, struct coll_block_half *h);

/* May the second half come? `looks`: how often it is looked before the answer is no. */
bool coll_block_half_ready(const struct coll_block *n, const struct coll_block_call *c, const struct coll_block_half *h,
                           int looks);

/* Do the others' sizes fit, so that the second half is true and finds no error? */
bool coll_block_half_alike(const struct coll_block *n, const struct coll_block_call *c,
                           const struct coll_block_half *h);

/* The second half. False: the others' calls have other sizes, and the body must serve from the beginning, after all. */
bool coll_block_half_end(struct coll_block *n, const struct coll_block_call *c, const struct coll_block_half *h,
                         int *err);

/* ---- what block.c and block_reduce.c have for it ---- */

/* Can the next epoch begin at once, if its data travels in the line? */
bool coll_block_may_enter(struct coll_block *n);
/* A member's post of e is of this call, or the job ends. */
static inline void coll_block_check_call(const struct coll_block *n, int member, uint64_t e, const char *where)
{
    const struct coll_post *p = &n->shared->member[member].post[e % COLL_BLOCK_POSTS];

    if (MPT_UNLIKELY(p->said >> 56 != n->what && !n->broken))
        n->face->strange(member, (int)(p->said >> 56), where);
}

/* Reductions of up to COLL_BLOCK_INLINE bytes to rank `to`, or to COLL_BLOCK_ALL. */
void coll_block_reduce_begin(struct coll_block *n, const struct coll_block_call *c, int to, struct coll_block_half *h);
int coll_block_reduce_end(struct coll_block *n, const struct coll_block_call *c, int to,
                          const struct coll_block_half *h);

#endif
