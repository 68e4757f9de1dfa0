/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast: small ones lie in root's slot when the barrier completes; large
 * ones are copied by each PE straight from root's source.
 */
#include "coll/internal.h"

static void keep_own(struct coll_call *c)
{
    if (!c->root_keeps && c->dest != c->source)
        core_copy(c->dest, c->source, c->n);
}

bool coll_broadcast_slot(struct coll_call *c)
{
    bool root = c->team->rank == c->root;
    if (c->phase++ == 0) {
        if (root)
            coll_publish(c, c->source, c->n);
        coll_sync_start(c, NULL);
    }
    if (!coll_sync_poll(c))
        return false;
    if (root)
        keep_own(c);
    else
        core_copy(c->dest, coll_published(c, c->root), c->n);
    return true;
}

bool coll_broadcast_pull(struct coll_call *c)
{
    bool root = c->team->rank == c->root;
    if (c->phase == 0) {
        coll_sync_start(c, NULL);
        c->phase = 1;
    }
    if (c->phase == 1) {
        if (!coll_sync_poll(c))
            return false;
        if (root)
            keep_own(c);
        else
            core_copy(c->dest, coll_at(c, c->root, c->source), c->n);
        coll_sync_start(c, NULL); /* root's source may change when all have it */
        c->phase = 2;
    }
    return coll_sync_poll(c);
}
