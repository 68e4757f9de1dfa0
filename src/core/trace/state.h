/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of trace: see core/state.h.
 */
#ifndef CORE_TRACE_STATE_H
#define CORE_TRACE_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct core_trace_record;

/* Numbers that keys have been given: open addressing; a key is stored after its number, and read without the lock. */
struct core_trace_known {
    uint64_t key;
    uint32_t number;
};
struct core_trace_table {
    struct core_trace_known *slots; /* a power of two of them */
    uint32_t mask, n, used; /* numbers given; keys that are there */
};

/* A call that was made from here had these numbers. */
enum { CORE_TRACE_SEEN_N = 512 };
struct core_trace_seen {
    const void *from;
    const char *name;
    uint32_t site;
    uint16_t call;
};

struct core_trace_state {
    bool on;           /* this PE records */
    bool paused;       /* ... when the program says so: MPI_Pcontrol(0) */
    bool by_clock;     /* the processor has no counter that serves */
    uint8_t counters;  /* enum core_word: which are read between calls */
    uint32_t counted;  /* threads that have hardware's */
    bool whole_sites;  /* the library is part of the program: nothing tells their code apart */
    uint32_t threads;  /* that have a number */
    uint64_t call_at;  /* a call that ends at this tick or later calls `then` */
    void (*then)(void);
    uint64_t soon;     /* ticks after which a test in vain is another record */
    struct core_trace_header *header; /* in the file, mapped */
    struct core_trace_record *slots;  /* a ring of them, or (with sums) the file; that of slot n is n & mask */
    uint64_t mask;
    uint64_t next;     /* slot that is free */
    uint64_t low;      /* slots below are written to the file, or about to be */
    uint32_t holders;  /* threads that store to slots, where there are several */
    uint64_t room;     /* slots below may be taken now, ... */
    uint64_t limit;    /* may get for records, ... */
    uint64_t most;     /* and at its end */
    uint64_t *sums;      /* MPT_STATS: no records, but a sum for each call; its slot by the call's number ... */
    uint64_t *peer_sums; /* ... and for each peer */
    char path[512];    /* of the file: programs close descriptors that they do not know */
    char began[32];    /* date and time */
    struct core_trace_tail *tail; /* of the ring; NULL: it is the whole file */
    struct core_trace_seen *seen; /* calls by where they were made from, while there is one thread */
    pthread_mutex_t lock; /* of the file, and of the tables */
    struct core_trace_table calls, sites, groups;
    struct core_trace_place {
        uintptr_t offset;
        const char *object; /* its path; NULL: not known */
    } *places; /* of each site by number, for their lines */
};

enum { CORE_TRACE_DEEP = 64, CORE_TRACE_COUNTERS_N = 3 };

/* MPT_TRACE_COUNTERS, of a thread. */
enum core_trace_counters_state { CORE_TRACE_COUNTERS_NEW, CORE_TRACE_COUNTERS_READY, CORE_TRACE_COUNTERS_NONE };
struct core_trace_counters {
    uint8_t state;
    uint64_t since; /* tick at which the last call ended; 0: it was not recorded */
    uint64_t had[CORE_TRACE_COUNTERS_N]; /* then, and what other tasks have added to it since */
    uint64_t left[CORE_TRACE_COUNTERS_N]; /* when these began to run */
    struct perf_event_mmap_page *pages[CORE_TRACE_COUNTERS_N];
};

struct core_trace_thread {
    uint32_t depth;     /* calls within calls */
    uint16_t number;    /* 1 +; 0: none yet */
    uint16_t call;      /* of the outermost call, ... */
    uint32_t site;
    const void *from;   /* its return address, as core_trace_enter noted it */
    uint64_t current;   /* and its record; UINT64_MAX: it has none */
    uint64_t last;      /* slot that this thread has taken last, ... */
    uint64_t before;    /* and before that */
    bool in_vain;       /* what lies in that one is a test that found nothing */
    uint64_t waited;    /* ns that this thread had waited when the outermost call began (with sums) */
    uint32_t regions;   /* that are open */
    uint64_t region[CORE_TRACE_DEEP]; /* their records */
    struct core_trace_counters counters;
};

#endif
