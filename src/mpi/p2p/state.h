/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of p2p: see mpi/state.h.
 */
#ifndef MPI_P2P_STATE_H
#define MPI_P2P_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpi/rt/state.h"

enum {
    P2P_BLOCK_CLASSES = 12, /* sizes of spare blocks (send_block.c) */
    P2P_HELD_SIZES = 4,     /* sizes of spare messages (unexpected.c) */
    P2P_OFFER_HINTS = 64    /* receivers, modulo this, of which offer.c remembers how late they are */
};

struct core_mail;
struct mpii_ahead;
struct mpii_bsend;
struct mpii_p2p_arrived;
struct mpii_p2p_block;
struct mpii_p2p_context;
struct mpii_p2p_control;
struct mpii_p2p_foreign;
struct mpii_p2p_peer_queue;
struct mpii_p2p_word;
struct mpii_request;

/* Messages of middle size that were offered where they lie (offer.c). */
struct mpii_p2p_offers {
    unsigned n_open; /* offers that a request holds, until they are taken or, in a wait or test, copied */
    struct mpii_request *open, **open_last; /* their requests, in the order of their starts */
    unsigned looks;                         /* at the first of them, since one was taken */
    struct mpii_hook open_hook;
    struct mpii_p2p_block *refused, **refused_last; /* copies that nobody has taken yet, the oldest first */
    unsigned n_refused;
    unsigned reclaims; /* tries to give such copies back */
    struct mpii_p2p_late {
        uint8_t skip, last;
    } late[P2P_OFFER_HINTS]; /* receivers that were late get no offers for a while */
};

/* A control message has come from process `from`. */
typedef void mpii_p2p_control_fn(int from, const struct mpii_p2p_control *c, const struct core_mail *mail);

/* Control messages for folders above; filled in at the start of MPI. */
struct mpii_p2p_hooks {
    mpii_p2p_control_fn *revoke, *agree;
};

/* A line of the program, and its name for other processes (label.c). */
enum { P2P_LINES = 64 };
struct mpii_p2p_line {
    uint64_t site, away;
};

struct mpii_p2p_state {
    unsigned not_fast; /* queued sends, and one if some short ones are not to be buffered */
    bool not_fast_buffering; /* that one is counted */
    unsigned fast_receives; /* tried: every so often one makes progress */
    unsigned waiting;  /* queued sends */
    unsigned fetching; /* fetches under way */
    unsigned buffers_out; /* copies of buffered messages that no receiver has fetched */
    struct mpii_p2p_context *last_context; /* of the last message: most are of the same one */
    struct {
        struct mpii_p2p_context **chain;
        unsigned mask, n;
    } contexts; /* by their keys (match_context.c) */
    struct {
        struct mpii_request *first, **last;
        unsigned procs; /* they are to so many processes */
        unsigned pass;  /* number of the last step */
        struct mpii_hook hook;
    } queue; /* of sends that found no room (send_request.c) */
    struct mpii_p2p_peer_queue *peer_queues; /* by process (match_wire.c) */
    int n_peer_queues;
    struct {
        struct mpii_p2p_word *first, **last;
        struct mpii_hook hook;
    } words; /* control messages that found no room (match_wire.c) */
    struct {
        struct mpii_p2p_block *block[P2P_BLOCK_CLASSES];
        size_t bytes;
    } spare; /* blocks (send_block.c) */
    size_t blocks_out; /* bytes of blocks in use */
    struct {
        struct mpii_p2p_arrived *first;
        size_t bytes;
    } spare_held[P2P_HELD_SIZES]; /* room for messages without a receive (unexpected.c) */
    struct mpii_p2p_offers offers;
    struct mpii_p2p_hooks above;
    const struct mpii_p2p_foreign *foreign; /* NULL: no process of another job is known */
    struct mpii_bsend *buffer; /* that MPI_Buffer_attach attached; NULL: none */
    int bsend_overhead; /* MPI_BSEND_OVERHEAD as the program knows it: less in the ABI of MPICH */
    struct mpii_p2p_line lines[P2P_LINES];
    struct mpii_ahead *ahead; /* of this process (ahead.c); NULL: not looked for */
    uint32_t partitioned; /* requests of partitioned communication made */
};

#endif
