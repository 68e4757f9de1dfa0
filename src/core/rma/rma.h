/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remote memory access to PE `pe`: `remote` is a symmetric address of this
 * process (or one in its collective area). The caller has checked pe and the
 * remote range. On this node it is a load, a store or an instruction, complete
 * at once; elsewhere the network transport's ops serve it (core/rma/transport.h).
 *
 * A flow is what one context has under way on the network: fence and quiet are
 * of a flow. Zero is an idle one; it must not move while it is in use. Threads
 * may share a flow.
 */
#ifndef CORE_RMA_H
#define CORE_RMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/thread.h"
#include "core/state.h"
#include "mpt/fast.h"

#define CORE_FLOW_DEFAULT (&core_state.rma.default_flow) /* of calls without a context */

/* On return the source may be changed; or the data is there. */
void core_put(struct core_flow *f, int pe, void *remote, const void *local, size_t n);
void core_get(struct core_flow *f, int pe, void *local, const void *remote, size_t n);
/* The buffer is the operation's until the flow is idle (core_quiet, core_flow_idle). */
void core_put_nbi(struct core_flow *f, int pe, void *remote, const void *local, size_t n);
void core_get_nbi(struct core_flow *f, int pe, void *local, const void *remote, size_t n);

/* nblocks blocks of `bytes` bytes; strides in bytes from block to block, any sign. */
struct core_strides {
    ptrdiff_t remote, local;
    size_t bytes, nblocks;
};
void core_put_strided(struct core_flow *f, int pe, void *remote, const void *local, struct core_strides s);
void core_get_strided(struct core_flow *f, int pe, void *local, const void *remote, struct core_strides s);

/* Atomic operations on an aligned object of `width` (4 or 8) bytes, atomic with
 * all others on it and with this node's instructions. Operands and result are
 * bit patterns in the low bytes of a word. Orderings: acquire and release. */
enum core_amo_op {
    CORE_AMO_SET,
    CORE_AMO_FETCH,
    CORE_AMO_SWAP,
    CORE_AMO_CSWAP,
    CORE_AMO_ADD,
    CORE_AMO_AND,
    CORE_AMO_OR,
    CORE_AMO_XOR,
    CORE_AMO_OPS
};
struct core_amo {
    enum core_amo_op op;
    unsigned width;
    uint64_t value, cond; /* cond: of CSWAP */
};
/* The old value (of SET: unspecified); done at the target on return. */
uint64_t core_amo(struct core_flow *f, int pe, void *remote, struct core_amo a);
/* Old value to *fetch (width bytes) by the time the flow is idle; NULL: not wanted. */
void core_amo_nbi(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch);
/* The same for programs, which change an object by these calls only, on all PEs,
 * their own included: carried out by the network's adapters where
 * core_atomics_are_native says so (every PE is alone on its node then), and not atomic
 * with core_amo, signals or instructions. Elsewhere they are core_amo. */
static inline bool core_atomics_are_native(void)
{
    return core_state.rma.atomics_native;
}
uint64_t core_atomic(struct core_flow *f, int pe, void *remote, struct core_amo a);
void core_atomic_nbi(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch);
/* On an object this process can reach by instructions (also the target's side). */
uint64_t core_amo_here(void *object, struct core_amo a);

/* Put n bytes and then, visible only after them, SET or ADD the 8-byte signal.
 * The source may be changed on return. Here, and in core_amo_nbi without fetch,
 * f may be NULL when nobody will ask whether the operation is done: the target
 * tells by what it does next. */
void core_put_signal(struct core_flow *f, int pe, void *remote, const void *local, size_t n, uint64_t *signal,
                     enum core_amo_op op, uint64_t value);

void core_fence_later(struct core_flow *f);
void core_quiet_later(struct core_flow *f);
/* Some PEs are reached by a network. */
static inline bool core_has_network(void)
{
    return core_state.rma.net_on;
}

/* Not all operations are complete at their call. */
static inline bool core_completes_later(void)
{
    return core_state.rma.later;
}

/* Order this PE's earlier puts and atomics of the flow before its later ones (to
 * each PE). On one node x86 stores are already in order: only the compiler must
 * be held. */
static inline void core_fence(struct core_flow *f)
{
    /* model: signal.put_fence */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (MPT_UNLIKELY(core_state.rma.later))
        core_fence_later(f);
}

/* All operations of the flow are done, their stores visible everywhere, and
 * later loads see what others published before: the full fence keeps a later get
 * from passing a put that still sits in the store buffer. */
static inline void core_quiet(struct core_flow *f)
{
    core_fence_full();
    if (MPT_UNLIKELY(core_state.rma.later))
        core_quiet_later(f);
}
/* Of every flow of this PE (barriers). */
void core_quiet_all(void);

/* One step towards an idle flow, without blocking: starts whatever is needed to
 * know that the flow's operations are done; true when they are. For resumable
 * steps: poll it between core_progress() calls. */
bool core_flow_idle(struct core_flow *f);
/* The flow will be used no more (waits until idle, gives back its memory). */
void core_flow_finish(struct core_flow *f);

#endif
