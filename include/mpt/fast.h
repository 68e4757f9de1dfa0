/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the inline calls of the faces need: where this process's shared memory
 * lies, how to reach a peer's, and how to wake a peer that sleeps. The library
 * fills `mpt_fast` when the job starts; before that no PE is within reach
 * (`node_n` is 0), so every inline call falls through to its library function,
 * which reports the error. Layout is part of the ABI.
 */
#ifndef MPT_FAST_H
#define MPT_FAST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPT_LIKELY(x) __builtin_expect(!!(x), 1)
#define MPT_UNLIKELY(x) __builtin_expect(!!(x), 0)

struct mpt_fast {
    uintptr_t heap_lo;    /* own symmetric heap: first byte and length         */
    size_t heap_len;
    uintptr_t heap_to;    /* add to an own heap address: same byte on node PE 0 */
    uintptr_t data_lo;    /* own shared globals (.data/.bss of the executable)  */
    size_t data_len;
    uintptr_t data_to;
    size_t stride;        /* from one node PE's slice to the next               */
    uintptr_t ctrl;       /* struct mpt_bell of node PE 0                       */
    unsigned node_first;  /* PE number of node PE 0                             */
    unsigned node_n;      /* PEs on this node; 0 when no job runs               */
    int me;               /* -1 when no job runs                                */
    int npes;
    unsigned reach_n;     /* node_n for the inline calls; 0 when every call must come
                             to the library, which serves the network meanwhile */
    unsigned look_n;      /* the same for calls that only read and may be a loop's:
                             0 also where PEs outnumber cores and the library counts them */
};

/* First cache line of a PE's slice. `sleeping` is written by the owner only
 * when it is about to sleep and by whoever wakes it, so peers read it from a
 * line that is shared and clean. A sleeper that waits for a change of symmetric
 * memory says of which (offsets in its slice); others' stores wake nobody. */
enum { MPT_AWAKE, MPT_WATCHES_MEMORY, MPT_WAITS_FOR_RING };
struct mpt_bell {
    uint32_t sleeping; /* one of the above */
    uint32_t rung;     /* futex word: counts the rings */
    uint64_t watch_lo, watch_hi;
};

extern struct mpt_fast mpt_fast __attribute__((visibility("default")));

/* Said by inline calls that look at `p` of PE pe where look_n does not cover it: who looks at
 * the same again and again gives its core away. */
void mpt_looked(uintptr_t p, int pe) __attribute__((visibility("default")));

/* Wake every thread of node PE `idx` that sleeps. */
void mpt_ring(unsigned idx) __attribute__((visibility("default")));

/* Index on this node, or a value >= node_n when the PE is elsewhere or invalid. */
static inline unsigned mpt_idx(int pe)
{
    return (unsigned)pe - mpt_fast.node_first;
}

/* The address at node PE `idx` of what `p` is here, or NULL when p is not the
 * address of a symmetric object. The asm makes the object escape: the compiler
 * must assume that any later call may have changed it (a peer did). */
static inline void *mpt_addr(const void *p, unsigned idx)
{
    uintptr_t a = (uintptr_t)p;
    __asm__ volatile("" : "+r"(a) : : "memory");
    if (MPT_LIKELY(a - mpt_fast.heap_lo < mpt_fast.heap_len))
        return (void *)(a + mpt_fast.heap_to + idx * mpt_fast.stride);
    if (MPT_LIKELY(a - mpt_fast.data_lo < mpt_fast.data_len))
        return (void *)(a + mpt_fast.data_to + idx * mpt_fast.stride);
    return NULL;
}

static inline struct mpt_bell *mpt_bell_of(unsigned idx)
{
    return (struct mpt_bell *)(mpt_fast.ctrl + idx * mpt_fast.stride);
}

/* Does the owner of this bell sleep until some of the n bytes at `at` change?
 * Acquire: the range is the one that was published with `sleeping`. */
static inline int mpt_watched(const struct mpt_bell *bell, const void *at, size_t n)
{
    /* model: bell.watched */
    if (MPT_LIKELY(__atomic_load_n(&bell->sleeping, __ATOMIC_ACQUIRE) != MPT_WATCHES_MEMORY))
        return 0;
    uint64_t lo = (uintptr_t)at - (uintptr_t)bell;
    return lo < __atomic_load_n(&bell->watch_hi, __ATOMIC_RELAXED) &&
           __atomic_load_n(&bell->watch_lo, __ATOMIC_RELAXED) < lo + n;
}

/* To be called after every store to the n bytes at `at`, memory of node PE
 * `idx`. The store and this load may be reordered by the CPU; the sleeper's
 * membarrier() covers that (wait.c), so a compiler barrier is enough here. */
static inline void mpt_notify(unsigned idx, const void *at, size_t n)
{
    __asm__ volatile("" : : : "memory");
    if (MPT_UNLIKELY(mpt_watched(mpt_bell_of(idx), at, n)))
        mpt_ring(idx);
}

#ifdef __cplusplus
}
#endif
#endif
