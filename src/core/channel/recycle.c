/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Slots of open jobs that serve again (open.c). A round retires those whose process
 * has gone. Every other process handles what they had sent, lets its face forget them
 * and clears the rings between them, and stores the number of the round; after
 * that it touches their memory no more. When all have, the slots are as new.
 */
#include <string.h>

#include "core/channel/internal.h"
#include "core/channel/peers.h"
#include "core/internal.h"
#include "core/mem/pages.h"

void core_job_on_retired(void (*forget)(int slot))
{
    core_state.channel.face_forgets = forget;
}

static uint32_t round_now(void)
{
    /* model: recycle.round */
    return __atomic_load_n(&core_seg->header->round, __ATOMIC_ACQUIRE);
}

static bool has_gone(const struct core_ctrl *c)
{
    /* model: publish.see */
    uint32_t state = __atomic_load_n(&c->state, __ATOMIC_ACQUIRE);

    return state == CORE_PE_FINISHED || state == CORE_PE_LEFT;
}

/* ---------------------------------------------------------------- forgetting -- */

void core_recycle_attend(void)
{
    struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    uint32_t now = round_now(), high = core_job_high();

    if (MPT_LIKELY(own->seen == now))
        return;
    for (unsigned slot = 1; slot < high; slot++) {
        uint32_t retired = __atomic_load_n(&core_ctrl_of(slot)->retired, __ATOMIC_RELAXED);

        if (retired <= own->seen || retired > now || slot == core_seg->idx)
            continue;
        core_channel_drain(slot);
        if (core_state.channel.face_forgets)
            core_state.channel.face_forgets((int)slot);
        core_channel_retire(slot);
        core_cma_forget((int)slot);
    }
    /* Release: all reads and writes of their memory come before. */
    /* model: recycle.forget */
    __atomic_store_n(&own->seen, now, __ATOMIC_RELEASE);
}

/* ------------------------------------------------------------------ retiring -- */

static void retire(unsigned high)
{
    uint32_t next = round_now() + 1;
    bool any = false;

    for (unsigned slot = 1; slot < high; slot++) {
        struct core_ctrl *c = core_ctrl_of(slot);

        if (!has_gone(c) || c->retired)
            continue;
        c->retired = next;
        any = true;
    }
    if (any)
        /* model: recycle.retire */
        __atomic_store_n(&core_seg->header->round, next, __ATOMIC_RELEASE); /* which slots comes before */
}

/* The last round that all have done. */
static uint32_t done_by_all(unsigned high)
{
    uint32_t least = round_now();

    for (unsigned slot = 0; slot < high; slot++) {
        struct core_ctrl *c = core_ctrl_of(slot);
        /* Acquire: what it did before comes before what follows here. */
        /* model: recycle.forgotten */
        uint32_t seen = __atomic_load_n(&c->seen, __ATOMIC_ACQUIRE);

        /* model: publish.see */
        if (seen < least && __atomic_load_n(&c->state, __ATOMIC_ACQUIRE) == CORE_PE_RUNNING &&
            !core_job_gone((int)slot))
            least = seen;
    }
    return least;
}

/* The slot's memory but its control page goes back to the system. */
static void make_new(unsigned slot)
{
    struct core_ctrl *c = core_ctrl_of(slot);
    char *slice = core_seg->slices + slot * core_seg->header->stride;
    uint32_t uses = c->uses + 1;

    core_pages_clear(slice + CORE_CARD_OFFSET, core_seg->header->stride - CORE_CARD_OFFSET);
    memset(&c->bell, 0, sizeof c->bell);
    c->pid = c->expected = 0;
    c->born = c->expected_born = 0;
    c->where[0] = '\0';
    c->outside = c->retired = 0;
    /* model: publish.set */
    __atomic_store_n(&c->uses, uses, __ATOMIC_RELEASE);
    __atomic_fetch_add(&core_seg->header->spare, 1, __ATOMIC_RELAXED); /* first: it is never less than there are */
    /* model: recycle.spare */
    __atomic_store_n(&c->state, CORE_PE_SPARE, __ATOMIC_RELEASE);
}

int core_job_recycle(void (*again)(int slot))
{
    unsigned high = core_job_high();
    uint32_t least;
    int n = 0;

    for (unsigned slot = 1; slot < high; slot++)
        core_job_gone((int)slot); /* finds out which have died */
    retire(high);
    least = done_by_all(high);
    for (unsigned slot = 1; slot < high; slot++) {
        struct core_ctrl *c = core_ctrl_of(slot);

        if (!has_gone(c) || !c->retired || c->retired > least)
            continue;
        again((int)slot);
        make_new(slot);
        n++;
    }
    return n;
}
