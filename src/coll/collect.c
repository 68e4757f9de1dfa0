/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Concatenation of everybody's block in rank order, of one size (fcollect) or
 * of several (collect): small blocks are read from their owners' slots, large
 * ones from their owners' sources. Of teams of many rank 0 reads them.
 */
#include "coll/internal.h"

bool coll_fcollect_slot(struct coll_call *c)
{
    if (c->phase++ == 0) {
        coll_publish(c, c->source, c->n);
        coll_sync_start(c, NULL);
    }
    if (!coll_sync_poll(c))
        return false;
    for (int r = 0; r < c->team->size; r++)
        core_copy((char *)c->dest + (size_t)r * c->n, coll_published(c, r), c->n);
    return true;
}

static void copy_block(struct coll_call *c, int rank, size_t offset, size_t n)
{
    char *to = (char *)c->dest + offset;
    const void *from = rank == c->team->rank ? c->source : coll_at(c, rank, c->source);
    if (n && to != from)
        core_copy(to, from, n);
}

/* Everybody begins with the block after its own, so that readers spread. In
 * place (dest's own block is the source, or dest is the source and this PE is
 * rank 0) the own block goes first, before its room is written. */
bool coll_fcollect_pull(struct coll_call *c)
{
    int size = c->team->size, rank = c->team->rank;
    if (c->phase == 0) {
        coll_sync_start(c, NULL);
        c->phase = 1;
    }
    if (c->phase == 1) {
        if (!coll_sync_poll(c))
            return false;
        for (int i = 0; i < size; i++) {
            int r = rank + i < size ? rank + i : rank + i - size;
            copy_block(c, r, (size_t)r * c->n, c->n);
        }
        coll_sync_start(c, NULL);
        c->phase = 2;
    }
    return coll_sync_poll(c);
}

/* Where ranks publish the size of their block. */
static uint64_t *size_at(const struct coll_call *c, int rank)
{
    if (c->team->way == COLL_ON_TRANSIENT)
        return &coll_words_of(c->team, rank)->value;
    return (uint64_t *)coll_published(c, rank);
}

static void pull_all(struct coll_call *c)
{
    size_t offset = 0;
    for (int r = 0; r < c->team->size; r++) {
        size_t n = *size_at(c, r);
        copy_block(c, r, offset, n);
        offset += n;
    }
}

bool coll_collect_pull(struct coll_call *c)
{
    uint64_t n = c->n;
    if (c->phase == 0) {
        if (c->team->way == COLL_ON_TRANSIENT)
            c->team->words->value = n;
        else
            coll_publish(c, &n, sizeof n);
        coll_sync_start(c, NULL);
        c->phase = 1;
    }
    if (c->phase == 1) {
        if (!coll_sync_poll(c))
            return false;
        pull_all(c);
        coll_sync_start(c, NULL);
        c->phase = 2;
    }
    if (!coll_sync_poll(c))
        return false;
    if (c->team->way == COLL_ON_TRANSIENT)
        c->team->words->value = 0;
    return true;
}

/* ---- coll_many: rank 0 puts all blocks together, the others copy the whole ---- */

static void set_size(struct coll_call *c, uint64_t n)
{
    if (c->team->way == COLL_ON_TRANSIENT)
        c->team->words->value = n;
    else
        coll_publish(c, &n, sizeof n);
}

static uint64_t put_together(struct coll_call *c)
{
    size_t offset = 0;
    for (int r = 0; r < c->team->size; r++) {
        size_t n = c->kind == COLL_ALLGATHER ? c->n : *size_at(c, r);
        copy_block(c, r, offset, n);
        offset += n;
    }
    return offset;
}

bool coll_collect_root(struct coll_call *c)
{
    switch (c->phase) {
    case 0:
        set_size(c, c->n);
        coll_sync_start(c, NULL);
        c->phase = 1;
        /* fallthrough */
    case 1:
        if (!coll_sync_poll(c))
            return false;
        if (c->team->rank == 0)
            set_size(c, put_together(c));
        coll_sync_start(c, NULL);
        c->phase = 2;
        /* fallthrough */
    case 2:
        if (!coll_sync_poll(c))
            return false;
        if (c->team->rank != 0)
            core_copy(c->dest, coll_at(c, 0, c->dest), *size_at(c, 0));
        coll_sync_start(c, NULL); /* rank 0's dest may change when all have it */
        c->phase = 3;
    }
    if (!coll_sync_poll(c))
        return false;
    if (c->team->way == COLL_ON_TRANSIENT)
        c->team->words->value = 0;
    return true;
}
