/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that peers may read or write: found by its key, half of which is its place
 * in a table and half a number that nobody can guess. Addresses are offsets.
 */
#include <errno.h>
#include <stdlib.h>

#include "core/net/tcp.h"

struct entry {
    uint64_t key; /* 0: free */
    char *base;   /* of a free one: the next free one */
    size_t n;
    bool writable;
};

static struct {
    struct entry *entry;
    uint32_t n, used; /* used: entries that were ever taken */
    uint32_t free;    /* place + 1, chained by n */
} table;

static int grow(void)
{
    uint32_t n = table.n ? 2 * table.n : 64;
    struct entry *more = realloc(table.entry, n * sizeof *more);
    if (!more)
        return -ENOMEM;
    table.entry = more;
    table.n = n;
    return 0;
}

int core_tcp_enroll(struct core_net_memory *m, void *p, size_t n, bool writable)
{
    uint32_t i = table.free - 1;
    if (table.free)
        table.free = (uint32_t)table.entry[i].n;
    else {
        if (table.used == table.n && grow() != 0)
            return -ENOMEM;
        i = table.used++;
    }
    uint64_t key = core_net_memory_key() << 32 | (i + 1);
    table.entry[i] = (struct entry){key, p, n, writable};
    *m = (struct core_net_memory){key, (void *)(uintptr_t)(i + 1)};
    return 0;
}

void core_tcp_release(struct core_net_memory *m)
{
    uint32_t i = (uint32_t)(uintptr_t)m->handle - 1;
    table.entry[i] = (struct entry){.n = table.free};
    table.free = i + 1;
}

void *core_tcp_memory_at(uint64_t key, uint64_t offset, uint64_t n, bool writable)
{
    uint32_t i = (uint32_t)key - 1;
    const struct entry *e = i < table.used ? &table.entry[i] : NULL;
    if (!e || e->key != key || (writable && !e->writable) || offset > e->n || n > e->n - offset)
        return NULL;
    return e->base + offset;
}

void core_tcp_memory_end(void)
{
    free(table.entry);
    table.entry = NULL;
    table.n = table.used = table.free = 0;
}
