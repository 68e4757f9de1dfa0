/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of check: see mpi/state.h.
 */
#ifndef MPI_CHECK_STATE_H
#define MPI_CHECK_STATE_H

#include <stdint.h>

struct mpii_watch;

enum { MPII_WATCH_CHAINS = 512 };

struct mpii_check_state {
    struct mpii_watch *chain[MPII_WATCH_CHAINS]; /* by owner */
    int length[MPII_WATCH_CHAINS];
    struct mpii_watch *tree; /* those under way, by address (region.h) */
    unsigned requested; /* of requests that a window's calls complete, too */
    uint32_t dice;
};

#endif
