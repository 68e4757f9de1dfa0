/* SPDX-License-Identifier: BSD-3-Clause */
/* What the heap tests share: the check that all PEs got the same answer (offset, or NULL), whatever their address
 * spaces look like. */
#ifndef TESTS_SHMEM_HEAP_H
#define TESTS_SHMEM_HEAP_H

#include "check.h"
#include <limits.h>

static char *heap_base; /* first allocation of the test: offsets count from here */
static long heap_said;

static inline void heap_start(void)
{
    heap_base = shmem_malloc(64);
    REQUIRE(heap_base != NULL, "first shmem_malloc(64) returned NULL on PE %d", check_me);
}

/* Same block everywhere: compared with the next PE's answer. NULL is the same as NULL only. */
static inline bool heap_same(const void *p, const char *what)
{
    long mine = p ? (long)((const char *)p - heap_base) : LONG_MIN, theirs;

    heap_said = mine;
    shmem_barrier_all();
    theirs = shmem_long_g(&heap_said, check_next());
    shmem_barrier_all();
    return CHECK(theirs == mine, "%s: offset %ld here, %ld on PE %d", what, mine, theirs, check_next());
}

/* Every PE can use the next one's copy of the block: its first and last byte. */
static inline void heap_usable(void *p, size_t size, const char *what)
{
    char *c = p;
    char first, last;

    shmem_barrier_all(); /* the others may still be looking at what is in it */
    shmem_char_p(&c[0], (char)(check_me % 100), check_next());
    shmem_barrier_all();
    first = c[0];
    shmem_barrier_all();
    shmem_char_p(&c[size - 1], (char)(check_me % 100 + 1), check_next());
    shmem_barrier_all();
    last = c[size - 1];
    CHECK(first == check_previous() % 100, "%s: first byte is %d, expected %d", what, first, check_previous() % 100);
    CHECK(last == check_previous() % 100 + 1, "%s: last byte is %d, expected %d", what, last,
          check_previous() % 100 + 1);
    shmem_barrier_all();
}

/* Tasks of one process (docs/tasks.md) have their heaps in one mapping, and larger alignments than this are refused. */
enum { HEAP_TASKS_ALIGNMENT = 2 << 20 };
static long heap_process;

static inline bool heap_tasks(void)
{
    bool shared = false;

    heap_process = getpid();
    shmem_barrier_all();
    for (int i = 1; i < check_npes; i++) /* any two of the job: all PEs are to know the same */
        shared |= shmem_long_g(&heap_process, i) == shmem_long_g(&heap_process, i - 1);
    shmem_barrier_all();
    return shared;
}

#endif
