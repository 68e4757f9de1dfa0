/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Concatenation and exchange of blocks on several nodes. Each block of another
 * node is fetched by one member and copied from its dest by the others; blocks
 * of an all-to-all go straight to their place.
 */
#include <string.h>

#include "coll/stages.h"

/* ---- where blocks lie: of one size, or by a table of offsets in c->buffer ---- */

static size_t offset_of(const struct coll_call *c, int rank)
{
    return c->kind == COLL_ALLGATHER ? (size_t)rank * c->n : ((const size_t *)(const void *)c->buffer)[rank];
}
static size_t size_of(const struct coll_call *c, int rank)
{
    return offset_of(c, rank + 1) - offset_of(c, rank);
}

/* Place among this node's members of whoever fetches the block of a rank elsewhere. */
static int fetcher(const struct coll_team *t, int rank)
{
    return t->groups->place_of[rank] % coll_own_size(t);
}

/* Begins behind the own node, so that nodes don't all ask the same one. */
static void fetch_blocks(struct coll_call *c)
{
    struct coll_team *t = c->team;
    const struct coll_groups *g = t->groups;
    for (int i = 0; i < t->size; i++) {
        int place = g->first[g->own + 1] + i, r = g->by_group[place < t->size ? place : place - t->size];
        size_t n = size_of(c, r);
        char *to = (char *)c->dest + offset_of(c, r);
        if (n == 0)
            continue;
        if (!coll_near(t, r)) {
            if (fetcher(t, r) == coll_own_place(t))
                core_get_nbi(&c->flow, coll_team_pe(t, r), to, c->source, n);
            continue;
        }
        const void *from = r == t->rank ? c->source : coll_at(c, r, c->source);
        if (to != from)
            core_copy(to, from, n);
    }
}

static void copy_fetched(struct coll_call *c)
{
    struct coll_team *t = c->team;
    const struct coll_groups *g = t->groups;
    for (int r = 0; r < t->size; r++) {
        if (coll_near(t, r) || fetcher(t, r) == coll_own_place(t) || size_of(c, r) == 0)
            continue;
        char *to = (char *)c->dest + offset_of(c, r);
        core_copy(to, coll_at(c, g->by_group[g->first[g->own] + fetcher(t, r)], to), size_of(c, r));
    }
    coll_meet(c);
}

bool coll_fcollect_net(struct coll_call *c)
{
    static const struct coll_stage stages[] = {
        {coll_at_once, coll_meet},      {coll_sync_poll, fetch_blocks}, {coll_moved, coll_node_start},
        {coll_node_poll, copy_fetched}, {coll_sync_poll, NULL},
    };
    return COLL_STAGES_STEP(c, stages);
}

/* ---- blocks of several sizes: learn the sizes first ---- */

static bool sizes_piggyback(const struct coll_team *t)
{
    return t->way == COLL_ON_NET && (size_t)t->size * 8 <= COLL_EXCHANGE;
}

static void tell_size(struct coll_call *c)
{
    uint64_t n = c->n;
    if (sizes_piggyback(c->team)) {
        coll_piggyback_start(c, &n);
        return;
    }
    if (c->team->way == COLL_ON_NET)
        coll_publish(c, &n, sizeof n);
    else
        c->team->words->value = n;
    coll_sync_start(c, NULL);
}

static void learn_size(struct coll_call *c, int rank, uint64_t *to)
{
    struct coll_team *t = c->team;
    bool words = t->way != COLL_ON_NET;
    if (sizes_piggyback(t))
        memcpy(to, coll_piggybacked(c, rank), 8);
    else if (coll_near(t, rank))
        *to = words ? coll_words_of(t, rank)->value : *(uint64_t *)(void *)coll_published(c, rank);
    else
        core_get_nbi(&c->flow, coll_team_pe(t, rank), to,
                     words ? (void *)&t->words->value : t->sync->slot[c->epoch & 1], 8);
}

static void learn_sizes(struct coll_call *c)
{
    uint64_t *sizes = (void *)coll_buffer(c, ((size_t)c->team->size + 1) * sizeof *sizes);
    sizes[c->team->size] = 0;
    for (int r = 0; r < c->team->size; r++)
        learn_size(c, r, &sizes[r]);
}

static void begin_blocks(struct coll_call *c)
{
    uint64_t *table = (void *)c->buffer, sum = 0;
    for (int r = 0; r <= c->team->size; r++) {
        uint64_t n = table[r];
        table[r] = sum;
        sum += n;
    }
    fetch_blocks(c);
}

static void clear_word(struct coll_call *c)
{
    if (c->team->words)
        c->team->words->value = 0;
}

bool coll_collect_net(struct coll_call *c)
{
    static const struct coll_stage stages[] = {
        {coll_at_once, tell_size},     {coll_sync_poll, learn_sizes},  {coll_moved, begin_blocks},
        {coll_moved, coll_node_start}, {coll_node_poll, copy_fetched}, {coll_sync_poll, clear_word},
    };
    return COLL_STAGES_STEP(c, stages);
}

/* ---- all-to-all: everybody sends to its right neighbour first ---- */

static void send_block(struct coll_call *c, int to)
{
    struct coll_team *t = c->team;
    ptrdiff_t element = (ptrdiff_t)c->n, count = (ptrdiff_t)c->nelems;
    char *dest = (char *)c->dest + t->rank * count * c->dest_step * element;
    const char *source = (const char *)c->source + to * count * c->source_step * element;
    if (c->dest_step == 1 && c->source_step == 1)
        core_put_nbi(&c->flow, coll_team_pe(t, to), dest, source, (size_t)(count * element));
    else
        core_put_strided(&c->flow, coll_team_pe(t, to), dest, source,
                         (struct core_strides){c->dest_step * element, c->source_step * element, c->n, c->nelems});
}

static void send_blocks(struct coll_call *c)
{
    int size = c->team->size;
    for (int i = 1; i <= size; i++) {
        int r = c->team->rank + i;
        send_block(c, r < size ? r : r - size);
    }
}

bool coll_alltoall_net(struct coll_call *c)
{
    static const struct coll_stage stages[] = {
        {coll_at_once, coll_meet}, {coll_sync_poll, send_blocks}, {coll_moved, coll_meet}, {coll_sync_poll, NULL}};
    return COLL_STAGES_STEP(c, stages);
}
