/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the schedules that go node by node share: where the members of a communicator
 * are, and the tree by which those of one node learn something.
 */
#ifndef MPI_SCHED_NODES_H
#define MPI_SCHED_NODES_H

#include "mpi/collective/coll.h"

/* Ranks of a communicator, of which this process is number `me`. */
struct mpii_ranks {
    const int *at;
    int n, me;
};

struct mpii_nodes {
    bool together;     /* several nodes, and some member has company: else the rest is not there */
    bool consecutive;  /* the ranks of each node are */
    int leaders_n, here_n, mine; /* mine: number of this node among the leaders, -1 when this is no leader */
    int own;           /* number of this process in here[] */
    int *number;       /* of each rank's node */
    int *leaders;      /* the lowest rank of each node, in rising order */
    int *here;         /* the members on this node, the same way */
};

const struct mpii_nodes *mpii_nodes_of(struct mpii_comm *c);
static inline struct mpii_ranks mpii_nodes_here(const struct mpii_nodes *n)
{
    return (struct mpii_ranks){n->here, n->here_n, n->own};
}
/* p goes from number `root` of r to all of r. */
void mpii_nodes_spread(struct mpii_sched *s, struct mpii_ranks r, struct mpii_part p, int root);

#endif
