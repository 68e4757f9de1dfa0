/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of Split-C's runtime share. The translated program calls what include/split-c declares; a message
 * of its own names the line of the source where that is known.
 */
#ifndef SPLITC_SPLITCI_H
#define SPLITC_SPLITCI_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "am/am_core.h"
#include "coll/coll.h"
#include "core/base/site.h"
#include "core/check/fatal.h"
#include "core/core.h"
#include "split-c/split-c.h"

#undef bulk_read
#undef bulk_write
#undef bulk_get
#undef bulk_put
#undef bulk_store

#define SPLITCI_RULE "Introduction to Split-C 1.0 (docs/split-c.md)" /* of findings */

enum splitci_kind { SPLITCI_READ, SPLITCI_WRITE, SPLITCI_GET, SPLITCI_PUT, SPLITCI_STORE, SPLITCI_KINDS };

/* The collective call a PE is in (turn.c). */
struct splitci_turn {
    _Alignas(64) uint64_t number;
    intptr_t call;    /* its name */
    const char *name; /* of an automatic array; NULL: none */
    const char *file; /* NULL: not known */
    int line;
    size_t bytes;
};

/* Symmetric memory of the runtime, at one address on all PEs. */
struct splitci_shared {
    struct splitci_turn turn[2];
    _Alignas(64) char in[64], out[64]; /* of collective calls */
};

/* A count is written by one PE at one target: a cache line each. */
struct splitci_count {
    _Alignas(64) uint64_t bytes;
};

/* With --check: what came by a get and is not synchronised (got.c). */
enum { SPLITCI_GOT = 256, SPLITCI_MARKS = 128 };
struct splitci_get {
    const void *to;
    size_t n;
    uint64_t sum;
    const char *file;
    int line;
};

/* f() on another stack (start.c). */
struct splitci_stacks {
    ucontext_t back, there;
};

/* All that the runtime remembers, but for what translated programs look at (sc_job, sc_place). */
extern struct splitci {
    struct splitci_shared *shared;
    struct splitci_count *count[2]; /* of each sender; all_store_sync changes from one to the other */
    struct core_flow flow;          /* gets, puts and stores by the network */
    unsigned long pending;          /* gets and puts by messages that are under way */
    uint64_t by_message[2];         /* bytes of stores that came here by messages: the PE itself counts them */
    bool messages;                  /* it has sent such stores since its last all_store_sync */
    uintptr_t image_lo, image_hi;   /* code and constants: the same bytes at the same address on all PEs */
    struct {
        struct splitci_get get[SPLITCI_GOT];
        size_t n;
        uint64_t marks[SPLITCI_MARKS]; /* of what is known, and of what is not for want of room */
        uintptr_t low, high;           /* likewise: first byte, and behind the last */
        bool wide;                     /* some have no marks */
        uint64_t scans;                /* gets for which all known ones were looked through */
    } got;
    bool profile;
    uint64_t turns;                 /* collective calls */
    uint64_t met;                   /* the same, while they are recorded */
    unsigned bank;                  /* sync.c: the set of counts that counts now; */
    uint64_t used[2];               /* of each one's sum: what store_sync no longer waits for */
    struct {
        char *base;
        size_t share;               /* bytes of each PE */
    } pool;                         /* memory.c: for spread_malloc; */
    struct splitci_piece *pieces;   /* of this PE's share, in order, without gaps */
    struct {
        struct splitci_record *record;
        unsigned n, room;           /* room: a power of two */
        bool reported;
    } lines;                        /* lines.c */
    struct sc_static *statics;      /* start.c: static spread arrays, */
    struct sc_setter *setters;      /* and what sets variables, both in the order of the program's constructors */
    struct {
        struct splitci_stacks stacks;
        int (*run)(int argc, char **argv);
        int argc, status;
        char **argv;
    } program;                      /* splitc_main, under way */
    struct {
        char *stack;
        struct splitci_stacks stacks;
        void (*f)(void *);
        void *arg;
    } outside;                      /* sc_outside */
} splitci __attribute__((visibility("hidden"))); /* so that code finds it without a table of addresses */

static inline bool splitci_constant(const void *p)
{
    return (uintptr_t)p - splitci.image_lo < splitci.image_hi - splitci.image_lo;
}

/* While core looks at accesses (core/live/poller.c), none is inline. */
static inline void splitci_reach(void)
{
    unsigned reach = splitci.profile ? 0 : mpt_fast.reach_n;

    if (MPT_UNLIKELY(sc_job.reach != reach))
        sc_job.reach = reach;
}

/* The job has started, or its end with a message that names the call. */
void splitci_need_start(const char *call);
void splitci_stores_start(void);
void splitci_memory_start(void);
/* core_heap_alloc, or the end of the job. */
void *splitci_heap(size_t n, const char *call, const char *what);
/* Before a collective call's first barrier (name may be NULL), and after it. */
void splitci_turn(const char *call, const char *name, size_t bytes);
void splitci_turn_compare(void);
void splitci_barrier(const char *call);

/* `n` bytes between this PE and `pe` at that line. */
void splitci_line_count(const char *file, int line, enum splitci_kind kind, int pe, size_t n);
void splitci_line_report(void);

/* With --check: n bytes came to `to`; sync() has been called. */
void splitci_got(const void *to, size_t n, const char *file, int line);
void splitci_got_all(void);

/* Where this process reaches it by loads and stores, or NULL; the end of the job if it cannot be an object. */
void *splitci_near(struct sc_global g, const char *what, const char *file, int line);

#endif
