/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffered sends: the buffers that the user attached, as the calls that attach
 * them and the sends see them.
 */
#ifndef MPI_BSEND_H
#define MPI_BSEND_H

#include "mpi/p2p/p2p.h"

struct mpii_bsend_piece;
struct mpii_bsend {
    char *base; /* NULL: MPI_BUFFER_AUTOMATIC, each message has memory of its own */
    MPI_Count size;
    struct mpii_bsend_piece *pieces; /* in use, in rising order of address */
    unsigned pending;           /* messages */
    uint64_t serial;            /* of the next message */
    struct mpii_request *flushes;
};

/* A message of (buf, count, t) is on its way or in the buffer when this returns. */
int mpii_bsend_send(const void *buf, MPI_Count count, struct mpii_type *t, int dest, int tag, struct mpii_comm *c,
                    const char *call);
void mpii_bsend_wait(struct mpii_bsend *b, const char *call); /* until no message is in it */
struct mpii_request *mpii_bsend_flush(struct mpii_bsend *b,
                                      struct mpii_comm *c); /* b may be NULL; NULL: out of memory */

#endif
