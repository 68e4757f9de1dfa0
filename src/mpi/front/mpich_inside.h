/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the front with MPICH's ABI (front_mpich/, a library of its own) asks of
 * this one beyond the table of bodies: where objects live, so that a handle can
 * be a number, and how many processes a collective's arrays are for.
 */
#ifndef MPI_MPICH_INSIDE_H
#define MPI_MPICH_INSIDE_H

#include "mpi/mpii.h"

struct mpt_mpich_inside {
    const struct mpii_pool *pools;
    /* Entries of the array arguments of a w-collective over comm: sent to, received from.
     * Zeros when comm is no communicator: the body will say so. */
    void (*peers)(MPI_Comm comm, bool neighbours, int *to, int *from);
    int *bsend_overhead; /* of each message in an attached buffer: set to what programs reckon with */
};
extern const struct mpt_mpich_inside mpt_mpich_inside __attribute__((visibility("default")));

#endif
