/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of start: see mpi/state.h.
 */
#ifndef MPI_START_STATE_H
#define MPI_START_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum mpii_phase { MPII_BEFORE, MPII_UP, MPII_ENDING, MPII_ENDED };

/* How this process ends (exit.c). */
struct mpii_exit {
    pid_t pid; /* 0: not looked at */
    bool exits; /* by exit, with status 0 */
    uintptr_t site;
};

struct mpii_start_state {
    int starts; /* of the world model and of sessions, not finished */
    enum mpii_phase world;
    int thread_level;
    pid_t main_thread;
    struct mpii_exit exit;
};

#endif
