/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory management (1.6, 9.3): the core's allocator, which gives the same
 * answer on every PE, between the barriers the standard asks for. A size of zero
 * does nothing at all.
 */
#include <stdio.h>
#include <string.h>

#include "shmem/check.h"

/* p is the program's. */
static void agree(unsigned call, const void *p, size_t n, size_t align, const char *where)
{
    uint64_t at = p ? (uintptr_t)p - mpt_fast.heap_lo + 1 : 0;
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_agree(COLL_WORLD, (struct shmemi_same){.call = call, .n = n, .at = at, .root = (int64_t)align}, where);
}

/* All PEs make these calls alike: one of them says what is wrong, the first time. */
static bool has_to_tell(bool *told)
{
    bool first = !*told && mpt_fast.me == 0;
    *told = true;
    return first;
}

static void tell_exhausted(size_t size, size_t align, const char *where)
{
    char aligned[48] = "";
    size_t used, largest, total;
    if (!has_to_tell(&shmemi.heap.told_exhausted))
        return;
    if (align > 0)
        snprintf(aligned, sizeof aligned, " aligned to %zu", align);
    core_heap_stat(&used, &largest, &total);
    core_error("%s: no room for %zu bytes%s: %zu of the symmetric heap's %zu bytes are used, the largest free block "
               "has %zu; raise SHMEM_SYMMETRIC_SIZE",
               where, size, aligned, used, total, largest);
}

/* Block of `size` bytes, first `clear` of them zero; barrier at exit. */
static void *allocate(size_t size, size_t align, size_t clear, const char *where)
{
    SHMEMI_TRACE(t, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_together(&t, COLL_WORLD, size, -1);
    shmemi_ready(where);
    if (size == 0)
        return NULL;
    agree(SHMEMI_ALLOCATE, NULL, size, align, where);
    void *p = core_heap_alloc(size, align);
    if (!p)
        tell_exhausted(size, align, where);
    else
        memset(p, 0, clear);
    if (MPT_UNLIKELY(shmemi.checks) && p)
        shmemi_block_made(p, size);
    shmemi_barrier_all(where);
    return p;
}

static void release(void *p, const char *where)
{
    SHMEMI_TRACE(t, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_together(&t, COLL_WORLD, 0, -1);
    shmemi_ready(where);
    if (!p)
        return;
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_block_first(p, where);
    agree(SHMEMI_FREE, p, 0, 0, where);
    shmemi_barrier_all(where);
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_block_gone(p);
    if (core_heap_free(p) != 0)
        core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where),
                           "%s: ptr=%p is not the start of a block of the symmetric heap that is in use", where, p);
}

static void *resize(void *p, size_t size, const char *where)
{
    SHMEMI_TRACE(t, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_together(&t, COLL_WORLD, size, -1);
    if (!p)
        return allocate(size, 0, 0, where);
    if (size == 0) {
        release(p, where);
        return NULL;
    }
    shmemi_ready(where);
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_block_first(p, where);
    if (core_heap_size_of(p) == 0)
        core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where),
                           "%s: ptr=%p is not the start of a block of the symmetric heap that is in use", where, p);
    agree(SHMEMI_RESIZE, p, size, 0, where);
    shmemi_barrier_all(where); /* puts to the old place are done */
    void *moved = core_heap_resize(p, size);
    if (!moved)
        tell_exhausted(size, 0, where);
    if (MPT_UNLIKELY(shmemi.checks) && moved) {
        shmemi_block_gone(p);
        shmemi_block_made(moved, size);
    }
    shmemi_barrier_all(where);
    return moved;
}

/* Any power of two is taken; programs ask for 2 or 4, which the standard leaves open. */
static void *align(size_t alignment, size_t size, const char *where)
{
    shmemi_ready(where);
    size_t most = core_heap_alignment(mpt_fast.heap_len);
    if (alignment - 1 < most && (alignment & (alignment - 1)) == 0)
        return allocate(size, alignment, 0, where);
    if (shmemi.checks && (alignment & (alignment - 1)) != 0)
        core_finding_of_call(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: alignment=%zu: expected a power of two",
                             where, alignment);
    if (has_to_tell(&shmemi.heap.told_alignment))
        core_error("%s: alignment=%zu: expected a power of two, at most %zu with a symmetric heap of %zu bytes", where,
                   alignment, most, mpt_fast.heap_len);
    return NULL;
}

static void *clear(size_t count, size_t size, const char *where)
{
    size_t n;
    if (__builtin_mul_overflow(count, size, &n))
        return NULL;
    return allocate(n, 0, n, where);
}

/* Hints are advice: programs may have those of other libraries or of later standards. */
static void *with_hints(size_t size, long hints, const char *where)
{
    long unknown = hints & ~(SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE);
    if (unknown && has_to_tell(&shmemi.heap.told_hints))
        core_error("%s: hints=%#lx: bits %#lx are none of the SHMEM_MALLOC_ constants and are ignored", where,
                   (unsigned long)hints, (unsigned long)unknown);
    return allocate(size, 0, 0, where);
}

void *pshmem_malloc(size_t size)
{
    return allocate(size, 0, 0, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_malloc);

void pshmem_free(void *ptr)
{
    release(ptr, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_free);

void *pshmem_realloc(void *ptr, size_t size)
{
    return resize(ptr, size, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_realloc);

void *pshmem_align(size_t alignment, size_t size)
{
    return align(alignment, size, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_align);

void *pshmem_calloc(size_t count, size_t size)
{
    return clear(count, size, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_calloc);

void *pshmem_malloc_with_hints(size_t size, long hints)
{
    return with_hints(size, hints, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_malloc_with_hints);

/* The older names are weak: a program may have one of them for itself. */
#define OLD_NAME(old, name) extern __typeof__(pshmem_##name) old __attribute__((weak, alias("pshmem_" #name)));
OLD_NAME(shmalloc, malloc)
OLD_NAME(shfree, free)
OLD_NAME(shrealloc, realloc)
OLD_NAME(shmemalign, align)
