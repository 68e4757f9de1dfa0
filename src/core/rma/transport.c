/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remote memory access: one test on the PE chooses between this node's loads,
 * stores and instructions and the network transport.
 */
#include "core/rma/transport.h"

#include "core/internal.h"
#include "core/rma/amo.h"
#include "core/rma/late.h"

static const struct core_transport *net_for(int pe)
{
    if (MPT_UNLIKELY(!core_state.rma.net))
        core_fatal("PE %d is on another node and no network transport is active", pe);
    return core_state.rma.net;
}

/* Wait for what this call began, or more: a flow that threads share may go on. */
static void finish_flow(struct core_flow *f, const char *where)
{
    struct core_waiter w;
    if (core_late_on())
        core_late_finish(f, CORE_LATE_ALL_PES);
    if (core_flow_idle(f))
        return;
    core_wait_begin(&w, where);
    do
        core_wait_pause(&w);
    while (!core_flow_idle(f));
    core_wait_end(&w);
}

/* ------------------------------------------------------------ put and get -- */

/* What this PE has loaded comes before what it does next, as in calls that are inline (mpt/shmem_inline.h). */
static inline void loads_first(void)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

void core_put(struct core_flow *f, int pe, void *remote, const void *local, size_t n)
{
    if (MPT_UNLIKELY(!core_on_node(pe))) {
        net_for(pe)->put(f, pe, remote, local, n);
        return;
    }
    void *to = core_addr(pe, remote);
    if (core_late_on()) {
        core_late_put(f, pe, to, local, n, false);
        return;
    }
    loads_first();
    if (MPT_LIKELY(to != local))
        core_copy(to, local, n);
    core_changed(pe, to, n);
}

void core_put_nbi(struct core_flow *f, int pe, void *remote, const void *local, size_t n)
{
    if (MPT_UNLIKELY(!core_on_node(pe)))
        net_for(pe)->put_nbi(f, pe, remote, local, n);
    else if (core_late_on())
        core_late_put(f, pe, core_addr(pe, remote), local, n, true);
    else
        core_put(f, pe, remote, local, n);
}

static inline void get_here(int pe, void *local, const void *remote, size_t n)
{
    const void *from = core_addr(pe, remote);
    if (MPT_LIKELY(from != local))
        core_copy(local, from, n);
    loads_first();
}

void core_get_nbi(struct core_flow *f, int pe, void *local, const void *remote, size_t n)
{
    if (MPT_UNLIKELY(!core_on_node(pe)))
        net_for(pe)->get_nbi(f, pe, local, remote, n);
    else if (core_late_on())
        core_late_get(f, pe, local, core_addr(pe, remote), n);
    else
        get_here(pe, local, remote, n);
}

/* A blocking call waits on a flow of its own: it must not wait for all that its
 * context has under way. */
void core_get(struct core_flow *f, int pe, void *local, const void *remote, size_t n)
{
    (void)f;
    if (MPT_LIKELY(core_on_node(pe))) {
        get_here(pe, local, remote, n);
        return;
    }
    struct core_flow own = {0};
    net_for(pe)->get_nbi(&own, pe, local, remote, n);
    core_flow_finish(&own);
}

void core_put_strided(struct core_flow *f, int pe, void *remote, const void *local, struct core_strides s)
{
    if (MPT_UNLIKELY(!core_on_node(pe))) {
        net_for(pe)->put_strided(f, pe, remote, local, s);
        return;
    }
    if (core_late_on()) {
        core_late_put_strided(f, pe, core_addr(pe, remote), local, s);
        return;
    }
    loads_first();
    core_copy_strided(core_addr(pe, remote), s.remote, local, s.local, s.bytes, s.nblocks);
    core_changed_scattered(pe);
}

void core_get_strided(struct core_flow *f, int pe, void *local, const void *remote, struct core_strides s)
{
    (void)f;
    if (MPT_LIKELY(core_on_node(pe))) {
        core_copy_strided(local, s.local, core_addr(pe, remote), s.remote, s.bytes, s.nblocks);
        loads_first();
        return;
    }
    struct core_flow own = {0};
    net_for(pe)->get_strided(&own, pe, local, remote, s);
    core_flow_finish(&own);
}

/* ---------------------------------------------------------------- atomics -- */

uint64_t core_amo_here(void *object, struct core_amo a)
{
    return core_amo_inline(object, a);
}

static void give(void *to, uint64_t old, unsigned width)
{
    if (to)
        __builtin_memcpy(to, &old, width); /* little-endian machines: the low bytes come first */
}
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "results of atomics are copied from their low bytes");

static void amo_near(int pe, void *remote, struct core_amo a, void *fetch)
{
    void *object = core_addr(pe, remote);
    give(fetch, core_amo_here(object, a), a.width);
    if (a.op != CORE_AMO_FETCH)
        core_changed(pe, object, a.width);
}

/* Without a flow it is the library's, and nobody could ask for it. */
void core_amo_nbi(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch)
{
    if (MPT_UNLIKELY(!core_on_node(pe)))
        net_for(pe)->amo_nbi(f, pe, remote, a, fetch);
    else if (core_late_on() && f)
        core_late_amo(f, pe, core_addr(pe, remote), a, fetch);
    else
        amo_near(pe, remote, a, fetch);
}

uint64_t core_amo(struct core_flow *f, int pe, void *remote, struct core_amo a)
{
    uint64_t old = 0;
    struct core_flow own = {0};
    if (MPT_LIKELY(core_on_node(pe))) {
        if (core_late_on())
            core_late_catch_up(f, pe);
        amo_near(pe, remote, a, &old);
        return old;
    }
    core_amo_nbi(&own, pe, remote, a, &old);
    core_flow_finish(&own);
    return old;
}

void core_atomic_nbi(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch)
{
    if (MPT_UNLIKELY(core_state.rma.atomics_native))
        core_state.rma.net->atomic_nbi(f, f, pe, remote, a, fetch);
    else
        core_amo_nbi(f, pe, remote, a, fetch);
}

uint64_t core_atomic(struct core_flow *f, int pe, void *remote, struct core_amo a)
{
    uint64_t old = 0;
    struct core_flow own = {0};
    if (MPT_LIKELY(!core_state.rma.atomics_native))
        return core_amo(f, pe, remote, a);
    core_state.rma.net->atomic_nbi(f, &own, pe, remote, a, &old);
    core_flow_finish(&own);
    return old;
}

void core_put_signal(struct core_flow *f, int pe, void *remote, const void *local, size_t n, uint64_t *signal,
                     enum core_amo_op op, uint64_t value)
{
    if (MPT_UNLIKELY(!core_on_node(pe))) {
        net_for(pe)->put_signal(f, pe, remote, local, n, signal, op, value);
        return;
    }
    if (core_late_on() && f) {
        core_late_put_signal(f, pe, core_addr(pe, remote), local, n, core_addr(pe, signal), op, value);
        return;
    }
    if (n)
        core_put(f, pe, remote, local, n);
    /* The signal is stored with release: a PE that sees it sees the data. */
    core_amo_nbi(f, pe, signal, (struct core_amo){.op = op, .width = 8, .value = value}, NULL);
}

/* ------------------------------------------------------------------ order -- */

void core_fence_later(struct core_flow *f)
{
    if (core_late_on())
        core_late_fence(f);
    if (core_state.rma.net)
        core_state.rma.net->fence(f);
}

void core_quiet_later(struct core_flow *f)
{
    finish_flow(f, "quiet");
}

bool core_flow_idle(struct core_flow *f)
{
    /* Acquire: what the fetches brought. */
    /* model: pull.idle */
    return __atomic_load_n(&f->pulls, __ATOMIC_ACQUIRE) == 0 && (!core_late_on() || core_late_idle(f)) &&
           (!core_state.rma.net || core_state.rma.net->idle(f));
}

void core_flow_finish(struct core_flow *f)
{
    finish_flow(f, "an operation on another node");
    if (core_state.rma.net)
        core_state.rma.net->finish(f);
}

void core_quiet_all(void)
{
    struct core_waiter w;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (core_late_on())
        core_late_finish(NULL, CORE_LATE_ALL_PES);
    if (!core_state.rma.net || core_state.rma.net->all_idle())
        return;
    core_wait_begin(&w, "quiet");
    do
        core_wait_pause(&w);
    while (!core_state.rma.net->all_idle());
    core_wait_end(&w);
}
