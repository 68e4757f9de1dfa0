/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All-to-all exchange, contiguous or strided: every PE copies its block out of
 * everybody's source, beginning with its right neighbour's.
 */
#include "coll/internal.h"

static void pull_block(struct coll_call *c, int from)
{
    ptrdiff_t element = (ptrdiff_t)c->n, count = (ptrdiff_t)c->nelems;
    char *to = (char *)c->dest + from * count * c->dest_step * element;
    const char *source = from == c->team->rank ? c->source : coll_at(c, from, c->source);
    source += c->team->rank * count * c->source_step * element;
    if (c->dest_step == 1 && c->source_step == 1)
        core_copy(to, source, (size_t)(count * element));
    else
        core_copy_strided(to, c->dest_step * element, source, c->source_step * element, c->n, c->nelems);
}

bool coll_alltoall_pull(struct coll_call *c)
{
    int size = c->team->size;
    if (c->phase == 0) {
        coll_sync_start(c, NULL);
        c->phase = 1;
    }
    if (c->phase == 1) {
        if (!coll_sync_poll(c))
            return false;
        for (int i = 1; i <= size; i++) {
            int r = c->team->rank + i;
            pull_block(c, r < size ? r : r - size);
        }
        coll_sync_start(c, NULL);
        c->phase = 2;
    }
    return coll_sync_poll(c);
}
