/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With --trace: a partition is a message, sent when it is ready and received when the program learns that it is there.
 * Its number is made of the sender's request, the round and the partition, which both sides know.
 */
#include "mpi/p2p/partition.h"

static void tell(const struct mpii_partition *p, int i, int kind)
{
    const uint32_t serial = p->sender ? p->serial : p->peer_serial;

    mpii_trace_part(p->r->comm,
                    &(struct mpii_trace_partition){.proc = p->proc,
                                                   .tag = p->tag,
                                                   .bytes = p->sender ? p->bytes : p->peer_bytes,
                                                   .number = mpii_trace_partition(serial, p->round, i),
                                                   .began = p->began},
                    kind);
}

static int count(const struct mpii_partition *p)
{
    return p->sender ? p->partitions : p->peer_partitions;
}

/* False: there is nothing to tell of, or no memory for it. The receiver learns only later how many there are. */
static bool has_room(struct mpii_partition *p)
{
    if (!p->traced && p->proc >= 0 && (p->sender || p->met) && core_trace_writes())
        p->traced = calloc((size_t)count(p) + 1, 1);
    return p->traced != NULL;
}

void mpii_partition_trace_begin(struct mpii_partition *p)
{
    p->began = core_trace_current();
    if (has_room(p))
        memset(p->traced, PART_UNTOLD, (size_t)count(p) + 1);
}

void mpii_partition_trace_ready(struct mpii_partition *p, int i)
{
    if (!has_room(p))
        return;
    p->traced[i] = PART_LEFT;
    tell(p, i, CORE_TRACE_SEND);
}

/* Of those that are not on their way yet the end is told later. */
void mpii_partition_trace_pushed(struct mpii_partition *p)
{
    for (int i = 0; p->traced && i < p->partitions; i++)
        if (p->traced[i] == PART_LEFT)
            p->traced[i] = p->state[i] == PART_DONE ? PART_TOLD : PART_LATE;
}

static bool lies_in(const struct mpii_partition *p, int theirs, int own)
{
    size_t from = (size_t)own * p->bytes, at = (size_t)theirs * p->peer_bytes;

    return own < 0 || (at < from + p->bytes && at + p->peer_bytes > from);
}

void mpii_partition_trace_here(struct mpii_partition *p, int own)
{
    if (p->failed || !has_room(p))
        return;
    for (int i = 0; i < p->peer_partitions; i++) {
        if (p->traced[i] == PART_TOLD || !p->state[i] || !lies_in(p, i, own))
            continue;
        p->traced[i] = PART_TOLD;
        tell(p, i, CORE_TRACE_RECEIVE);
    }
}

void mpii_partition_trace_end(struct mpii_request *r)
{
    struct mpii_partition *p = mpii_partition_in(r);

    if (!p->sender)
        mpii_partition_trace_here(p, -1);
    for (int i = 0; p->sender && p->traced && !p->failed && i < p->partitions; i++)
        if (p->traced[i] == PART_LATE)
            tell(p, i, CORE_TRACE_SENT);
}
