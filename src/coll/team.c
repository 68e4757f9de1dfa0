/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams: who takes part, and which block of the collective area is theirs.
 * Blocks ("slots") are agreed upon by the members of the parent: each offers
 * the slots it does not use, the lowest one that all offer is taken.
 */
#include <errno.h>
#include <string.h>

#include "coll/internal.h"
#include "core/wait/meet.h"
#include "core/wait/wake_set.h"

static struct coll_sync *block(int slot)
{
    return (struct coll_sync *)((char *)core_coll_area(NULL) + (size_t)slot * COLL_BLOCK);
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

static bool all_here(const struct coll_team *t)
{
    int first = t->start, last = coll_team_pe(t, t->size - 1);
    if (core_node_size() == (unsigned)core_size())
        return true;
    if (!core_on_node(first) || !core_on_node(last))
        return false;
    for (int r = 1; r < t->size - 1; r++)
        if (!core_on_node(coll_team_pe(t, r)))
            return false;
    return true;
}

static bool reached_fast(int pe)
{
    return mpt_idx(pe) < mpt_fast.node_n;
}

/* All members find the same way: who shares memory with one shares it with all. */
static void fill(struct coll_team *t, int start, int stride, int size, bool transient)
{
    *t = (struct coll_team){.start = start, .stride = stride, .size = size, .slot = -1};
    t->rank = coll_team_rank(t, core_me());
    if (t->rank < 0)
        return;
    t->even = reached_fast(start) && reached_fast(coll_team_pe(t, size - 1));
    if (!all_here(t)) {
        t->groups = coll_groups_of(start, stride, size);
        t->way = transient ? COLL_ON_NET_TRANSIENT : COLL_ON_NET;
    } else if (transient)
        t->way = COLL_ON_TRANSIENT;
    else
        t->way = core_oversubscribed() ? COLL_ON_CENTRAL : COLL_ON_DISSEMINATION;
}

void coll_init(void)
{
    size_t area;
    if (COLL_WORLD->size)
        return;
    core_coll_area(&area);
    if (area < (size_t)COLL_SLOT_WORDS * 64 * COLL_BLOCK)
        core_fatal("the collective area of %zu bytes is too small for %d teams", area, COLL_SLOT_WORDS * 64);
    fill(COLL_WORLD, 0, 1, core_size(), false);
    COLL_WORLD->slot = 0;
    COLL_WORLD->sync = block(0);
    COLL_WORLD->meets = core_meets() && !core_params.check; /* such a wait does not say where it is */
    coll_state.slots.used[0] = 1;
}

/* The lowest slot that no member of the parent uses, -1 if there is none. Word by
 * word: few programs have more than 64 teams, and a word fits any number of nodes. */
static int agree(struct coll_team *parent)
{
    for (int w = 0; w < COLL_SLOT_WORDS; w++) {
        pthread_mutex_lock(&coll_state.slots.lock);
        uint64_t offered = ~coll_state.slots.used[w], common;
        pthread_mutex_unlock(&coll_state.slots.lock);
        struct coll_call c = {.kind = COLL_ALLREDUCE,
                              .team = parent,
                              .where = "making a team",
                              .dest = &common,
                              .source = &offered,
                              .n = 8,
                              .nelems = 1,
                              .type = COLL_U64,
                              .op = COLL_AND};
        coll_run(&c);
        if (common)
            return w * 64 + __builtin_ctzll(common);
    }
    return -1;
}

int coll_team_create(struct coll_team *parent, int start, int stride, int size, struct coll_team *t)
{
    fill(t, start, stride, size, false);
    int slot = agree(parent);
    if (slot < 0)
        return -ENOSPC;
    if (t->rank >= 0) {
        pthread_mutex_lock(&coll_state.slots.lock);
        coll_state.slots.used[slot / 64] |= 1ull << slot % 64;
        pthread_mutex_unlock(&coll_state.slots.lock);
        t->slot = slot;
        t->sync = block(slot);
        memset(t->sync, 0, offsetof(struct coll_sync, slot));
    }
    coll_barrier(parent, "making a team"); /* all blocks are clean */
    return 0;
}

/* The one whose block the others look at for their release must not give it to
 * another team before they have seen it. */
static void leave(struct coll_team *t)
{
    if (t->way == COLL_ON_DISSEMINATION)
        return;
    int holder = t->groups ? coll_own_leader(t) : 0;
    uint64_t others = (uint64_t)(t->groups ? coll_group_size(t->groups, t->groups->own) : t->size) - 1;
    if (t->rank == holder) {
        core_wait_word(&t->sync->count, CORE_EQ, others, "destroying a team");
        return;
    }
    __atomic_fetch_add(&coll_sync_of(t, holder)->count, 1, __ATOMIC_ACQ_REL);
    coll_wake(t, holder);
}

void coll_team_destroy(struct coll_team *t)
{
    if (t->slot <= 0)
        return;
    coll_barrier(t, "destroying a team");
    leave(t);
    coll_team_forget_block(t);
    core_wake_set_free(t->others);
    pthread_mutex_lock(&coll_state.slots.lock);
    coll_state.slots.used[t->slot / 64] &= ~(1ull << t->slot % 64);
    pthread_mutex_unlock(&coll_state.slots.lock);
    t->slot = -1;
    t->sync = NULL;
}

void coll_team_transient(struct coll_team *t, int start, int stride, int size, void *words)
{
    fill(t, start, stride, size, true);
    /* Seen through the slice peers' words are a stride apart; to the network the
     * address given is the one that is symmetric. */
    t->words = t->even ? core_addr(core_me(), words) : words;
}
