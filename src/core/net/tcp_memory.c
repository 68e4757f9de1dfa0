/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that peers may read or write: found by its key, half of which is its slot
 * in a table and half a number that nobody can guess. Addresses are offsets.
 */
#include <errno.h>
#include <stdlib.h>

#include "core/net/tcp.h"

struct core_tcp_entry {
    uint64_t key; /* 0: free */
    char *base;   /* of a free one: the next free one */
    size_t n;
    bool writable;
};

static int grow(void)
{
    uint32_t n = core_tcp.memory.n ? 2 * core_tcp.memory.n : 64;
    struct core_tcp_entry *more = realloc(core_tcp.memory.entry, n * sizeof *more);
    if (!more)
        return -ENOMEM;
    core_tcp.memory.entry = more;
    core_tcp.memory.n = n;
    return 0;
}

int core_tcp_enroll(struct core_net_memory *m, void *p, size_t n, bool writable)
{
    uint32_t i = core_tcp.memory.free - 1;
    if (core_tcp.memory.free)
        core_tcp.memory.free = (uint32_t)core_tcp.memory.entry[i].n;
    else {
        if (core_tcp.memory.used == core_tcp.memory.n && grow() != 0)
            return -ENOMEM;
        i = core_tcp.memory.used++;
    }
    uint64_t key = core_net_memory_key() << 32 | (i + 1);
    core_tcp.memory.entry[i] = (struct core_tcp_entry){key, p, n, writable};
    *m = (struct core_net_memory){key, (void *)(uintptr_t)(i + 1)};
    return 0;
}

void core_tcp_release(struct core_net_memory *m)
{
    uint32_t i = (uint32_t)(uintptr_t)m->handle - 1;
    core_tcp.memory.entry[i] = (struct core_tcp_entry){.n = core_tcp.memory.free};
    core_tcp.memory.free = i + 1;
}

void *core_tcp_memory_at(uint64_t key, uint64_t offset, uint64_t n, bool writable)
{
    uint32_t i = (uint32_t)key - 1;
    const struct core_tcp_entry *e = i < core_tcp.memory.used ? &core_tcp.memory.entry[i] : NULL;
    if (!e || e->key != key || (writable && !e->writable) || offset > e->n || n > e->n - offset)
        return NULL;
    return e->base + offset;
}

void core_tcp_memory_end(void)
{
    free(core_tcp.memory.entry);
    core_tcp.memory.entry = NULL;
    core_tcp.memory.n = core_tcp.memory.used = core_tcp.memory.free = 0;
}
