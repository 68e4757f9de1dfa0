/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With --trace: which message is which. Both processes of a pair count the program's messages in the order of their
 * channel, which is the same at both ends, so the numbers say which receive got which message. All but the first
 * are called with the lock held, and only where core_trace_on().
 */
#ifndef MPI_TRACE_H
#define MPI_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core_trace_record;
struct mpii_comm;
struct mpii_request;

/* What a call of the program does itself, so that its own record tells of it. */
enum mpii_trace_direct { MPII_TRACE_NOTHING, MPII_TRACE_SENDS, MPII_TRACE_RECEIVES };
/* The record of the call that this thread makes; NULL: it is over. */
void mpii_trace_call(struct core_trace_record *call, enum mpii_trace_direct direct) __attribute__((cold));

/* Of a communicator. */
struct mpii_trace_comm {
    uint64_t calls; /* of all members, which the program has made */
    uint32_t group; /* its number in this process's trace; 0: it has none yet */
    uint32_t made;  /* persistent collectives: same on all members */
    bool sources;   /* the trace has this process's neighbours */
};

/* Of a request for a message, or of a collective operation. */
struct mpii_trace_message {
    uint64_t number; /* at its sender; of a collective operation among those of its group; 0: not known (yet) */
    uint64_t began;  /* the record of the call (of a persistent collective: the START) that began it, or UINT64_MAX */
    uint64_t bytes;
    int proc;        /* the other process; the root's PE */
    uint32_t group;  /* of a collective operation */
    bool collective;
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
void mpii_trace_ended(struct mpii_request *r) __attribute__((cold));

/* ---- collective operations that end in another call than they begin in ---- */
/* r is of the collective call that t tells of. Not for persistent ones. */
void mpii_trace_together(struct mpii_request *r, const struct core_trace_record *t) __attribute__((cold));
/* A persistent one is made; on all members in the same order, recorded or not. root: a rank, or -1. */
void mpii_trace_made(struct mpii_request *r, int root) __attribute__((cold));
/* It is started. what: a literal, its name in the trace. */
void mpii_trace_started(struct mpii_request *r, const char *what) __attribute__((cold));
/* A rank of c's calls as a PE, or one of the two words for none. root: the word MPI_ROOT is this process. */
int mpii_trace_rank(const struct mpii_comm *c, int rank);

/* ---- partitions (p2p/partition_trace.c), which have numbers of their own ---- */
struct mpii_trace_partition {
    int proc, tag;
    uint64_t bytes, number;
    uint64_t began; /* as that of a message */
};
static inline uint64_t mpii_trace_partition(uint32_t serial, uint32_t round, int i)
{
    return 1ull << 63 | (uint64_t)(serial & 0xfffff) << 43 | (uint64_t)(round & 0xffffff) << 19 | (i & 0x7ffff);
}
/* kind: CORE_TRACE_SEND: it may leave from now on; CORE_TRACE_SENT, CORE_TRACE_RECEIVE. */
void mpii_trace_part(struct mpii_comm *c, const struct mpii_trace_partition *p, int kind) __attribute__((cold));

#endif
