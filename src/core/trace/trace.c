/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls, regions and what happens within them, as records in the file. A record's first eight bytes hold its kind and
 * are stored last, so whoever reads the file of a PE that was killed sees whole records only.
 */
#include "core/trace/trace.h"

#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/thread.h"
#include "core/internal.h"
#include "core/trace/counters.h"
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
    struct core_trace_record *to = core_trace_hold(slot);
    uint64_t first;

    if (MPT_UNLIKELY(!to)) {
        core_trace_file_write(slot, t);
        return;
    }
    memcpy(&first, t, sizeof first);
    memcpy((char *)to + sizeof first, (const char *)t + sizeof first, sizeof *t - sizeof first);
    /* Compilers and readers of the file: what a record holds is there before its kind. */
    __atomic_store_n((uint64_t *)(void *)to, first, __ATOMIC_RELEASE);
    core_trace_let_go();
}

/* Of a call that begins, for when its PE is killed. */
static inline void put_begun(uint64_t slot, const struct core_trace_record *t)
{
    struct core_trace_record *to = core_trace_hold(slot);

    if (MPT_UNLIKELY(!to))
        return;
    to->call = t->call;
    to->thread = t->thread;
    to->begin = t->begin;
    to->site = t->site;
    core_trace_let_go();
}

/* The numbers of a call's name and place. */
static inline void number(struct core_trace_record *t, const char *name, const void *from)
{
    struct core_trace_seen *seen = core_trace_seen_at(from);

    if (MPT_LIKELY(seen->from == from && seen->name == name && core_process_single())) {
        t->call = seen->call;
        t->site = seen->site;
        return;
    }
    t->call = core_trace_call_number(name);
    t->site = core_trace_site_number(from);
    if (core_process_single() && core_trace_site_fixed(from))
        *seen = (struct core_trace_seen){from, name, t->site, t->call};
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
    *t = (struct core_trace_record){
        .kind = CORE_TRACE_CALL, .thread = (uint16_t)(own->number - 1), .begin = at, .peer = CORE_TRACE_PEER_NONE};
    number(t, name, from);
    own->before = own->last;
    own->last = slot;
    own->current = slot - 1; /* UINT64_MAX without a slot */
    own->call = t->call;
    own->site = t->site;
    if (MPT_LIKELY(slot != 0))
        put_begun(slot, t);
}

void core_trace_begin(struct core_trace_record *t, const char *name, const void *from)
{
    struct core_trace_thread *own = &core_thread.trace;

    t->kind = CORE_TRACE_NONE;
    if (own->depth++ > 0)
        return;
    own->current = UINT64_MAX;
    own->in_vain &= !trace->paused;
    if (MPT_LIKELY(!trace->paused)) {
        const uint64_t now = core_trace_now();

        if (MPT_UNLIKELY(trace->counters != CORE_TRACE_COUNTS_NOTHING))
            core_trace_count_until(own, now);
        begin_at(t, own, name, from, now);
    }
}

static __attribute__((noinline, cold)) void call_then(void)
{
    __atomic_store_n(&trace->call_at, UINT64_MAX, __ATOMIC_RELAXED);
    trace->then();
}

void core_trace_call_at(uint64_t tick, void (*what)(void))
{
    trace->then = what;
    __atomic_store_n(&trace->call_at, tick, __ATOMIC_RELEASE);
}

void core_trace_end(struct core_trace_record *t)
{
    struct core_trace_thread *own = &core_thread.trace;
    uint64_t now;

    if (MPT_UNLIKELY(own->depth == 0) || --own->depth > 0)
        return;
    if (MPT_UNLIKELY(trace->sums != NULL)) {
        if (t->kind == CORE_TRACE_CALL)
            core_trace_sum(t, core_trace_now() - t->begin, core_waited_ns() - own->waited);
        return;
    }
    now = MPT_UNLIKELY(trace->counters != CORE_TRACE_COUNTS_NOTHING) ? core_trace_count_from(own) : core_trace_now();
    if (MPT_LIKELY(t->kind == CORE_TRACE_CALL && own->current != UINT64_MAX)) {
        t->end = now;
        put(own->current + 1, t);
        own->in_vain = false;
        own->current = UINT64_MAX;
        if (MPT_UNLIKELY(t->end >= __atomic_load_n(&trace->call_at, __ATOMIC_RELAXED)))
            call_then();
    }
    own->current = UINT64_MAX;
}

/* The record before is gone on with: this one's slot is given back, if nobody has taken one since. */
static bool join(struct core_trace_thread *own, const struct core_trace_record *t)
{
    const uint64_t slot = own->last;
    struct core_trace_record *had, *mine;
    uint64_t next = slot + 1;
    bool joined;

    if (own->before == 0 || slot != own->current + 1 || !(had = core_trace_hold(own->before)))
        return false;
    mine = &trace->slots[slot & trace->mask]; /* taken later, so it is there, too */
    joined = had->kind == CORE_TRACE_CALL && had->call == t->call && had->site == t->site && had->thread == t->thread &&
             t->begin - had->end <= trace->soon;
    if (joined) {
        memset(mine, 0, sizeof *mine);
        joined = __atomic_compare_exchange_n(&trace->next, &next, slot, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    if (joined) {
        had->end = core_trace_now();
        had->value++;
        own->last = own->before;
    }
    core_trace_let_go();
    return joined;
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
    if (own->depth > 0 && t.call == 0)
        t.call = own->call;
    if (own->depth > 0 && t.site == 0)
        t.site = own->site;
    if (t.begin == 0)
        t.begin = core_trace_now();
    if (t.end < t.begin)
        t.end = t.begin;
    put(slot, &t);
    own->last = slot;
    own->in_vain = false;
    return slot - 1;
}

/* Also while the program wants nothing recorded; of no thread, as the thread that makes progress may not be one of the
 * program's. */
void core_trace_clock_was(uint64_t tick, int64_t ns, uint64_t error)
{
    uint64_t slot = take();

    if (slot != 0)
        put(slot, &(struct core_trace_record){.kind = CORE_TRACE_CLOCK,
                                              .begin = tick,
                                              .end = tick,
                                              .peer = CORE_TRACE_PEER_NONE,
                                              .bytes = error,
                                              .value = (uint64_t)ns});
}

/* ----------------------------------------------------------------- regions -- */

void core_trace_region_begin(const char *name)
{
    struct core_trace_thread *own = &core_thread.trace;
    uint32_t depth = own->regions++;
    struct core_trace_record t;
    uint64_t slot;

    if (depth >= CORE_TRACE_DEEP)
        return;
    own->region[depth] = 0;
    if (trace->paused || trace->sums || (slot = take()) == 0)
        return;
    if (own->number == 0)
        number_thread(own);
    t = (struct core_trace_record){.call = core_trace_region_number(name),
                                   .thread = (uint16_t)(own->number - 1),
                                   .begin = core_trace_now(),
                                   .peer = CORE_TRACE_PEER_NONE,
                                   .site = core_trace_site_number(__builtin_return_address(0))};
    put(slot, &t);
    own->region[depth] = slot;
}

void core_trace_region_end(void)
{
    struct core_trace_thread *own = &core_thread.trace;
    const struct core_trace_record *had;
    struct core_trace_record t;

    if (own->regions == 0 || --own->regions >= CORE_TRACE_DEEP || own->region[own->regions] == 0)
        return;
    had = core_trace_hold(own->region[own->regions]);
    if (had) {
        t = *had;
        core_trace_let_go();
    } else if (!core_trace_file_read(own->region[own->regions], &t)) {
        return;
    }
    t.kind = CORE_TRACE_REGION;
    t.end = core_trace_now();
    put(own->region[own->regions], &t);
}

void core_trace_control(int level)
{
    trace->paused = level == 0;
    if (level >= 2)
        core_trace_file_sync();
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
