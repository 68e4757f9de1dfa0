/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Neighbourhood collectives (8.6): one message along each edge of the process
 * topology. Edges between the same two processes match in the order of the
 * lists. On a grid a message that leaves in one direction of a dimension arrives
 * from the other: receives are added in swapped pairs, which matters where both
 * neighbours are the same process (periodic dimensions of size 1 and 2).
 */
#include "mpi/collective/coll.h"
#include "mpi/topo/topo.h"

void mpii_build_neighbor(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    bool grid = c->comm->topo->kind == MPI_CART;
    struct mpii_neighbours n;

    if (mpii_topo_neighbours(c->comm, &n) != MPI_SUCCESS)
        return; /* checked before */
    for (int k = 0; k < n.in; k++) {
        int i = grid ? k ^ 1 : k;

        if (n.sources[i] != MPI_PROC_NULL)
            mpii_sched_recv(s, mpii_coll_part(c, &c->data.recv, i), n.sources[i]);
    }
    for (int i = 0; i < n.out; i++) {
        struct mpii_part p = c->data.kind == COLL_NEIGHBOR_ALLGATHER ? mpii_coll_whole(&c->data.send)
                                                                     : mpii_coll_part(c, &c->data.send, i);

        if (n.destinations[i] != MPI_PROC_NULL)
            mpii_sched_send(s, p, n.destinations[i]);
    }
}
