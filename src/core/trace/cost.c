/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the recorder itself takes for a call, for readers that want to know how long a program takes without it: when it
 * starts, it records calls of nothing, and throws them away. Batches, as other programs may take the core meanwhile.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/thread.h"
#include "core/internal.h"
#include "core/trace/internal.h"

enum { BATCHES = 9, BATCH_N = 50 }; /* with COUNTERS beside them fewer slots than a block of the file's ring */

static struct core_trace_state *const trace = &core_state.trace;

/* Ticks of a batch: between its calls, and within them. */
struct cost {
    uint64_t between, within;
};

static struct cost batch(const char *name)
{
    struct core_trace_record t;
    struct cost sum = {0};
    uint64_t last = 0;

    for (int i = 0; i <= BATCH_N; i++) {
        core_trace_begin(&t, name, name);
        core_trace_end(&t);
        if (i > 0) {
            sum.between += t.begin - last;
            sum.within += t.end - t.begin;
        }
        last = t.end;
    }
    return sum;
}

static int by_between(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;

    return (x->between > y->between) - (x->between < y->between);
}

/* As if this thread had not called anything yet. */
static void forget(struct core_trace_thread *own, uint64_t first)
{
    for (uint64_t slot = first; slot < trace->next; slot++)
        memset(&trace->slots[slot & trace->mask], 0, sizeof *trace->slots);
    trace->next = first;
    own->current = UINT64_MAX;
    own->last = own->before = 0;
    own->counters.since = 0;
}

void core_trace_cost(void)
{
    static const char name[] = "recorder";
    struct core_trace_seen *seen;
    struct cost cost[BATCHES];
    uint64_t first;
    uint16_t call;

    if (!core_process_single()) /* calls are not known by their address then */
        return;
    call = core_trace_call_number(name);
    first = trace->next;
    seen = core_trace_seen_at(name);
    *seen = (struct core_trace_seen){.from = name, .name = name, .call = call};
    for (int i = 0; i < BATCHES; i++)
        cost[i] = batch(name);
    *seen = (struct core_trace_seen){0};
    forget(&core_thread.trace, first);
    qsort(cost, BATCHES, sizeof *cost, by_between);
    core_trace_add(&(struct core_trace_record){.kind = CORE_TRACE_RECORDER,
                                               .call = call,
                                               .peer = CORE_TRACE_PEER_NONE,
                                               .bytes = BATCH_N,
                                               .message = cost[BATCHES / 2].within,
                                               .value = cost[BATCHES / 2].between});
}
