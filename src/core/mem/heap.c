/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The symmetric heap: heap_space.c says which part of it is in use, all in
 * private memory where no remote store can reach it; here are the lock and the
 * way between offsets and addresses.
 *
 * A grain is one cache line, so two objects never share a line and every block
 * suits vector stores.
 */
#include <errno.h>
#include <pthread.h>

#include "core/base/number.h"
#include "core/core.h"
#include "core/internal.h"
#include "core/mem/dump.h"
#include "core/mem/guard.h"
#include "core/mem/heap_space.h"
#include "core/mem/wire.h"

enum { GRAIN = 64 };

static struct core_heap *const heap = &core_state.mem.heap;

/* Where a checker watches all PEs of the job, a grain behind each block belongs to nobody. */
static uint64_t grains(size_t n)
{
    return n / GRAIN + (n % GRAIN != 0) + (core_seg->header && core_seg->header->guarded != 0);
}

/* The offset of p in grains, or UINT64_MAX where no block can start. */
static uint64_t offset_of(const void *p)
{
    uintptr_t at = (uintptr_t)p - (uintptr_t)heap->base;

    return p && at % GRAIN == 0 ? at / GRAIN : UINT64_MAX;
}

/* Half the heap or more, so that no aligned address that a block could have is refused. Where PEs are tasks their heaps
 * lie in one mapping, a slice apart: what slices are aligned to. */
size_t core_heap_alignment(size_t n)
{
    if (core_seg->header && core_seg->header->tasks)
        return CORE_WIRE_ALIGN;
    return n > CORE_WIRE_ALIGN ? (size_t)1 << core_log2(n) : CORE_WIRE_ALIGN;
}

int core_heap_init(void *base, size_t n)
{
    size_t base_align = (uintptr_t)base & -(uintptr_t)base, most = core_heap_alignment(n);
    int err;

    pthread_mutex_lock(&heap->lock);
    core_heap_space_finish(&heap->space);
    heap->base = base;
    heap->n = n;
    heap->dumped = 0;
    heap->align = core_min(base_align, most);
    err = core_heap_space_init(&heap->space, n / GRAIN);
    core_guard_heap(base, n);
    pthread_mutex_unlock(&heap->lock);
    return err;
}

void *core_heap_alloc(size_t n, size_t align)
{
    uint64_t off;
    bool ok;

    if (n == 0)
        return NULL;
    if (align < GRAIN)
        align = GRAIN;
    pthread_mutex_lock(&heap->lock);
    /* Offsets decide, not addresses: only what the base has can be promised. */
    ok = align <= heap->align && core_heap_space_take(&heap->space, grains(n), align / GRAIN, &off);
    if (ok)
        core_dump_include(heap->base, heap->n, &heap->dumped, (off + grains(n)) * GRAIN);
    if (ok)
        core_guard_give(heap->base + off * GRAIN, n, grains(n) * GRAIN);
    pthread_mutex_unlock(&heap->lock);
    return ok ? heap->base + off * GRAIN : NULL;
}

static void forget(uint64_t off, uint64_t size)
{
    core_guard_take(heap->base + off * GRAIN, size * GRAIN, false);
}

void core_heap_forget(void)
{
    core_heap_space_each(&heap->space, forget);
}

static int drop(void *p, bool touched)
{
    uint64_t size;
    bool ok;

    pthread_mutex_lock(&heap->lock);
    size = core_heap_space_size(&heap->space, offset_of(p));
    ok = core_heap_space_drop(&heap->space, offset_of(p));
    if (ok)
        core_guard_take(p, size * GRAIN, touched);
    pthread_mutex_unlock(&heap->lock);
    return ok ? 0 : -EINVAL;
}

int core_heap_free(void *p)
{
    return drop(p, false);
}

int core_heap_leave(void *p)
{
    return drop(p, true);
}

void *core_heap_resize(void *p, size_t n)
{
    uint64_t off, old;
    bool stays;
    void *q;

    if (!p || n == 0)
        return p ? NULL : core_heap_alloc(n, 0);
    pthread_mutex_lock(&heap->lock);
    off = offset_of(p);
    old = core_heap_space_size(&heap->space, off);
    stays = core_heap_space_resize(&heap->space, off, grains(n));
    if (stays) {
        core_dump_include(heap->base, heap->n, &heap->dumped, (off + grains(n)) * GRAIN);
        if (core_guard_on()) {
            core_guard_take(p, old * GRAIN, false);
            core_guard_give(p, n, grains(n) * GRAIN);
        }
    }
    pthread_mutex_unlock(&heap->lock);
    if (stays)
        return p;
    if (!old || !(q = core_heap_alloc(n, 0)))
        return NULL;
    core_guard_open(p, old * GRAIN);
    core_copy(q, p, core_min(old * GRAIN, n)); /* it had to grow, so old <= n */
    core_heap_free(p);
    return q;
}

size_t core_heap_size_of(const void *p)
{
    size_t n;

    pthread_mutex_lock(&heap->lock);
    n = core_heap_space_size(&heap->space, offset_of(p)) * GRAIN;
    pthread_mutex_unlock(&heap->lock);
    return n;
}

bool core_heap_holds(const void *p)
{
    bool holds;

    pthread_mutex_lock(&heap->lock);
    holds = core_heap_space_holds(&heap->space, ((uintptr_t)p - (uintptr_t)heap->base) / GRAIN);
    pthread_mutex_unlock(&heap->lock);
    return holds;
}

void core_heap_stat(size_t *used, size_t *largest_free, size_t *total)
{
    pthread_mutex_lock(&heap->lock);
    *used = heap->space.used * GRAIN;
    *largest_free = core_heap_space_largest(&heap->space) * GRAIN;
    *total = heap->space.total * GRAIN;
    pthread_mutex_unlock(&heap->lock);
}
