/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned communication (chapter 4): what its two files share.
 *
 * The two sides meet once: the sender's init sends a message on a lane of its own
 * that the receiver's init receives, so inits match in order; the receiver answers
 * with its name (P2P_PART_MEET). In each round the receiver, started, says GO;
 * the sender then sends each partition as it becomes ready. A side that both
 * names is a request: its address and a serial number, for one that was freed.
 */
#ifndef MPI_PARTITION_H
#define MPI_PARTITION_H

#include "mpi/p2p/p2p.h"

struct mpii_partition {
    struct mpii_request *r;
    bool sender, met, go;
    int failed;           /* error class with which the round ends when nothing is under way any more; 0 */
    int under_way;        /* receiver: bodies on their way to the buffer */
    void *buf;
    struct mpii_type *type;
    MPI_Count count;  /* of all partitions */
    size_t bytes;     /* of a partition, packed */
    int partitions;
    int peer, proc, tag;
    uint32_t serial, peer_serial;
    uint64_t peer_id;
    int peer_partitions;  /* receiver: of the sender, as peer_bytes */
    size_t peer_bytes;
    unsigned goes;        /* sender: rounds the receiver began before us */
    int left;             /* partitions (the sender's) not done in this round */
    struct mpii_request *meeting; /* the first message, while it is under way */
    unsigned char *state; /* sender: enum of each partition; receiver: has the sender's partition come? */
    struct mpii_partition_out *out; /* sender: of each partition */
    unsigned char *traced; /* with --trace: enum mpii_partition_traced of each of the sender's partitions; or NULL */
    uint32_t round;        /* of starts */
    uint64_t began;        /* with --trace: the record of the call that started the round */
    struct mpii_hook hook; /* sender: some wait for room */
    bool waiting;
};

/* A partition whose body stays here until the receiver has it. */
struct mpii_partition_out {
    struct core_sending sending;
    struct mpii_partition *of;
    struct mpii_p2p_block *block; /* packed form */
};

enum mpii_partition_state { PART_NOT_READY, PART_READY, PART_SENT, PART_DONE };

static inline struct mpii_partition *mpii_partition_in(const struct mpii_request *r)
{
    return *(struct mpii_partition *const *)(const void *)r->own;
}

extern const struct mpii_request_ops mpii_partition_send_ops, mpii_partition_recv_ops;

/* The init message. */
struct mpii_partition_meeting {
    uint64_t id;
    uint32_t serial;
    int32_t partitions;
    uint64_t bytes;
    uint64_t signature; /* of all, with --check; 0: not known */
};

int mpii_partition_send_begin(struct mpii_partition *p); /* the methods' start */
int mpii_partition_recv_begin(struct mpii_partition *p);
void mpii_partition_send_meet(struct mpii_partition *p);
void mpii_partition_recv_meet(struct mpii_partition *p);
/* With --check: of the types of both sides (4.2.1); a partition is given away until the request is complete. */
uint64_t mpii_partition_signature(const struct mpii_partition *p);
void mpii_partition_compare(const struct mpii_partition *p, uint64_t theirs);
/* A round of a receive begins; the sender's partition i comes to the buffer, or has. */
void mpii_partition_watch(struct mpii_partition *p);
void mpii_partition_watch_piece(struct mpii_partition *p, int i, bool landed);
void mpii_partition_push(struct mpii_partition *p);
bool mpii_partition_arrived(const struct mpii_partition *p, int partition);
void mpii_partition_troubled(struct mpii_request *r); /* the methods' */

/* partition_trace.c. All but for core_trace_on() only; what they tell of a partition they tell once in a round. */
enum mpii_partition_traced { PART_UNTOLD, PART_LEFT, PART_LATE, PART_TOLD };
void mpii_partition_trace_begin(struct mpii_partition *p); /* a round */
void mpii_partition_trace_ready(struct mpii_partition *p, int i);
void mpii_partition_trace_pushed(struct mpii_partition *p); /* after those that were ready */
/* The program knows that this one of the receiver's has come; i < 0: all. */
void mpii_partition_trace_here(struct mpii_partition *p, int i);
void mpii_partition_trace_end(struct mpii_request *r); /* the methods' */

#endif
