/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls, regions and what happens within them, as records in the file. A record's first eight bytes hold its kind and
 * are stored last, so whoever reads the file of a PE that was killed sees whole records only.
 */
#include "core/trace/trace.h"

#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "core/base/clock.h"
#include "core/base/thread.h"
#include "core/internal.h"
#include "core/trace/internal.h"

static struct core_trace_state *const trace = &core_state.trace;

uint64_t core_trace_now(void)
{
    return MPT_LIKELY(!trace->by_clock) ? core_clock_counter() : core_clock_ns();
}

/* A slot; 0: none is left. */
static inline uint64_t take(void)
{
    uint64_t slot;

    if (MPT_LIKELY(core_process_single()))
        slot = trace->next++;
    else
        slot = __atomic_fetch_add(&trace->next, 1, __ATOMIC_RELAXED);
    /* model: publish.see */
    if (MPT_UNLIKELY(slot >= __atomic_load_n(&trace->room, __ATOMIC_ACQUIRE)))
        return core_trace_take_slow(1, slot, false);
    return slot;
}

static void number_thread(struct core_trace_thread *own)
{
    own->number = (uint16_t)__atomic_add_fetch(&trace->threads, 1, __ATOMIC_RELAXED);
}

static inline void put(uint64_t slot, const struct core_trace_record *t)
{
    struct core_trace_record *to = &trace->slots[slot];
    uint64_t first;

    memcpy(&first, t, sizeof first);
    memcpy((char *)to + sizeof first, (const char *)t + sizeof first, sizeof *t - sizeof first);
    /* Compilers and readers of the file: what a record holds is there before its kind. */
    __atomic_store_n((uint64_t *)(void *)to, first, __ATOMIC_RELEASE);
}

/* ------------------------------------------------------------------- calls -- */

uint64_t core_trace_take(void)
{
    return take();
}

static __attribute__((noinline, cold)) void begin_sum(struct core_trace_record *t, struct core_trace_thread *own,
                                                      const char *name, uint64_t at)
{
    *t = (struct core_trace_record){
        .kind = CORE_TRACE_CALL, .call = core_trace_call_number(name), .begin = at, .peer = CORE_TRACE_PEER_NONE};
    own->waited = core_waited_ns();
}

static inline void begin_at(struct core_trace_record *t, struct core_trace_thread *own, const char *name,
                            const void *from, uint64_t at)
{
    uint64_t slot;

    if (MPT_UNLIKELY(trace->sums != NULL)) {
        begin_sum(t, own, name, at);
        return;
    }
    slot = take();
    if (MPT_UNLIKELY(own->number == 0))
        number_thread(own);
    *t = (struct core_trace_record){.kind = CORE_TRACE_CALL,
                                    .call = core_trace_call_number(name),
                                    .thread = (uint16_t)(own->number - 1),
                                    .begin = at,
                                    .peer = CORE_TRACE_PEER_NONE,
                                    .site = core_trace_site_number(from)};
    own->before = own->last;
    own->last = slot;
    own->current = slot - 1; /* UINT64_MAX without a slot */
    own->call = t->call;
    own->site = t->site;
    if (MPT_LIKELY(slot != 0)) { /* of a PE that is killed, what it was in */
        struct core_trace_record *to = &trace->slots[slot];

        to->call = t->call;
        to->thread = t->thread;
        to->begin = at;
        to->site = t->site;
    }
}

void core_trace_begin(struct core_trace_record *t, const char *name, const void *from)
{
    struct core_trace_thread *own = &core_thread.trace;

    t->kind = CORE_TRACE_NONE;
    if (own->depth++ > 0)
        return;
    own->current = UINT64_MAX;
    own->in_vain &= !trace->paused;
    if (MPT_LIKELY(!trace->paused))
        begin_at(t, own, name, from, core_trace_now());
}

void core_trace_end(struct core_trace_record *t)
{
    struct core_trace_thread *own = &core_thread.trace;

    if (MPT_UNLIKELY(own->depth == 0) || --own->depth > 0)
        return;
    if (MPT_UNLIKELY(trace->sums != NULL)) {
        if (t->kind == CORE_TRACE_CALL)
            core_trace_sum(t, core_trace_now() - t->begin, core_waited_ns() - own->waited);
        return;
    }
    if (MPT_LIKELY(t->kind == CORE_TRACE_CALL && own->current != UINT64_MAX)) {
        t->end = core_trace_now();
        put(own->current + 1, t);
        own->in_vain = false;
    }
    own->current = UINT64_MAX;
}

/* The record before is gone on with: this one's slot is given back, if nobody has taken one since. */
static bool join(struct core_trace_thread *own, const struct core_trace_record *t)
{
    const uint64_t slot = own->last;
    struct core_trace_record *had = &trace->slots[own->before];
    uint64_t next = slot + 1;

    if (own->before == 0 || slot != own->current + 1 || had->kind != CORE_TRACE_CALL || had->call != t->call ||
        had->site != t->site || had->thread != t->thread || t->begin - had->end > trace->soon)
        return false;
    memset(&trace->slots[slot], 0, sizeof trace->slots[slot]);
    if (!__atomic_compare_exchange_n(&trace->next, &next, slot, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return false;
    had->end = core_trace_now();
    had->value++;
    own->last = own->before;
    return true;
}

void core_trace_end_in_vain(struct core_trace_record *t)
{
    struct core_trace_thread *own = &core_thread.trace;
    bool first = t->kind == CORE_TRACE_CALL && own->depth == 1 && own->current != UINT64_MAX;

    t->value = 1;
    if (first && own->in_vain && join(own, t)) {
        t->kind = CORE_TRACE_NONE;
        own->current = UINT64_MAX;
    }
    core_trace_end(t);
    own->in_vain = first;
}

void core_trace_was(const char *name, const void *from, uint64_t begin)
{
    struct core_trace_thread *own = &core_thread.trace;
    struct core_trace_record t;

    if (own->depth > 0 || trace->paused)
        return;
    own->depth = 1;
    begin_at(&t, own, name, from, begin);
    core_trace_end(&t);
}

uint64_t core_trace_current(void)
{
    return core_thread.trace.depth > 0 ? core_thread.trace.current : UINT64_MAX;
}

uint64_t core_trace_add(const struct core_trace_record *given)
{
    struct core_trace_thread *own = &core_thread.trace;
    struct core_trace_record t = *given;
    uint64_t slot;

    if (MPT_UNLIKELY(trace->paused || trace->sums) || (slot = take()) == 0)
        return UINT64_MAX;
    if (MPT_UNLIKELY(own->number == 0))
        number_thread(own);
    t.thread = (uint16_t)(own->number - 1);
    if (own->depth > 0 && t.call == 0) {
        t.call = own->call;
        t.site = own->site;
    }
    if (t.begin == 0)
        t.begin = core_trace_now();
    if (t.end < t.begin)
        t.end = t.begin;
    put(slot, &t);
    own->last = slot;
    own->in_vain = false;
    return slot - 1;
}

/* ----------------------------------------------------------------- regions -- */

void core_trace_region_begin(const char *name)
{
    struct core_trace_thread *own = &core_thread.trace;
    uint32_t depth = own->regions++;
    struct core_trace_record *to;
    uint64_t slot;

    if (depth >= CORE_TRACE_DEEP)
        return;
    own->region[depth] = 0;
    if (trace->paused || trace->sums || (slot = take()) == 0)
        return;
    if (own->number == 0)
        number_thread(own);
    to = &trace->slots[slot];
    *to = (struct core_trace_record){.call = core_trace_region_number(name),
                                     .thread = (uint16_t)(own->number - 1),
                                     .begin = core_trace_now(),
                                     .peer = CORE_TRACE_PEER_NONE,
                                     .site = core_trace_site_number(__builtin_return_address(0))};
    own->region[depth] = slot;
}

void core_trace_region_end(void)
{
    struct core_trace_thread *own = &core_thread.trace;
    struct core_trace_record t;

    if (own->regions == 0 || --own->regions >= CORE_TRACE_DEEP || own->region[own->regions] == 0)
        return;
    t = trace->slots[own->region[own->regions]];
    t.kind = CORE_TRACE_REGION;
    t.end = core_trace_now();
    put(own->region[own->regions], &t);
}

void core_trace_control(int level)
{
    trace->paused = level == 0;
    if (level >= 2)
        msync(trace->slots, trace->room * sizeof *trace->slots, MS_SYNC);
}

/* --------------------------------------------------------------- addresses -- */

enum { AREA_SHIFT = 48 };

uint64_t core_trace_address(const void *at)
{
    uintptr_t heap = (uintptr_t)at - mpt_fast.heap_lo, data = (uintptr_t)at - mpt_fast.data_lo;

    if (heap < mpt_fast.heap_len)
        return heap;
    return data < mpt_fast.data_len ? 1ull << AREA_SHIFT | data : 0;
}
