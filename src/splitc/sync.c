/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers, and the ends of gets, puts and stores.
 *
 * Stores are counted at their target, in a cache line for each sender, which only that one writes: the sum tells what
 * has come. There are two sets of counts. All PEs change from one to the other in all_store_sync, so that the set a PE
 * leaves rests, until the next one, and can be read without a second barrier; counts only grow.
 */

#include "core/base/clock.h"
#include "splitc/splitci.h"
#include "splitc/trace.h"

static uint64_t sum(unsigned set)
{
    uint64_t n = splitci.by_message[set];

    for (int pe = 0; pe < core_size(); pe++)
        n += __atomic_load_n(&splitci.count[set][pe].bytes, __ATOMIC_ACQUIRE);
    return n;
}

static void count_in(unsigned set)
{
    splitci.bank = set;
    sc_job.stored = (uintptr_t)&splitci.count[set][core_me()];
}

void splitci_stores_start(void)
{
    size_t n = (size_t)core_size() * sizeof(struct splitci_count);

    for (int i = 0; i < 2; i++) {
        splitci.count[i] = splitci_heap(n, "splitc_main", "counts of stores");
        memset(splitci.count[i], 0, n);
        splitci.used[i] = 0;
    }
    if (splitci.count[1] < splitci.count[0]) {
        struct splitci_count *lower = splitci.count[1];

        splitci.count[1] = splitci.count[0];
        splitci.count[0] = lower;
    }
    count_in(0);
}

double get_seconds(void)
{
    return core_clock_seconds();
}

void sync(void)
{
    SPLITCI_TRACE(t, "sync", __builtin_return_address(0));
    t.role = CORE_TRACE_SYNC;
    if (MPT_UNLIKELY(core_params.check))
        splitci_got_all();
    core_quiet(&splitci.flow);
    core_looked(); /* programs get and sync until they have what they wait for */
    if (MPT_UNLIKELY(splitci.pending))
        am_wait_for(splitci.pending == 0);
}

int is_sync(void)
{
    bool idle = core_flow_idle(&splitci.flow) && splitci.pending == 0;

    core_looked();
    if (MPT_UNLIKELY(core_params.check) && idle)
        splitci_got_all();
    return idle;
}

void splitci_barrier(const char *call)
{
    SPLITCI_TRACE(t, call, NULL);
    splitci_trace_together(&t, 0);
    splitci_need_start(call);
    splitci_turn(call, NULL, 0);
    sync();
    coll_barrier(COLL_WORLD, call);
    if (MPT_UNLIKELY(core_params.check))
        splitci_turn_compare();
}

void barrier(void)
{
    splitci_barrier("barrier");
}

void splitc_poll(void)
{
    ami_core_poll("splitc_poll");
    splitci_reach();
}

void all_store_sync(void)
{
    unsigned left = splitci.bank;
    SPLITCI_TRACE(t, "all_store_sync", __builtin_return_address(0));

    splitci_trace_together(&t, 0);
    splitci_need_start("all_store_sync");
    splitci_turn("all_store_sync", NULL, 0);
    sync();
    if (MPT_UNLIKELY(splitci.messages))
        am_quiet();
    splitci.messages = false;
    /* Nobody counts in the other set before all have come here. */
    coll_barrier(COLL_WORLD, "all_store_sync");
    if (MPT_UNLIKELY(core_params.check))
        splitci_turn_compare();
    count_in(!left);
    splitci.used[left] = sum(left);
}

void store_sync(size_t bytes)
{
    struct core_waiter w;
    SPLITCI_TRACE(t, "store_sync", __builtin_return_address(0));

    t.role = CORE_TRACE_WAITS;
    t.bytes = bytes;
    splitci_need_start("store_sync");
    core_wait_begin_for(&w, "store_sync", splitci.count[splitci.bank],
                        (size_t)core_size() * sizeof(struct splitci_count));
    while (sum(splitci.bank) - splitci.used[splitci.bank] < bytes)
        core_wait_pause(&w);
    core_wait_end(&w);
    splitci.used[splitci.bank] += bytes;
}

void reset_store_sync(void)
{
    splitci_need_start("reset_store_sync");
    splitci.used[splitci.bank] = sum(splitci.bank);
}

void sc_wake(int proc)
{
    uint64_t *count = core_addr(proc, (void *)sc_job.stored);

    core_changed(proc, count, sizeof *count);
}
