/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the program has handles of: see ledger.h.
 */
#include "mpi/rt/ledger.h"

#include <sys/mman.h>

#include "mpi/rt/object.h"

static struct mpii_entry *entry_of(enum mpii_kind kind, const void *handle)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[kind];
    size_t at = (uintptr_t)handle - pool->base;

    return pool->entries && at < pool->used && (at & (pool->slot - 1)) == 0 ? &pool->entries[at / pool->slot] : NULL;
}

/* Memory comes as it is touched. */
static void make_room(struct mpii_pool *pool)
{
    size_t bytes = MPII_POOL_BYTES / pool->slot * sizeof(struct mpii_entry);
    void *entries = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (entries == MAP_FAILED)
        return;
    core_dump_leave_out(entries, bytes);
    pool->entries = entries;
}

void mpii_ledger_made(enum mpii_kind kind, const void *handle, const char *call, uintptr_t site)
{
    struct mpii_pool *pool = &mpii_state.rt.pools[kind];
    struct mpii_entry *e;

    if ((uintptr_t)handle < MPII_PREDEFINED_MAX || !pool->base || handle == mpii_state.request.sent ||
        handle == mpii_state.request.ended)
        return;
    if (!pool->entries)
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

    if (!pool->entries)
        return NULL;
    for (size_t i = after ? ((uintptr_t)after - pool->base) / pool->slot + 1 : 0; i < pool->used / pool->slot; i++)
        if (pool->entries[i].handles > 0)
            return (void *)(pool->base + i * pool->slot);
    return NULL;
}
