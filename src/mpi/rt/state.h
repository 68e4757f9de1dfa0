/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of rt: see mpi/state.h.
 */
#ifndef MPI_RT_STATE_H
#define MPI_RT_STATE_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpi/hook.h"
#include "mpi/kind.h"

struct mpii_request;

/* What progress and waits call of folders above. */
struct mpii_progress_hooks {
    void (*look)(void); /* NULL, or at each step and before each pause: who has died? */
    void (*waited_long)(const char *where); /* before the pauses of long waits */
};

/* Messages and ended sendings that wait for the lock (inbox.c). */
struct mpii_inbox_item;
struct mpii_inbox {
    bool news; /* some are there; read without its lock */
    bool busy; /* they are being handled: what handles a message may lock and unlock */
    pthread_mutex_t lock; /* of the list */
    struct mpii_inbox_item *first, **last;
};

struct mpii_rt_state {
    struct mpii_pool pools[MPII_KINDS];
    struct mpii_hook *hooks; /* under way */
    struct mpii_progress_hooks above;
    unsigned lock_queue; /* threads that want the lock */
    struct {
        bool on; /* hooks are being stepped */
        struct mpii_hook *cursor; /* whose turn is next then */
        unsigned ended; /* progress hooks so far */
        bool patient; /* a wait that spins has nothing else to step: see progress.c */
    } stepping;
    pthread_mutex_t lock;
    struct mpii_inbox inbox;
    void (*waits)(int count, const MPI_Request requests[]); /* the program waits for these; NULL: nobody asks */
    void (*forgets)(const struct mpii_request *r); /* NULL, or: of a request that goes */
    uint32_t *depends_on_time; /* to be set by mpii_depends_on_time; NULL: nobody asks */
    bool guarded; /* a checker of memory watches the program's buffers, if we ask it */
    bool ended; /* with --check: MPI has been finalized, and each call takes the lock */
    pthread_t inside; /* with --check: the thread that is in a call (threads.c); 0: none */
};

struct mpii_rt_thread {
    unsigned lock_depth; /* how often this thread holds the lock */
    bool reducing; /* a function of one of the program's operations runs */
    bool late; /* with --check: MPI had been finalized when the call began */
    unsigned failed_tests; /* in a row */
};

#endif
