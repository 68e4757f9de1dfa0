/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Barrier and short MPI_Allreduce of MPI_COMM_WORLD among tasks (coll_meet.c) by text that all PEs of a process
 * share: each PE has its own copy of this library, and the pages that a call touches in it are most of what the call
 * costs where PEs are many. Anything unusual is left to the usual way.
 */
#ifndef MPI_COLL_QUICK_H
#define MPI_COLL_QUICK_H

#include "mpi/mpii.h"

static inline bool mpii_quick_counted(bool made)
{
    mpii_state.counters.collectives += made;
    return made;
}

/* False: the usual way must serve. */
static inline bool mpii_quick_Barrier(MPI_Comm comm)
{
    struct mpii_quick *q = &mpii_state.collective.quick;

    return MPT_UNLIKELY(q->barrier != NULL) && comm == MPI_COMM_WORLD && mpii_quick_counted(q->barrier(q));
}

static inline bool mpii_quick_Allreduce(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                                        MPI_Op op, MPI_Comm comm)
{
    struct mpii_quick *q = &mpii_state.collective.quick;

    return MPT_UNLIKELY(q->allreduce != NULL) && comm == MPI_COMM_WORLD &&
           mpii_quick_counted(q->allreduce(q, sendbuf, recvbuf, count, datatype, op));
}

#endif
