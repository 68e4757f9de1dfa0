/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the program has handles of: see ledger.h.
 */
#include "mpi/rt/ledger.h"

#include "mpi/rt/object.h"

/* Entries of the first slots; of others nothing is known. */
static struct mpii_entry *entries(const struct mpii_pool *pool)
{
    return (struct mpii_entry *)(void *)pool->entries.at;
}

static size_t slots_known(const struct mpii_pool *pool)
{
    size_t room = pool->entries.open / sizeof(struct mpii_entry), used = pool->slot ? pool->used / pool->slot : 0;

    return used < room ? used : room;
}

static struct mpii_entry *entry_of(enum mpii_kind kind, const void *handle)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[kind];
    size_t at = (uintptr_t)handle - pool->base;

    return pool->entries.at && at < pool->used && (at & (pool->slot - 1)) == 0 && at / pool->slot < slots_known(pool)
               ? &entries(pool)[at / pool->slot]
               : NULL;
}

static void make_room(struct mpii_pool *pool)
{
    const size_t each = sizeof(struct mpii_entry);

    if (pool->entries.at || core_room_reserve(&pool->entries, pool->room.n / pool->slot * each, each))
        core_room_open(&pool->entries, pool->used / pool->slot * each);
}

void mpii_ledger_made(enum mpii_kind kind, const void *handle, const char *call, uintptr_t site)
{
    struct mpii_pool *pool = &mpii_state.rt.pools[kind];
    struct mpii_entry *e;

    if ((uintptr_t)handle < MPII_PREDEFINED_MAX || !pool->base || handle == mpii_state.request.sent ||
        handle == mpii_state.request.ended)
        return;
    make_room(pool);
    e = entry_of(kind, handle);
    if (!e)
        return;
    *e = (struct mpii_entry){.call = call, .site = site, .handles = e->handles + 1};
}

void mpii_ledger_freed(enum mpii_kind kind, const void *handle, uintptr_t site)
{
    struct mpii_entry *e = entry_of(kind, handle);

    if (!e || !e->call)
        return;
    if (e->handles > 0)
        e->handles--;
    e->end = site;
}

void mpii_ledger_ended(enum mpii_kind kind, const void *object)
{
    struct mpii_entry *e = entry_of(kind, object);

    if (!e || e->handles == 0)
        return;
    e->handles = 0;
    e->end = 0;
}

uintptr_t mpii_ledger_started(const void *request)
{
    struct mpii_entry *e = entry_of(MPII_REQUEST, request);

    if (!e)
        return 0;
    e->started = core_site();
    return e->started;
}

const struct mpii_entry *mpii_ledger_of(enum mpii_kind kind, const void *handle)
{
    const struct mpii_entry *e = (uintptr_t)handle < MPII_PREDEFINED_MAX ? NULL : entry_of(kind, handle);

    return e && e->call ? e : NULL;
}

void *mpii_ledger_next(enum mpii_kind kind, const void *after)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[kind];

    for (size_t i = after ? ((uintptr_t)after - pool->base) / pool->slot + 1 : 0; i < slots_known(pool); i++)
        if (entries(pool)[i].handles > 0)
            return (void *)(pool->base + i * pool->slot);
    return NULL;
}
