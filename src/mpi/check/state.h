/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of check: see mpi/state.h.
 */
#ifndef MPI_CHECK_STATE_H
#define MPI_CHECK_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct mpii_watch;

enum { MPII_WATCH_CHAINS = 512, MPII_WATCH_UNUSED = 4096, MPII_OWN_LANDING = 8 };

/* A call of MPI uses [lo, hi) of this process (own.h). */
struct mpii_own_access {
    uintptr_t lo, hi;
    uintptr_t site;
    const char *call;
    bool writes;
};

struct mpii_check_state {
    struct mpii_watch *chain[MPII_WATCH_CHAINS]; /* by owner */
    int length[MPII_WATCH_CHAINS];
    struct mpii_watch *unused; /* for new ones, by `next` */
    int n_unused;
    struct mpii_watch *tree; /* those under way, by address (region.h) */
    unsigned under_way;
    unsigned requested; /* of requests that a window's calls complete, too */
    uint32_t dice;
    struct mpii_own_access landing[MPII_OWN_LANDING]; /* what a blocking call is about to write */
    unsigned n_landing;
};

#endif
