/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams: who takes part, and which block of the collective area is theirs.
 * Blocks ("slots") are agreed upon by the members of the parent: each offers
 * the slots it does not use, the lowest one that all offer is taken.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "coll/internal.h"

#define WORDS 32 /* 2048 slots; their 256 bytes fit a published slot */
#define SLOTS (WORDS * 64)

struct coll_team coll_world;

static uint64_t used[WORDS]; /* by teams this PE is a member of */
static pthread_mutex_t used_lock = PTHREAD_MUTEX_INITIALIZER;

static struct coll_sync *block(int slot)
{
    return (struct coll_sync *)((char *)core_coll_area(core_me(), NULL) + (size_t)slot * COLL_BLOCK);
}

static unsigned team_way(void)
{
    return core_oversubscribed() ? COLL_ON_CENTRAL : COLL_ON_SPREAD;
}

int coll_team_rank(const struct coll_team *t, int pe)
{
    int d = pe - t->start;
    if (t->stride == 0)
        return d == 0 && t->size > 0 ? 0 : -1;
    if (d % t->stride != 0 || d / t->stride < 0 || d / t->stride >= t->size)
        return -1;
    return d / t->stride;
}

static void fill(struct coll_team *t, int start, int stride, int size)
{
    *t = (struct coll_team){.start = start, .stride = stride, .size = size, .slot = -1, .way = team_way()};
    t->rank = coll_team_rank(t, core_me());
}

void coll_init(void)
{
    if (coll_world.size)
        return;
    fill(&coll_world, 0, 1, core_size());
    coll_world.slot = 0;
    coll_world.sync = block(0);
    used[0] = 1;
}

static int lowest_common_free(const uint64_t *free_slots)
{
    for (int w = 0; w < WORDS; w++)
        if (free_slots[w])
            return w * 64 + __builtin_ctzll(free_slots[w]);
    return -1;
}

int coll_team_create(struct coll_team *parent, int start, int stride, int size, struct coll_team *t)
{
    uint64_t offered[WORDS], common[WORDS];
    fill(t, start, stride, size);
    pthread_mutex_lock(&used_lock);
    for (int w = 0; w < WORDS; w++)
        offered[w] = ~used[w];
    pthread_mutex_unlock(&used_lock);
    struct coll_call agree = {.kind = COLL_REDUCE, .team = parent, .where = "making a team", .dest = common,
                              .source = offered, .n = sizeof offered, .nelems = WORDS, .type = COLL_U64, .op = COLL_AND};
    coll_run(&agree);
    int slot = lowest_common_free(common);
    if (slot < 0)
        return -ENOSPC;
    if (t->rank >= 0) {
        pthread_mutex_lock(&used_lock);
        used[slot / 64] |= 1ull << slot % 64;
        pthread_mutex_unlock(&used_lock);
        t->slot = slot;
        t->sync = block(slot);
        memset(t->sync, 0, sizeof *t->sync);
    }
    coll_barrier(parent, "making a team"); /* all blocks are clean */
    return 0;
}

void coll_team_destroy(struct coll_team *t)
{
    if (t->slot <= 0)
        return;
    coll_barrier(t, "destroying a team"); /* nobody reads this PE's block any more */
    pthread_mutex_lock(&used_lock);
    used[t->slot / 64] &= ~(1ull << t->slot % 64);
    pthread_mutex_unlock(&used_lock);
    t->slot = -1;
    t->sync = NULL;
}

void coll_team_transient(struct coll_team *t, int start, int stride, int size, void *words)
{
    fill(t, start, stride, size);
    t->way = COLL_ON_TRANSIENT;
    t->words = core_addr(core_me(), words); /* as seen through the slice, so that peers are a stride apart */
}
