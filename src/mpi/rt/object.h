/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What MPI's handles point to. A handle is the address of its object, or one of
 * the ABI's small numbers for predefined objects (below 0x1000). Objects of a
 * kind come from one range of addresses of their own, in slots that are used
 * again but never given back: a freed or invented handle is found out without
 * touching memory that is not ours.
 */
#ifndef MPI_OBJECT_H
#define MPI_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpt/fast.h"
#include "mpi/state.h"

/* First member of every object. */
struct mpii_object {
    uint32_t kind;
    int32_t refs; /* the user's handle is one; requests and other objects hold more */
};

/* A new object of `bytes` bytes (the same for all of a kind), zero but for kind
 * and refs = 1. NULL: out of memory. Call with the lock held (mpi/rt/lock.h). */
void *mpii_object_new(enum mpii_kind kind, size_t bytes);

/* The same from a free slot, of which nothing is cleared; NULL: there is none. */
struct mpii_free_slot {
    struct mpii_object object;
    struct mpii_free_slot *next;
};
static inline bool mpii_object_is_free(enum mpii_kind kind)
{
    return mpii_state.rt.pools[kind].free != NULL;
}
static inline void *mpii_object_reuse(enum mpii_kind kind)
{
    struct mpii_pool *pool = &mpii_state.rt.pools[kind];
    struct mpii_free_slot *slot = (struct mpii_free_slot *)pool->free;

    if (MPT_UNLIKELY(!slot))
        return NULL;
    pool->free = slot->next;
    slot->object = (struct mpii_object){kind, 1};
    return slot;
}

/* The slot may be used again; the handle is invalid from now on. */
void mpii_object_free(void *object);

enum { MPII_PREDEFINED_MAX = 0x1000 };

/* The object of a handle that is not predefined, NULL when there is none. */
static inline void *mpii_object_of(const void *handle, enum mpii_kind kind)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[kind];
    size_t at = (uintptr_t)handle - pool->base;

    if (MPT_UNLIKELY(at >= pool->used || at & (pool->slot - 1)))
        return NULL;
    return MPT_LIKELY(((const struct mpii_object *)handle)->kind == kind) ? (void *)(uintptr_t)handle : NULL;
}

#endif
