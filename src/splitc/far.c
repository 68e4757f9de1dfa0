/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accesses that are not inline: objects on other nodes (symmetric ones by the transport, others by messages), this
 * PE's private memory, all accesses while lines are counted, and pointers that are none.
 */
#include "splitc/splitci.h"
#include "splitc/trace.h"

static const char *const did[SPLITCI_KINDS] = {"read", "write", "get", "put", "store"};

void *splitci_near(struct sc_global g, const char *what, const char *file, int line)
{
    void *p;

    if (!sc_job.procs)
        core_finding_fatal(CORE_FINDING_CALL_STATE, SPLITCI_RULE,
                           "%s:%d: %s through a global pointer before splitc_main", file, line, what);
    if (!g.addr)
        core_finding_fatal(CORE_FINDING_ARGUMENT, SPLITCI_RULE,
                           "%s:%d: PE %d: %s through a global pointer that is NULL", file, line, core_me(), what);
    if (g.proc < 0 || g.proc >= core_size())
        core_finding_fatal(CORE_FINDING_ARGUMENT, SPLITCI_RULE,
                           "%s:%d: PE %d: %s through a global pointer to processor %d; there are %d", file, line,
                           core_me(), what, g.proc, core_size());
    if (g.proc == core_me())
        return g.addr;
    if (!core_on_node(g.proc))
        return NULL;
    p = core_addr(g.proc, g.addr);
    return p || !core_arena_holds(g.addr, 1) ? p : core_arena_at(g.proc, core_arena_offset(g.addr));
}

static void *look(enum splitci_kind kind, struct sc_global g, size_t n, const char *file, int line)
{
    void *p = splitci_near(g, did[kind], file, line);

    if (!p && splitci_constant(g.addr)) {
        if (kind != SPLITCI_READ && kind != SPLITCI_GET)
            core_finding_fatal(
                CORE_FINDING_ARGUMENT, SPLITCI_RULE,
                "%s:%d: PE %d: %s through a global pointer to address %p of processor %d, which is a constant", file,
                line, core_me(), did[kind], g.addr, g.proc);
        p = g.addr;
    }
    if (splitci.profile)
        splitci_line_count(file, line, kind, g.proc, n);
    core_polled();
    splitci_reach();
    return p;
}

/* ------------------------------------------------------------- by messages --
 * What is not symmetric is known to its owner only. */

static void one_done(vnn_t src, void *at, int n, void *counter)
{
    (void)src, (void)at, (void)n;
    --*(unsigned long *)counter;
}

static void put_done_here(vnn_t src, am_word counter)
{
    (void)src;
    --*(unsigned long *)counter;
}

static void put_came(vnn_t src, void *at, int n, void *counter)
{
    (void)at, (void)n;
    am_reply_1(src, put_done_here, (am_word)counter);
}

static void store_came(vnn_t src, void *at, int n, void *bank)
{
    (void)src, (void)at;
    splitci.by_message[(uintptr_t)bank] += (uint64_t)n;
}

/* The counter falls when it is done. */
static void message_get(void *to, struct sc_global g, size_t n, unsigned long *counter)
{
    ++*counter;
    am_get(g.proc, g.addr, to, (long)n, one_done, counter);
}

static void message_put(struct sc_global g, const void *from, size_t n, unsigned long *counter)
{
    ++*counter;
    am_store(g.proc, from, g.addr, (long)n, put_came, counter);
}

/* ------------------------------------------------------------ what scc calls -- */

void sc_read_far(void *to, struct sc_global from, size_t n, const char *file, int line)
{
    SPLITCI_TRACE(t, "read", __builtin_return_address(0));
    splitci_trace_moved(&t, CORE_TRACE_LOADS, from, n);
    void *p = look(SPLITCI_READ, from, n, file, line);
    unsigned long pending = 0;

    if (p) {
        core_copy(to, p, n);
    } else if (core_segment_holds(from.addr, n)) {
        core_get(CORE_FLOW_DEFAULT, from.proc, to, from.addr, n);
    } else {
        message_get(to, from, n, &pending);
        am_wait_for(pending == 0);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

void sc_write_far(struct sc_global to, const void *from, size_t n, const char *file, int line)
{
    SPLITCI_TRACE(t, "write", __builtin_return_address(0));
    splitci_trace_moved(&t, CORE_TRACE_STORES, to, n);
    void *p = look(SPLITCI_WRITE, to, n, file, line);
    unsigned long pending = 0;

    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (p) {
        core_copy(p, from, n);
    } else if (core_segment_holds(to.addr, n)) {
        core_put(CORE_FLOW_DEFAULT, to.proc, to.addr, from, n);
        core_quiet(CORE_FLOW_DEFAULT);
    } else {
        message_put(to, from, n, &pending);
        am_wait_for(pending == 0);
    }
}

void sc_get_far(void *to, struct sc_global from, size_t n, const char *file, int line)
{
    SPLITCI_TRACE(t, "get", __builtin_return_address(0));
    splitci_trace_moved(&t, CORE_TRACE_LOADS | CORE_TRACE_BEGINS, from, n);
    void *p = look(SPLITCI_GET, from, n, file, line);

    if (p && core_late_on())
        core_late_get(&splitci.flow, from.proc, to, p, n);
    else if (p) {
        core_copy(to, p, n);
        if (MPT_UNLIKELY(core_params.check))
            splitci_got(to, n, file, line);
    } else if (core_segment_holds(from.addr, n))
        core_get_nbi(&splitci.flow, from.proc, to, from.addr, n);
    else
        message_get(to, from, n, &splitci.pending);
}

void sc_put_far(struct sc_global to, const void *from, size_t n, const char *file, int line)
{
    SPLITCI_TRACE(t, "put", __builtin_return_address(0));
    splitci_trace_moved(&t, CORE_TRACE_STORES | CORE_TRACE_BEGINS, to, n);
    void *p = look(SPLITCI_PUT, to, n, file, line);

    if (p && core_late_on())
        core_late_put(&splitci.flow, to.proc, p, from, n, false);
    else if (p)
        core_copy(p, from, n);
    else if (core_segment_holds(to.addr, n))
        core_put(&splitci.flow, to.proc, to.addr, from, n);
    else
        message_put(to, from, n, &splitci.pending);
}

void sc_store_far(struct sc_global to, const void *from, size_t n, const char *file, int line)
{
    SPLITCI_TRACE(t, "store", __builtin_return_address(0));
    splitci_trace_moved(&t, CORE_TRACE_STORES, to, n);
    uint64_t *own = (uint64_t *)sc_job.stored, *count;
    void *p = look(SPLITCI_STORE, to, n, file, line);
    uintptr_t bank = (char *)own >= (char *)splitci.count[1];

    count = to.proc == core_me() ? own : p ? core_addr(to.proc, own) : NULL;
    if (p && core_late_on()) {
        core_late_put_signal(&splitci.flow, to.proc, p, from, n, count, CORE_AMO_ADD, n);
    } else if (p) {
        core_copy(p, from, n);
        __atomic_store_n(count, *count + n, __ATOMIC_RELEASE);
        core_changed(to.proc, count, sizeof *count);
    } else if (core_segment_holds(to.addr, n)) {
        core_put_signal(&splitci.flow, to.proc, to.addr, from, n, own, CORE_AMO_ADD, n);
    } else {
        splitci.messages = true;
        am_store(to.proc, from, to.addr, (long)n, store_came, (void *)bank);
    }
}
