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

#include "mpi/p2p.h"

struct part {
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
    struct part_out *out; /* sender: of each partition */
    struct mpii_task task; /* sender: some wait for room */
    bool waiting;
};

/* A partition whose body stays here until the receiver has it. */
struct part_out {
    struct core_sending sending;
    struct part *of;
    struct p2p_block *block; /* packed form */
};

enum part_state { PART_NOT_READY, PART_READY, PART_SENT, PART_DONE };

static inline struct part *part_in(const struct mpii_request *r)
{
    return *(struct part *const *)(const void *)r->own;
}

extern const struct mpii_request_ops part_send_ops, part_recv_ops;

/* The init message. */
struct part_meeting {
    uint64_t id;
    uint32_t serial;
    int32_t partitions;
    uint64_t bytes;
};

int part_send_begin(struct part *p); /* the methods' start */
int part_recv_begin(struct part *p);
void part_send_meet(struct part *p);
void part_recv_meet(struct part *p);
void part_push(struct part *p);
bool part_arrived(const struct part *p, int partition);
void part_troubled(struct mpii_request *r); /* the methods' */

#endif
