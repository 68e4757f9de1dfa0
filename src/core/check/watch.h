/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory whose accesses by the program itself are to be looked at: the symmetric heap, shared globals, windows. The
 * struct is an exported symbol of libmpt. Programs that the compiler wrappers have compiled with --check compare each
 * address with it (src/instrument) and call what is here. Nothing is watched unless something has been added.
 */
#ifndef CORE_CHECK_WATCH_H
#define CORE_CHECK_WATCH_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { CORE_WATCH_RANGES = 16 };

/* What an access does; the same bits as in race.h. */
enum { CORE_WATCH_READ = 0, CORE_WATCH_WRITE = 1, CORE_WATCH_ATOMIC = 2, CORE_WATCH_VOLATILE = 4 };

struct core_watch_range {
    uintptr_t lo;
    size_t n;
};

/* What has been told already, of one line of memory: instrumented code need not tell of it again in the same epoch. */
enum { CORE_WATCH_LINE = 64, CORE_WATCH_LINES = 256 };
struct core_watch_line {
    uintptr_t at; /* of its first byte */
    uint32_t epoch;
    uint32_t clock;          /* the library's own */
    uint64_t reads, writes;  /* a bit for each byte */
    uint64_t fresh;          /* the library's own */
    uintptr_t pc[CORE_WATCH_LINE / sizeof(uint64_t)];
};

/* A load or store of n bytes at `at` by the instructions before `pc`; `how`: bits as above. Any thread may call. */
typedef void core_watch_access(const void *at, size_t n, unsigned how, uintptr_t pc);

struct core_watch {
    struct core_watch_range low, high; /* all ranges lie in these, which the widest gap separates */
    core_watch_access *access;
    unsigned n; /* disjoint ones, sorted; of more than there is room for, the last spans the rest */
    struct core_watch_range range[CORE_WATCH_RANGES];
    uint32_t epoch; /* changes when something orders PEs */
    struct core_watch_line line[CORE_WATCH_LINES];
    /* The library's own: */
    pthread_mutex_t lock;
    struct core_watch_range *added; /* as they came */
    unsigned n_added, room;
    uint32_t instrumented; /* set by what is linked into programs compiled with --check */
};
extern struct core_watch mpt_watch __attribute__((visibility("default")));

/* Who is to be told, before the first range is added. */
void core_watch_tell(core_watch_access *access);
/* The same memory may be added several times; it is watched until it has been removed as often. */
void core_watch_add(const void *at, size_t n);
void core_watch_remove(const void *at, size_t n);

static inline struct core_watch_line *core_watch_line_of(uintptr_t at)
{
    return &mpt_watch.line[(at / CORE_WATCH_LINE ^ at / CORE_WATCH_LINE / CORE_WATCH_LINES) % CORE_WATCH_LINES];
}

/* n bytes, 1 to 64, from byte `at` of a line, as bits. */
static inline uint64_t core_watch_bits(unsigned at, size_t n)
{
    return (UINT64_MAX >> (64 - n)) << at;
}

#endif
