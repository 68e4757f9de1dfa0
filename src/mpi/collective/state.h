/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of collective: see mpi/state.h.
 */
#ifndef MPI_COLLECTIVE_STATE_H
#define MPI_COLLECTIVE_STATE_H

#include <stdbool.h>

#include "coll/meet.h"
#include "mpi.h"

struct mpii_comm;

/* Calls by text that the PEs of a process share (coll_quick.h), and what that finds there of this PE. */
struct mpii_quick {
    bool (*barrier)(struct mpii_quick *q); /* NULL: there are none */
    bool (*allreduce)(struct mpii_quick *q, const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype,
                      MPI_Op op);
    struct mpii_comm *world;
    struct coll_meet_room room;
    struct core_meet_hooks barrier_hooks, allreduce_hooks;
    bool elsewhere; /* all have met in vain: the call that follows must not meet again */
};

struct mpii_collective_state {
    struct mpii_quick quick;
};

#endif
