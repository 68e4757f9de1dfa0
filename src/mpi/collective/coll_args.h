/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks of collectives' arguments: each raises its error on the communicator
 * and fills what it has checked into the call.
 */
#ifndef MPI_COLL_ARGS_H
#define MPI_COLL_ARGS_H

#include "mpi/collective/coll.h"

/* The communicator; request: where a nonblocking form is to put its handle. */
int mpii_coll_begin(struct mpii_coll_call *c, MPI_Comm comm, enum mpii_coll_form form, MPI_Request *request);
int mpii_coll_check_info(struct mpii_coll_call *c, MPI_Info info);
int mpii_coll_check_intra(struct mpii_coll_call *c); /* scans */
int mpii_coll_check_root(struct mpii_coll_call *c, int root);
int mpii_coll_check_op(struct mpii_coll_call *c, MPI_Op op); /* after the receive side */

/* One side, in the three ways to describe it. n: how many parts. */
int mpii_coll_side(struct mpii_coll_call *c, struct coll_side *side, const void *buf, MPI_Count count,
                   MPI_Datatype type);
int mpii_coll_side_v(struct mpii_coll_call *c, struct coll_side *side, int n, const void *buf, const void *counts,
                     const void *displs, MPI_Datatype type);
int mpii_coll_side_w(struct mpii_coll_call *c, struct coll_side *side, int n, const void *buf, const void *counts,
                     const void *displs, const MPI_Datatype types[]);

/* Is buf MPI_IN_PLACE, where `allowed`? Sets c->data.in_place; elsewhere an error. */
int mpii_coll_check_in_place(struct mpii_coll_call *c, const void *buf, bool allowed, const char *arg);
/* What is sent must not lie where the result goes. */
int mpii_coll_check_alias(struct mpii_coll_call *c, struct mpii_part from, struct mpii_part to);

/* Does this rank send, and receive, in a collective with a root? */
static inline bool mpii_coll_is_root(const struct mpii_coll_call *c)
{
    return c->comm->inter ? c->data.root == MPI_ROOT : c->data.root == c->comm->rank;
}
static inline bool mpii_coll_is_leaf(const struct mpii_coll_call *c)
{
    return c->data.root >= 0 && (c->comm->inter || c->data.root != c->comm->rank);
}

#endif
