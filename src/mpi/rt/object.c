/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The slots that MPI's objects live in: for each kind a range of addresses that
 * is reserved once; memory comes as it is used.
 */
#include <string.h>

#include "mpi/rt/ledger.h"
#include "mpi/rt/object.h"

enum { SLOT_MIN = 64, KEPT = 256 };
#define POOL_BYTES (1ul << 30)
#define POOL_LEAST (1ul << 24)

static bool reserve(struct mpii_pool *pool, size_t bytes)
{
    size_t slot = SLOT_MIN;

    if (!core_room_reserve(&pool->room, POOL_BYTES, POOL_LEAST))
        return false;
    while (slot < bytes)
        slot *= 2;
    pool->slot = slot;
    core_guard_hide(pool->room.at, pool->room.n);
    pool->base = (uintptr_t)pool->room.at; /* aligned to a page, so to no more than 4096 */
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
        if (!core_room_open(&pool->room, pool->used + pool->slot))
            return NULL;
        object = (struct mpii_object *)(pool->base + pool->used); /* zero: fresh */
        pool->used += pool->slot;
        core_guard_open(object, pool->slot);
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
