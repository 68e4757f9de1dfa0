/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The slots that MPI's objects live in: for each kind a range of addresses that
 * is reserved once; memory comes as it is touched.
 */
#include <string.h>
#include <sys/mman.h>

#include "mpi/rt/ledger.h"
#include "mpi/rt/object.h"

enum { SLOT_MIN = 64, KEPT = 256 };
#define POOL_BYTES MPII_POOL_BYTES

static bool reserve(struct mpii_pool *pool, size_t bytes)
{
    size_t slot = SLOT_MIN;
    void *base = mmap(NULL, POOL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (base == MAP_FAILED)
        return false;
    while (slot < bytes)
        slot *= 2;
    pool->slot = slot;
    core_dump_leave_out(base, POOL_BYTES);
    core_guard_hide(base, POOL_BYTES);
    pool->base = (uintptr_t)base; /* aligned to a page, so to no more than 4096 */
    return true;
}

void *mpii_object_new(enum mpii_kind kind, size_t bytes)
{
    struct mpii_pool *pool = &mpii_state.rt.pools[kind];
    struct mpii_object *object = mpii_object_reuse(kind);

    if (MPT_UNLIKELY(!pool->base) && !reserve(pool, bytes))
        return NULL;
    if (MPT_LIKELY(object != NULL)) {
        memset(object, 0, bytes);
    } else {
        if (pool->used + pool->slot > POOL_BYTES)
            return NULL;
        object = (struct mpii_object *)(pool->base + pool->used); /* zero: fresh */
        pool->used += pool->slot;
        core_guard_open(object, pool->slot);
        core_dump_include((char *)pool->base, POOL_BYTES, &pool->dumped, pool->used);
    }
    object->kind = kind;
    object->refs = 1;
    return object;
}

/* With --check a slot is used again after so many others, so that a freed handle is found out. */
static struct mpii_free_slot *keep(struct mpii_pool *pool, struct mpii_free_slot *slot)
{
    struct mpii_free_slot *oldest = pool->kept.first, *last = pool->kept.last;

    slot->next = NULL;
    if (last)
        last->next = slot;
    else
        pool->kept.first = slot;
    pool->kept.last = slot;
    if (++pool->kept.n <= KEPT)
        return NULL;
    pool->kept.n--;
    pool->kept.first = oldest->next;
    return oldest;
}

void mpii_object_free(void *object)
{
    struct mpii_free_slot *slot = object;
    const enum mpii_kind kind = (enum mpii_kind)slot->object.kind;
    struct mpii_pool *pool = &mpii_state.rt.pools[kind];

    if (MPT_UNLIKELY(core_params.check))
        mpii_ledger_ended(kind, object);
    slot->object.kind = MPII_NONE;
    if (MPT_UNLIKELY(core_params.check) && !(slot = keep(pool, slot)))
        return;
    slot->next = pool->free;
    pool->free = slot;
}
