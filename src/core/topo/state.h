/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of topo: see core/state.h.
 */
#ifndef CORE_TOPO_STATE_H
#define CORE_TOPO_STATE_H

#include <pthread.h>

struct core_topo_state {
    int *claims; /* sockets, each of which claims a CPU (claims.c) */
    unsigned n_claims;
    pthread_once_t distances_known; /* hwloc was looked for (topology.c) */
};

#endif
