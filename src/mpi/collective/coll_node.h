/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives of communicators whose members are on one node: the bodies of
 * coll/block.h serve, and this is MPI's face to them.
 */
#ifndef MPI_COLL_NODE_H
#define MPI_COLL_NODE_H

#include "mpi/collective/coll.h"

/* Of the members of c's communicator; made at the first call. NULL: messages must serve. */
struct coll_block *mpii_node_of(const struct mpii_coll_call *c);

/* Of the block that serves c; NULL: it has none yet. */
static inline struct coll_block *mpii_node_made(const struct mpii_coll_call *c)
{
    return c->block ? *c->block : c->comm->coll;
}
/* This member is in c from now on: what others' calls are compared with. */
static inline void mpii_node_enter(struct coll_block *n, const struct mpii_coll_call *c, unsigned what)
{
    n->what = (uint8_t)what;
    n->call = &c->data;
}

static inline struct coll_unlike *mpii_node_unlike(const struct mpii_coll_call *c)
{
    struct coll_block *n = mpii_node_made(c);

    return n ? &n->unlike : NULL;
}
/* This member is done with it; NULL is fine. */
void mpii_node_forget(struct coll_block *n);

/* May the block serve c, if there is one? */
bool mpii_node_serves(const struct mpii_coll_call *c);
/* Of the rows for nodes in the table of algorithms: does one serve c at all? And run the first that fits, with an error
 * of coll/block.h; false: none does. */
bool mpii_coll_on_node(const struct mpii_coll_call *c);
bool mpii_coll_run_on_node(struct coll_block *n, const struct mpii_coll_call *c, int *err);
/* The class of an error of coll/block.h. */
int mpii_node_class(int err);
/* Of a call whose block is broken: the communicator's trouble, of which this process may not have learned yet. */
int mpii_node_trouble(struct mpii_comm *c);
/* Runs c on the node; err: a class. false: messages must serve (the same on all members). */
bool mpii_node_run(const struct mpii_coll_call *c, int *err);

/* Calls that do not belong together (coll_strange.c): struct coll_face says what these do. */
void mpii_node_strange(int member, int what, const char *where) __attribute__((noreturn, noinline, cold));
void mpii_node_strangers(const struct coll_block *n, uint64_t e) __attribute__((noreturn, noinline, cold));
/* Of who has waited long in c, which core serves (coll_meet.c). */
void mpii_node_look_met(struct coll_block *n, const struct mpii_coll_call *c) __attribute__((noinline, cold));
void mpii_node_look(struct coll_block *n, int member, const char *where) __attribute__((noinline, cold));

#endif
