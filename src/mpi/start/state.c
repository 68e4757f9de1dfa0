/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of MPI, where it begins with something else than zeros.
 */
#include "mpi/state.h"

#include "mpi/mpii.h"

static struct mpii_object no_window; /* can be looked at as a window is, and is none */

struct mpii_state mpii_state = {
    .rt.lock = PTHREAD_MUTEX_INITIALIZER,
    .rt.inbox = {.lock = PTHREAD_MUTEX_INITIALIZER, .last = &mpii_state.rt.inbox.first},
    .p2p.queue.last = &mpii_state.p2p.queue.first,
    .p2p.words.last = &mpii_state.p2p.words.first,
    .p2p.offers = {.open_last = &mpii_state.p2p.offers.open, .refused_last = &mpii_state.p2p.offers.refused},
    .p2p.bsend_overhead = MPI_BSEND_OVERHEAD,
    .env.values = {.tag_ub = MPII_TAG_UB,
                   .io = MPI_ANY_SOURCE,
                   .host = MPI_PROC_NULL,
                   .last_used_code = MPI_ERR_LASTCODE},
    .rma.recent = (MPI_Win)(void *)&no_window,
    .rma.target = {.lock = PTHREAD_MUTEX_INITIALIZER, .jobs_end = &mpii_state.rma.target.jobs},
    .rma.replies.lock = PTHREAD_MUTEX_INITIALIZER,
    .dyn.peers_last = &mpii_state.dyn.peers,
    .dyn.parent.comm = MPI_COMM_NULL,
    .dyn.bridges = {.epoll_fd = -1, .unix_fd = -1, .tcp_fd = -1},
};

_Thread_local struct mpii_thread mpii_thread __attribute__((tls_model("initial-exec")));
