/* SPDX-License-Identifier: BSD-3-Clause */
/* What the collective tests share: access to arrays of any type of the standard through one small table row, buffers
 * in the symmetric heap, random delays, and the triplets that name active sets.
 * Values stored are small integers, so that every type holds them exactly. */
#ifndef TESTS_SHMEM_TYPED_H
#define TESTS_SHMEM_TYPED_H

#include "check.h"
#include "types.h"
#include <sched.h>

struct typed {
    const char *name;
    size_t size;
    void (*store)(void *array, size_t i, long value);
    bool (*equal)(const void *array, size_t i, long value);
    long (*load)(const void *array, size_t i); /* for messages; complex numbers show their real part */
};

#define TYPED_DEFINE(NAME, T)                                                \
    static inline void store_##NAME(void *array, size_t i, long value)       \
    {                                                                        \
        ((T *)array)[i] = (T)value;                                          \
    }                                                                        \
    static inline bool equal_##NAME(const void *array, size_t i, long value) \
    {                                                                        \
        return ((const T *)array)[i] == (T)value;                            \
    }                                                                        \
    static inline long load_##NAME(const void *array, size_t i)              \
    {                                                                        \
        return (long)((const T *)array)[i];                                  \
    }

#define TYPED_ROW(NAME, T) {#NAME, sizeof(T), store_##NAME, equal_##NAME, load_##NAME}

TYPES_RMA(TYPED_DEFINE)

/* The untyped forms count bytes; the sized ones words of that many bits. */
TYPED_DEFINE(mem, unsigned char)
TYPED_DEFINE(bits32, uint32_t)
TYPED_DEFINE(bits64, uint64_t)

/* Any value a char holds: differs between PEs, places and rounds. */
static inline long typed_value(int pe, size_t i, long salt)
{
    return (long)check_mix((uint64_t)pe * 8191 + i * 127 + (uint64_t)salt * 1000003) & 63;
}

static inline void *typed_symmetric(size_t bytes)
{
    void *p = shmem_malloc(bytes);
    REQUIRE(p != NULL, "shmem_malloc of %zu bytes returned NULL", bytes);
    return p;
}

/* Fill with what no test stores: values are below 64. */
static inline void typed_clear(const struct typed *t, void *array, size_t n)
{
    for (size_t i = 0; i < n; i++)
        t->store(array, i, 99);
}

/* Sometimes a PE comes late, so that the others run ahead as far as the collective lets them. */
static inline void typed_delay(uint64_t *random)
{
    uint64_t r = check_random_below(random, 300);

    if (r == 0)
        usleep((useconds_t)check_random_below(random, 1200));
    else if (r < 30)
        sched_yield();
}

/* --- active sets --- */

struct active_set {
    int start, log_stride, size;
};

enum { ACTIVE_MAX = 512 };

/* Every active set of a job of n PEs, the whole world last. Returns their number. */
static inline int active_sets(int n, struct active_set *sets)
{
    int count = 0;

    for (int start = 0; start < n; start++)
        for (int log_stride = 0; (1 << log_stride) < 2 * n; log_stride++)
            for (int size = 1; start + ((size - 1) << log_stride) < n; size++)
                if (count < ACTIVE_MAX - 1)
                    sets[count++] = (struct active_set){start, log_stride, size};
    sets[count++] = (struct active_set){0, 0, n};
    return count;
}

static inline int active_member(const struct active_set *s, int index)
{
    return s->start + (index << s->log_stride);
}

/* This PE's number in the active set, or -1. */
static inline int active_index(const struct active_set *s, int pe)
{
    int away = pe - s->start;

    if (away < 0 || away % (1 << s->log_stride) != 0 || away >> s->log_stride >= s->size)
        return -1;
    return away >> s->log_stride;
}

static inline void sync_clear(long *sync, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sync[i] = SHMEM_SYNC_VALUE;
}

/* A collective has restored pSync when it returns. */
static inline bool sync_restored(const long *sync, size_t n, const char *what)
{
    bool good = true;

    for (size_t i = 0; i < n; i++)
        good &= CHECK(sync[i] == SHMEM_SYNC_VALUE, "%s left pSync[%zu] = %ld, expected %ld", what, i, sync[i],
                      (long)SHMEM_SYNC_VALUE);
    return good;
}

#endif
