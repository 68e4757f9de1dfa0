/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: the buffers of sends and receives, as check/watch.h looks after them.
 */
#ifndef MPI_P2P_WATCHED_H
#define MPI_P2P_WATCHED_H

#include "mpi/check/watch.h"
#include "mpi/p2p/p2p.h"

/* Blocking ones, before they begin. */
void mpii_p2p_watch_send(const struct mpii_p2p_message *m, const char *call);
void mpii_p2p_watch_recv(struct mpii_request *r, const char *call);
/* A send that has begun with request r; the request that the program gets, one of its own. */
struct mpii_request *mpii_p2p_watch_isend(const struct mpii_p2p_message *m, struct mpii_request *r, const char *call);
/* A receive that is about to begin. */
void mpii_p2p_watch_irecv(struct mpii_request *r, const char *call);
/* Its message has been matched. */
void mpii_p2p_watch_arrives(struct mpii_request *r);
/* A receive of the library's own, begun, into what `owner` watches. */
void mpii_p2p_watch_part(struct mpii_request *r, const void *owner);
void mpii_p2p_watch_persistent(struct mpii_request *r, enum mpii_watch_way way, const void *buf, MPI_Count count,
                               struct mpii_type *t, int rank, const char *call);

#endif
