/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of rma: see mpi/state.h.
 */
#ifndef MPI_RMA_STATE_H
#define MPI_RMA_STATE_H

#include <mpi.h>
#include <pthread.h>
#include <stdint.h>

#include "mpi/rt/state.h"

struct mpii_object;
struct mpii_rma_job;
struct mpii_rma_reply;
struct mpii_win;

/* What comes from origins (rma_target.c). */
struct mpii_rma_target {
    pthread_mutex_t lock; /* of the jobs */
    struct mpii_rma_job *jobs, **jobs_end;
    struct mpii_win *windows; /* that use messages; under MPI's lock */
    struct mpii_hook hook;
    uint32_t busy; /* jobs */
};

/* Replies whose bodies are still being read (rma_serve.c). */
struct mpii_rma_replies {
    pthread_mutex_t lock;
    struct mpii_rma_reply *first;
    uint32_t n;
};

struct mpii_rma_state {
    MPI_Win recent;   /* the window of the last call on the fast path; at first no window, but an object */
    unsigned flushes; /* on the fast path: every so often one makes progress (rma_passive.c) */
    struct mpii_rma_target target;
    struct mpii_rma_replies replies;
    uint8_t ways[32][256]; /* by the numbers of predefined operations and types, how they are done; everybody finds the
                              same (rma_apply.c) */
};

struct mpii_rma_thread {
    unsigned polls; /* flushes of windows that use messages (rma_passive.c) */
};

#endif
