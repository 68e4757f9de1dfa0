/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For the front with MPICH's ABI (mpich_inside.h).
 */
#include "mpi/front/mpich_inside.h"
#include "mpi/p2p/bsend.h"

static void peers(MPI_Comm comm, bool neighbours, int *to, int *from)
{
    const struct mpii_comm *c = mpii_comm_of(comm);
    struct mpii_neighbours n;

    *to = *from = 0;
    if (!c)
        return;
    if (!neighbours) {
        *to = *from = c->nprocs;
    } else if (mpii_topo_neighbours(c, &n) == MPI_SUCCESS) {
        *to = n.out;
        *from = n.in;
    }
}

const struct mpt_mpich_inside mpt_mpich_inside = {
    .pools = mpii_state.rt.pools, .peers = peers, .bsend_overhead = &mpii_state.p2p.bsend_overhead};
