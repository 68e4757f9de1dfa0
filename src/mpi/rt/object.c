/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The slots that MPI's objects live in: for each kind a range of addresses that
 * is reserved once; memory comes as it is touched.
 */
#include <string.h>
#include <sys/mman.h>

#include "mpi/rt/object.h"

enum { SLOT_MIN = 64 };
#define POOL_BYTES (1ul << 30)

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
        core_dump_include((char *)pool->base, POOL_BYTES, &pool->dumped, pool->used);
    }
    object->kind = kind;
    object->refs = 1;
    return object;
}

void mpii_object_free(void *object)
{
    struct mpii_free_slot *slot = object;
    struct mpii_pool *pool = &mpii_state.rt.pools[slot->object.kind];

    slot->object.kind = MPII_NONE;
    slot->next = pool->free;
    pool->free = slot;
}
