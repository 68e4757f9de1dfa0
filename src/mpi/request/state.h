/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of request: see mpi/state.h.
 */
#ifndef MPI_REQUEST_STATE_H
#define MPI_REQUEST_STATE_H

struct mpii_request;

struct mpii_request_state {
    struct mpii_request *sent;  /* the request of all sends that were done at once */
    struct mpii_request *ended; /* and that of all collectives */
    unsigned lost;             /* requests that have ended as mpii_request_is_lost says */
};

#endif
