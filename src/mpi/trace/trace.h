/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With --trace: which message is which. Both processes of a pair count the program's messages in the order of their
 * channel, which is the same at both ends, so the numbers say which receive got which message. All but the first
 * are called with the lock held, and only where core_trace_on().
 */
#ifndef MPI_TRACE_H
#define MPI_TRACE_H

#include <stddef.h>
#include <stdint.h>

struct core_trace_record;
struct mpii_comm;
struct mpii_request;

/* What a call of the program does itself, so that its own record tells of it. */
enum mpii_trace_direct { MPII_TRACE_NOTHING, MPII_TRACE_SENDS, MPII_TRACE_RECEIVES };
/* The record of the call that this thread makes; NULL: it is over. */
void mpii_trace_call(struct core_trace_record *call, enum mpii_trace_direct direct) __attribute__((cold));

/* Of a request for a message. */
struct mpii_trace_message {
    uint64_t number; /* at its sender; 0: not known (yet) */
    uint64_t began;  /* the record of the call that began it, or UINT64_MAX */
    uint64_t bytes;
    int proc;        /* the other process */
};

int mpii_trace_start(void); /* an error class */
void mpii_trace_stop(void);

/* The group of a communicator, file or window in traces. */
uint32_t mpii_trace_group(struct mpii_comm *c) __attribute__((cold));
/* A process as a PE; -1: of another job. */
int mpii_trace_pe(int proc);

/* r begins to send or to receive. */
void mpii_trace_begun(struct mpii_request *r) __attribute__((cold));
/* A message of the program has left; r: its request, or NULL: the call under way sends it. */
void mpii_trace_sent(struct mpii_request *r, struct mpii_comm *c, int proc, int tag, size_t n) __attribute__((cold));
/* The number of a message of the program that comes from process `from`. */
uint64_t mpii_trace_comes(int from) __attribute__((cold));
/* It is r's. */
void mpii_trace_met(struct mpii_request *r, int from, uint64_t number) __attribute__((cold));
/* The end of r is reported to the program. */
void mpii_trace_ended(const struct mpii_request *r) __attribute__((cold));

/* Messages in partitions have numbers of their own: of the sender's request and its round. */
static inline uint64_t mpii_trace_round(uint32_t serial, uint32_t round)
{
    return 1ull << 63 | (uint64_t)(serial & 0x7fffffff) << 32 | round;
}
/* Of these: r's message has left, as this number. */
void mpii_trace_sent_as(struct mpii_request *r, struct mpii_comm *c, int proc, int tag, size_t n, uint64_t number)
    __attribute__((cold));

#endif
