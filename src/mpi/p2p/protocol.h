/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a message can leave, and what decides: a part of p2p.h, which includes it.
 *
 * The protocols in the order of preference; the first that applies is taken (choose_protocol in send.c). "Copies": the
 * mode is standard, ready or buffered and the message has at most MPI_BUFFER_MAX bytes (8 KiB unless set), so the send
 * is done before the receiver has it. "Confirmed": synchronous mode, or a user's standard or ready send that is longer
 * than MPI_BUFFER_MAX.
 *
 *   message                                          protocol
 *   up to 1008 B; dense, copies, over a network: 8K  EAGER       the body travels with its head, packed if need be
 *   up to 1000 B, confirmed                          EAGER_SYNC  the same, done when the receiver says that it matched
 *   dense, over a network, up to MPT_PUSH_MAX        PUSH        the body follows its head unasked, while credit lasts
 *   dense, copies, a user's, in a node               OFFER       where it lies; the sender copies it if nobody comes
 *   copies                                           BUFFERED    copied to memory that the receiver reads
 *   not dense, in a node                             LAYOUT      the layout is told, or it is packed while it is read
 *   not dense                                        PACKED      rendezvous of the packed form
 *   all else                                         RENDEZVOUS  the receiver reads the user's memory
 *
 * A protocol may find that it does not serve after all (no credit, a late receiver, no memory to copy to): then the
 * next one that applies is tried. How a receiver reads a body that stayed with its sender (loads, CMA, RDMA read,
 * messages) core decides: core/channel/rndv.c. Shortest of all is the fast path (p2p_fastpath.h), a part of EAGER
 * without calls.
 */
#ifndef MPI_P2P_PROTOCOL_H
#define MPI_P2P_PROTOCOL_H

#include "mpi/mpii.h"

struct mpii_p2p_label;

enum mpii_p2p_protocol {
    P2P_SEND_EAGER,
    P2P_SEND_EAGER_SYNC,
    P2P_SEND_PUSH,
    P2P_SEND_OFFER,
    P2P_SEND_BUFFERED,
    P2P_SEND_LAYOUT,
    P2P_SEND_PACKED,
    P2P_SEND_RENDEZVOUS,
    P2P_PROTOCOLS
};

/* What became of a try to send. */
enum mpii_p2p_outcome {
    P2P_SENT,  /* it is on its way, and the buffer the user's again */
    P2P_OUT,   /* it is on its way; its request ends when the receiver says so */
    P2P_LASTS, /* not tried: it needs a request, and has none yet */
    P2P_UNFIT, /* not by this protocol */
    P2P_FULL,  /* the receiver takes no more now */
    P2P_NO_MEMORY,
    P2P_PEER_GONE,
    P2P_BROKEN
};
enum mpii_p2p_outcome mpii_p2p_failure(int err); /* of a negative errno of the wire */
static inline enum mpii_p2p_outcome mpii_p2p_outcome_of(int err, enum mpii_p2p_outcome success)
{
    return MPT_LIKELY(err == 0) ? success : mpii_p2p_failure(err);
}

/* A message to be sent. */
struct mpii_p2p_message {
    const void *buf;
    MPI_Count count;
    struct mpii_type *type;
    struct mpii_comm *comm;
    size_t n; /* bytes, packed */
    int dest, proc, tag;
    uint8_t lane, mode; /* enum mpii_lane, mpii_mode */
    bool internal;      /* the library's: nobody asks whether it was matched */
    bool blocks;        /* with MPT_CHECK: its call may not return before its receive has begun */
    bool may_wait;      /* a microsecond or two for the receiver; not in handlers */
    const struct mpii_p2p_label *label; /* with --check, of what goes to this job's processes; or NULL */
};

/* The protocols with files of their own. r: the message's request; NULL: it has none yet. */
enum mpii_p2p_outcome mpii_p2p_send_offer(const struct mpii_p2p_message *m, struct mpii_request *r);  /* offer.c */
enum mpii_p2p_outcome mpii_p2p_send_layout(const struct mpii_p2p_message *m, struct mpii_request *r); /* strided.c */

/* The head is announced; `body` (of m->n bytes, or what the form head_n says) is read by the receiver. */
enum mpii_p2p_outcome mpii_p2p_announce(const struct mpii_p2p_message *m, struct mpii_request *r, size_t head_n,
                                        const void *body);

#endif
