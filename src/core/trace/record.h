/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A trace's bytes on disk: docs/trace-format.md explains each field. For the library, the launcher and readers in C.
 */
#ifndef CORE_TRACE_RECORD_H
#define CORE_TRACE_RECORD_H

#include <stdint.h>

#define CORE_TRACE_MAGIC "MPTTRACE"
enum { CORE_TRACE_VERSION = 1, CORE_TRACE_RECORD_N = 64 };

struct core_trace_header {
    char magic[8];
    uint32_t version, pe, pes, record_n;
    uint64_t ticks_per_second, dropped;
    uint64_t ticks, epoch_ns; /* the same moment by both clocks */
    uint64_t pid;
};

enum core_trace_kind {
    CORE_TRACE_NONE,
    CORE_TRACE_CALL,
    CORE_TRACE_SEND,
    CORE_TRACE_RECEIVE,
    CORE_TRACE_SENT,
    CORE_TRACE_HANDLER,
    CORE_TRACE_REGION,
    CORE_TRACE_COUNTERS,
    CORE_TRACE_CLOCK,
    CORE_TRACE_START,
    CORE_TRACE_DONE,
    CORE_TRACE_RECORDER,
    CORE_TRACE_DEF_CALL = 16,
    CORE_TRACE_DEF_SITE,
    CORE_TRACE_DEF_GROUP,
    CORE_TRACE_DEF_LINE,
    CORE_TRACE_DEF_SOURCES,
    CORE_TRACE_SUM = 32, /* MPT_STATS: of all calls of one name (value: how many; bytes; end: ticks; message: ns of
                            waiting) ... */
    CORE_TRACE_SUM_PEER, /* ... and of what went to a peer (value, bytes); in no trace */
    CORE_TRACE_MORE = 255
};

enum core_trace_role {
    CORE_TRACE_SENDS = 1,
    CORE_TRACE_RECEIVES = 2,
    CORE_TRACE_BEGINS = 4,
    CORE_TRACE_COLLECTIVE = 8,
    CORE_TRACE_STORES = 16,
    CORE_TRACE_LOADS = 32,
    CORE_TRACE_WAITS = 64,
    CORE_TRACE_SYNC = 128
};

enum { CORE_TRACE_PEER_NONE = -1, CORE_TRACE_PEER_ANY = -2 };

struct core_trace_record {
    uint8_t kind, role; /* kind is written last */
    uint16_t call, thread, result;
    uint64_t begin, end; /* ticks */
    int32_t peer, tag;
    uint64_t bytes;
    uint32_t group, site;
    uint64_t message, value;
};

/* The last records of a PE that is recording, or was killed: a page with this at its begin, then a ring of so many
 * records; that of slot n (the header is slot 0) is the one with number n % ring_n. */
#define CORE_TRACE_TAIL_MAGIC "MPTTAIL"
enum { CORE_TRACE_TAIL_AT = 4096 };
struct core_trace_tail {
    char magic[8];
    uint64_t ring_n;
    uint64_t written; /* slots below are in the file of the trace, ... */
    uint64_t room;    /* those below this and no others in the ring */
};

_Static_assert(sizeof(struct core_trace_header) == CORE_TRACE_RECORD_N, "as docs/trace-format.md says");
_Static_assert(sizeof(struct core_trace_record) == CORE_TRACE_RECORD_N, "as docs/trace-format.md says");

#endif
