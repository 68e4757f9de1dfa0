/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of start: see mpi/state.h.
 */
#ifndef MPI_START_STATE_H
#define MPI_START_STATE_H

#include <sys/types.h>

enum mpii_phase { MPII_BEFORE, MPII_UP, MPII_ENDING, MPII_ENDED };

struct mpii_start_state {
    int starts; /* of the world model and of sessions, not finished */
    enum mpii_phase world;
    int thread_level;
    pid_t main_thread;
};

#endif
