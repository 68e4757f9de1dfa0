/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of comm: see mpi/state.h.
 */
#ifndef MPI_COMM_STATE_H
#define MPI_COMM_STATE_H

#include <stddef.h>
#include <stdint.h>

struct mpii_comm;
struct mpii_met;

/* How often this process has met under each context (comm_meeting.c). */
struct mpii_meetings {
    struct mpii_met *slots;
    size_t used, size; /* size: a power of two, or 0 */
};

struct mpii_comm_state {
    struct mpii_comm *world, *self; /* NULL before MPI_Init */
    struct {
        uint64_t salt, counter;
    } context; /* of the next context that this process makes (context.c) */
    struct mpii_meetings meetings;
};

#endif
