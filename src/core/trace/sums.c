/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPT_STATS: in place of a record for each call, one for all calls of a name, and one for each peer that something was
 * sent to. They lie in the same file, so the launcher has those of a PE that was killed, too.
 */
#include <errno.h>
#include <stdlib.h>

#include "core/internal.h"
#include "core/trace/internal.h"

enum { CALLS = 1 << 12, NO_ROOM = -1 };

static struct core_trace_state *const trace = &core_state.trace;

int core_trace_sums_make(void)
{
    trace->sums = calloc(CALLS, sizeof *trace->sums);
    trace->peer_sums = calloc((size_t)core_size(), sizeof *trace->peer_sums);
    core_wait_measure();
    return trace->sums && trace->peer_sums ? 0 : -ENOMEM;
}

/* The sum whose slot is *at, made at its first use. NULL: there is no room. */
static struct core_trace_record *row(uint64_t *at, struct core_trace_record empty)
{
    /* model: publish.see */
    uint64_t slot = __atomic_load_n(at, __ATOMIC_ACQUIRE), mine;

    if (MPT_UNLIKELY(slot == 0)) {
        mine = core_trace_take();
        if (mine)
            trace->slots[mine] = empty;
        else
            mine = (uint64_t)NO_ROOM;
        /* model: publish.keep */
        if (__atomic_compare_exchange_n(at, &slot, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            slot = mine;
        else if (mine != (uint64_t)NO_ROOM)
            trace->slots[mine].kind = CORE_TRACE_NONE; /* another thread was faster */
    }
    return slot == (uint64_t)NO_ROOM ? NULL : &trace->slots[slot];
}

static void add(uint64_t *to, uint64_t n)
{
    __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

void core_trace_sum(const struct core_trace_record *t, uint64_t ticks, uint64_t waited_ns)
{
    struct core_trace_record *r =
        row(&trace->sums[t->call % CALLS],
            (struct core_trace_record){.kind = CORE_TRACE_SUM, .call = t->call, .peer = CORE_TRACE_PEER_NONE});

    if (r) {
        add(&r->value, 1);
        add(&r->bytes, t->bytes);
        add(&r->end, ticks);
        add(&r->message, waited_ns);
    }
    if (t->peer < 0 || t->peer >= core_size() || t->bytes == 0 || !(t->role & (CORE_TRACE_SENDS | CORE_TRACE_STORES)))
        return;
    r = row(&trace->peer_sums[t->peer], (struct core_trace_record){.kind = CORE_TRACE_SUM_PEER, .peer = t->peer});
    if (r) {
        add(&r->value, 1);
        add(&r->bytes, t->bytes);
    }
}
