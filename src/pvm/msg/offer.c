/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long bodies that are announced before they are copied. The block that is sent is
 * empty at first. Either its sender fills it from the front while the receiver
 * already unpacks, so that two copies take the time of one; or, when the receiver is
 * in pvm_precv and so knows its destination, it is offered: the receiver copies it
 * straight from where it lies, once, and the block stays empty. The sender waits for
 * that no longer than a copy takes.
 */
#include <stdlib.h>

#include "core/base/clock.h"
#include "pvm/msg/message.h"
#include "pvm/pack/buffer.h"

/* hold->state. Who has set READING or FILLING is the only one to change it then. */
enum {
    PLAIN,    /* all is there */
    OFFERED,  /* the sender waits a while */
    READING,  /* the receiver copies */
    REFUSED,  /* it will not; the sender is to fill the block */
    TAKEN,    /* it has what it wanted */
    FILLING,
};
enum { FILL_STEP = 64 << 10, LOOK_EVERY = 64 };

static uint32_t state_of(const struct pvmi_hold *h)
{
    return __atomic_load_n(&h->state, __ATOMIC_ACQUIRE);
}

/* Acquire and release: the bytes belong to whoever makes the step. */
static bool step(struct pvmi_hold *h, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(&h->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* ----------------------------------------------------------------- sender -- */

bool pvmi_offer_may(int slot)
{
    return slot >= 0 && slot != pvmi.me && core_on_node(slot);
}

/* Is it in a pvm_precv that such a message may end? */
static bool waits_for(int slot, int tag)
{
    const uint64_t *word = core_coll_at(slot, pvmi_own_word(PVMI_WORD_TAKES));
    uint64_t said = __atomic_load_n(word, __ATOMIC_ACQUIRE);

    return said && ((int32_t)said == -1 || (int32_t)said == tag);
}

static bool is_keen(int slot)
{
    return pvmi.msg.takes && pvmi.msg.takes[slot];
}

static void remember(int slot, bool taken)
{
    if (!pvmi.msg.takes && taken)
        pvmi.msg.takes = calloc((size_t)core_size(), sizeof *pvmi.msg.takes);
    if (pvmi.msg.takes)
        pvmi.msg.takes[slot] = taken;
}

void pvmi_offer_forget(int slot)
{
    remember(slot, false);
}

/* The chunk's block is empty; its bytes lie at c->source. */
static void begin(struct pvmi_chunk *c, bool offered)
{
    struct pvmi_hold *h = c->hold;

    h->filled = 0;
    h->state = offered ? OFFERED : FILLING; /* the post publishes all */
    if (!offered)
        return;
    h->placed = core_slice_offset(c->source, c->used, &h->from);
    if (!h->placed) {
        h->from = (uintptr_t)c->source;
        h->key = core_cma_key();
    }
}

static void fill(struct pvmi_chunk *c, int slot)
{
    struct pvmi_hold *h = c->hold;

    for (size_t at = 0, k; at < c->used; at += k) {
        k = c->used - at < FILL_STEP ? c->used - at : FILL_STEP;
        core_copy(c->data + at, c->source + at, k);
        __atomic_store_n(&h->filled, at + k, __ATOMIC_RELEASE); /* the bytes come before */
        if (slot >= 0)
            core_wake(slot);
    }
    __atomic_store_n(&h->state, PLAIN, __ATOMIC_RELAXED); /* for this process: the receiver goes by `filled` */
    c->source = NULL;
}

void pvmi_offer_fill(struct pvmi_chunk *c)
{
    for (; c; c = c->next)
        if (c->source)
            fill(c, -1);
}

/* Has the receiver taken it? Else it is the sender's again: it was refused, the time is over or the receiver has died.
 */
static bool wait_for_taker(struct pvmi_hold *h, int slot, int64_t patience)
{
    const int64_t end = (int64_t)core_clock_ns() + patience;
    struct core_waiter w;
    unsigned tries = 0;
    uint32_t state;

    core_wait_begin(&w, pvmi.call);
    while ((state = state_of(h)) == READING || state == OFFERED) {
        if (state == OFFERED && (int64_t)core_clock_ns() > end && step(h, OFFERED, FILLING))
            break;
        core_wait_limit(&w, (uint64_t)patience);
        core_wait_pause(&w); /* makes progress */
        if (core_wait_is_slow(&w) && ++tries % LOOK_EVERY == 0 && !pvmi_alive(slot))
            break;
    }
    core_wait_end(&w);
    return state_of(h) == TAKEN;
}

/* Seldom in vain: a copy of 2 GB/s, and the time to wake up; or, when it is only likely that the receiver is about to
 * wait, a small part of what a copy takes. */
static int64_t patience_for(size_t n, bool waits)
{
    return waits ? (int64_t)n / 2 + 50000 : (int64_t)n / 128 + 2000;
}

void pvmi_offer_settle(struct pvmi_chunk *c, int slot, bool waits)
{
    for (; c; c = c->next) {
        bool taken = false;

        if (!c->source)
            continue;
        if (state_of(c->hold) != FILLING) {
            taken = wait_for_taker(c->hold, slot, patience_for(c->used, waits));
            remember(slot, taken);
        }
        if (taken)
            c->source = NULL;
        else
            fill(c, slot);
    }
}

bool pvmi_offer_begin(struct pvmi_chunk *c, int slot, int tag, bool to_taker)
{
    bool waits = to_taker && waits_for(slot, tag), offered = waits || (to_taker && is_keen(slot));

    if (!offered && core_wait_tight_looks() == 0) { /* cores are few: the receiver is not to be woken early */
        pvmi_offer_fill(c);
        return false;
    }
    for (; c; c = c->next)
        if (c->source)
            begin(c, offered);
    return waits;
}

/* --------------------------------------------------------------- receiver -- */

void pvmi_offer_refuse(struct pvmi_chunk *c)
{
    if (step(c->hold, OFFERED, REFUSED))
        core_wake(c->owner);
}

void pvmi_offer_drop(struct pvmi_chunk *c)
{
    if (step(c->hold, OFFERED, TAKEN))
        core_wake(c->owner);
}

static bool read_there(const struct pvmi_chunk *c, void *to, size_t n)
{
    const struct pvmi_hold *h = c->hold;

    if (!h->placed)
        return core_cma_may(c->owner, h->key) && core_cma_read(c->owner, to, h->from, n);
    core_copy(to, core_slice_at(c->owner, h->from), n);
    return true;
}

bool pvmi_offer_take(struct pvmi_chunk *c, void *to, size_t n)
{
    bool done;

    if (!step(c->hold, OFFERED, READING))
        return false;
    done = read_there(c, to, n);
    /* Release: it has been read. */
    __atomic_store_n(&c->hold->state, done ? TAKEN : REFUSED, __ATOMIC_RELEASE);
    core_wake(c->owner);
    return done;
}

static size_t wait_for_more(struct pvmi_chunk *c, size_t want)
{
    struct core_waiter w;
    unsigned tries = 0;
    size_t filled;

    core_wait_begin(&w, pvmi.call);
    while ((filled = __atomic_load_n(&c->hold->filled, __ATOMIC_ACQUIRE)) < want) {
        core_wait_pause(&w); /* makes progress */
        if (core_wait_is_slow(&w) && ++tries % LOOK_EVERY == 0 && !pvmi_alive(c->owner)) {
            filled = __atomic_load_n(&c->hold->filled, __ATOMIC_ACQUIRE);
            break;
        }
    }
    core_wait_end(&w);
    return filled;
}

size_t pvmi_offer_there(struct pvmi_chunk *c, size_t at)
{
    size_t filled = __atomic_load_n(&c->hold->filled, __ATOMIC_ACQUIRE);

    if (filled <= at && filled < c->used) {
        pvmi_offer_refuse(c);
        filled = wait_for_more(c, c->used - at < FILL_STEP ? c->used : at + FILL_STEP);
    }
    c->offered = filled < c->used;
    return filled;
}
