/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the race checker keeps in the memory of a node, behind that of the job (record 0051). All of it is valid as
 * zero.
 *
 * Each PE counts its steps (`clock`). What it knows of the others is a snapshot: `known[q]`, the step of PE q up to
 * which all that q has done at once (loads, gets, what its own memory saw) comes before; `done[q][c]`, the step of q up
 * to which q's puts to PE c are complete; `back[q]`, that up to which what q's operations on windows bring has come.
 * An access is ordered before this PE's next one if the entry is not less than the step that the access bears.
 * Knowledge changes with a new step and a new snapshot, so what PE q knew when it did something at step t is found by
 * t.
 */
#ifndef CORE_CHECK_RACE_WIRE_H
#define CORE_CHECK_RACE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CORE_RACE_PES = 64,
    CORE_RACE_LINE = 64, /* bytes of memory that a line tells of */
    CORE_RACE_RECORDS = 15,
    CORE_RACE_PAGE_LOG = 12,
    CORE_RACE_PAGE_LINES = 64,
    CORE_RACE_WIDE = 4 * CORE_RACE_LINE, /* bytes of accesses that are records of the page */
    CORE_RACE_SITES = 1 << 16,
    CORE_RACE_MODULES = 32,
    CORE_RACE_MEETS = 256,
    CORE_RACE_NEAR = 16, /* places beside its own that a group may have */
    CORE_RACE_MAILS = 32, /* messages to one PE that may be under way before their steps are forgotten */
    CORE_RACE_SIGNALS = 32, /* puts whose signals are remembered */
    CORE_RACE_DEEP = 4, /* collectives of one group that a PE may be ahead of another */
};

/* An access. */
struct core_race_record {
    uint32_t clock;
    uint32_t site;
    uint16_t how; /* race.h */
    uint8_t pe;   /* slice */
    uint8_t op;   /* race.h */
    uint16_t lo, hi; /* bytes of the page, hi not included */
};

/* Accesses by one call in one step to a line; the bits of `bytes` are those of the line. */
struct core_race_mark {
    struct core_race_record of; /* lo, hi: only as long as it is looked at */
    uint64_t bytes;
};

struct core_race_line {
    uint64_t lost; /* PEs of writes for which there was no room */
    uint32_t n;
    uint32_t lock;
    struct core_race_mark marks[CORE_RACE_RECORDS];
    uint64_t spare;
};
_Static_assert(sizeof(struct core_race_line) == 6 * CORE_RACE_LINE, "six bytes tell of each byte");

/* Accesses of CORE_RACE_WIDE bytes or more, as long as there is room for them here. */
struct core_race_page {
    uint64_t lines; /* that have records of their own, as bits */
    uint32_t n;
    uint32_t lock; /* before those of lines; what has a line's only needs a look at the page (race_shadow.c) */
    struct core_race_record records[CORE_RACE_RECORDS];
};

struct core_race_snapshot {
    uint32_t start;   /* the step with which it began */
    uint32_t fenced;  /* the step up to which its own puts are ordered before its next one to the same PE */
    uint32_t clocks[]; /* known[n], done[n][n], back[n] */
};

struct core_race_pe {
    uint32_t lock; /* of the snapshots */
    uint32_t clock;
    uint32_t newest; /* number of the newest snapshot, from 0 */
    uint32_t told;   /* this step has been told to others: the next own access is of a new one */
    uint32_t instrumented; /* its loads and stores are seen */
    uint32_t spare[11];
    struct core_race_meet {
        uint64_t key;
        uint32_t count;
        uint32_t number[CORE_RACE_DEEP], clock[CORE_RACE_DEEP];
    } meets[CORE_RACE_MEETS];
    struct core_race_signal {
        uint64_t signal, data, n;
        uint32_t clock; /* the data's step */
    } signals[CORE_RACE_SIGNALS];
    uint32_t n_signals;
};

struct core_race_site {
    uint32_t state; /* 0 free, 1 being filled, 2 */
    uint32_t module;
    uint64_t offset;
    char call[48];
};

struct core_race_shared {
    uint32_t off;     /* something orders PEs that the checker does not see: it says nothing */
    uint32_t pointed; /* a PE has another's memory by address */
    uint32_t modules_lock, modules;
    /* What a PE may have seen: the step of PE q's last write of a word to PE c; of PE q's when PE p last read a word of
     * its memory. */
    uint64_t mails[CORE_RACE_PES][CORE_RACE_PES][CORE_RACE_MAILS]; /* from, to: number and step of a message */
    uint32_t last[CORE_RACE_PES][CORE_RACE_PES], looked[CORE_RACE_PES][CORE_RACE_PES];
    char module[CORE_RACE_MODULES][256];
    struct core_race_site sites[CORE_RACE_SITES];
};

static inline size_t core_race_snapshot_size(unsigned n)
{
    return (sizeof(struct core_race_snapshot) + (2 * n + (size_t)n * n) * sizeof(uint32_t) + 63) & ~(size_t)63;
}

static inline unsigned core_race_snapshots(unsigned n)
{
    return n <= 16 ? 256 : 64;
}

static inline size_t core_race_pe_size(unsigned n)
{
    return (sizeof(struct core_race_pe) + 63 + core_race_snapshots(n) * core_race_snapshot_size(n)) & ~(size_t)63;
}

static inline size_t core_race_control_size(unsigned n)
{
    return (sizeof(struct core_race_shared) + 63 + n * core_race_pe_size(n) + 4095) & ~(size_t)4095;
}

#endif
