/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The arena: memory at the end of this PE's slice that is its own business, and
 * that peers of its node can load and store. Which part is in use is known by
 * heap_space.c, outside the memory itself. What large blocks held goes back to
 * the system when they are freed.
 */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/base/page.h"
#include "core/internal.h"
#include "core/mem/dump.h"
#include "core/mem/heap_space.h"
#include "core/mem/pages.h"

enum { GRAIN = 64 };

/* Giving pages back costs a system call and new faults later. */
#define GIVE_BACK_MIN (1ul << 20)

static struct core_arena *const arena = &core_state.mem.arena;

int core_arena_init(void *base, size_t n)
{
    int err;

    pthread_mutex_lock(&arena->lock);
    core_heap_space_finish(&arena->space);
    arena->base = base;
    arena->n = n;
    arena->high = arena->dumped = 0;
    err = core_heap_space_init(&arena->space, n / GRAIN);
    pthread_mutex_unlock(&arena->lock);
    return err;
}

/* Of a block, with the lock held. */
static void note_end(size_t end)
{
    if (end <= arena->high)
        return;
    arena->high = end;
    core_dump_include(arena->base, arena->n, &arena->dumped, end);
}

static void *alloc(size_t n, size_t align, int lock(pthread_mutex_t *))
{
    uint64_t off;
    bool ok;

    if (align < GRAIN)
        align = GRAIN;
    if (n == 0 || n > arena->n || align > CORE_WIRE_ALIGN) /* the base is aligned to that */
        return NULL;
    if (lock(&arena->lock) != 0)
        return NULL;
    ok = core_heap_space_take(&arena->space, core_ceil_div(n, GRAIN), align / GRAIN, &off);
    if (ok)
        note_end((off + core_ceil_div(n, GRAIN)) * GRAIN);
    pthread_mutex_unlock(&arena->lock);
    return ok ? arena->base + off * GRAIN : NULL;
}

void *core_arena_alloc(size_t n, size_t align)
{
    return alloc(n, align, pthread_mutex_lock);
}

void *core_arena_try(size_t n, size_t align)
{
    return alloc(n, align, pthread_mutex_trylock);
}

/* Offset in grains, UINT64_MAX where no block can start. */
static uint64_t grain_of(const void *p)
{
    size_t at = (uintptr_t)p - (uintptr_t)arena->base;

    return at % GRAIN == 0 ? at / GRAIN : UINT64_MAX;
}

/* The whole pages of it. The block is still in use, so nobody else's are among them. */
bool core_arena_clear(void *p, size_t n)
{
    size_t page = core_page_size(), skip = -(uintptr_t)p & (page - 1);

    return n <= skip || core_pages_drop((char *)p + skip, (n - skip) & ~(page - 1));
}

void core_arena_drop(void *p)
{
    bool ok;

    pthread_mutex_lock(&arena->lock);
    ok = core_heap_space_drop(&arena->space, grain_of(p));
    pthread_mutex_unlock(&arena->lock);
    if (!ok)
        core_fatal("%p is freed, but it is no block of the arena (freed twice?)", p);
}

void core_arena_free(void *p)
{
    size_t n;

    if (!p)
        return;
    n = core_arena_size_of(p);
    if (n >= GIVE_BACK_MIN)
        core_arena_clear(p, n);
    core_arena_drop(p);
}

bool core_arena_resize(void *p, size_t n)
{
    size_t grains = core_ceil_div(n, GRAIN);
    bool ok;

    if (n == 0 || n > arena->n || pthread_mutex_trylock(&arena->lock) != 0)
        return false;
    ok = core_heap_space_resize(&arena->space, grain_of(p), grains);
    if (ok)
        note_end((grain_of(p) + grains) * GRAIN);
    pthread_mutex_unlock(&arena->lock);
    return ok;
}

void core_arena_freeze(void **base, size_t *high)
{
    pthread_mutex_lock(&arena->lock);
    *base = arena->base;
    *high = arena->high;
}

void core_arena_thaw(void)
{
    pthread_mutex_unlock(&arena->lock);
}

size_t core_arena_size_of(const void *p)
{
    size_t n;

    pthread_mutex_lock(&arena->lock);
    n = core_heap_space_size(&arena->space, grain_of(p)) * GRAIN;
    pthread_mutex_unlock(&arena->lock);
    return n;
}

bool core_arena_holds(const void *p, size_t n)
{
    size_t at = (uintptr_t)p - (uintptr_t)arena->base;

    return at < arena->n && n <= arena->n - at;
}

uint64_t core_arena_offset(const void *p)
{
    return (uint64_t)((const char *)p - arena->base);
}

void *core_arena_at(int pe, uint64_t offset)
{
    if (!core_on_node(pe))
        return NULL;
    return core_seg->slices + core_slice_of(pe) * mpt_fast.stride + core_seg->header->off_arena + offset;
}
