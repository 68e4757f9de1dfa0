/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An atomic operation as instructions, inlined: where the operation is known to
 * the compiler, the one instruction is left. Orderings: acquire and release.
 */
#ifndef CORE_RMA_AMO_H
#define CORE_RMA_AMO_H

#include "core/core.h"

#define CORE_AMO_INLINE static inline __attribute__((always_inline))

CORE_AMO_INLINE uint64_t core_amo_32(uint32_t *object, enum core_amo_op op, uint32_t value, uint32_t cond)
{
    switch (op) {
    case CORE_AMO_SET:
        /* model: signal.set */
        __atomic_store_n(object, value, __ATOMIC_RELEASE);
        return 0;
    case CORE_AMO_FETCH:
        /* model: signal.fetch */
        return __atomic_load_n(object, __ATOMIC_ACQUIRE);
    case CORE_AMO_SWAP:
        return __atomic_exchange_n(object, value, __ATOMIC_ACQ_REL);
    case CORE_AMO_CSWAP:
        __atomic_compare_exchange_n(object, &cond, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        return cond;
    case CORE_AMO_ADD:
        return __atomic_fetch_add(object, value, __ATOMIC_ACQ_REL);
    case CORE_AMO_AND:
        return __atomic_fetch_and(object, value, __ATOMIC_ACQ_REL);
    case CORE_AMO_OR:
        return __atomic_fetch_or(object, value, __ATOMIC_ACQ_REL);
    case CORE_AMO_XOR:
        return __atomic_fetch_xor(object, value, __ATOMIC_ACQ_REL);
    case CORE_AMO_OPS:
        break;
    }
    core_fatal("damaged atomic operation %d", (int)op);
}

CORE_AMO_INLINE uint64_t core_amo_64(uint64_t *object, enum core_amo_op op, uint64_t value, uint64_t cond)
{
    switch (op) {
    case CORE_AMO_SET:
        /* model: signal.set */
        __atomic_store_n(object, value, __ATOMIC_RELEASE);
        return 0;
    case CORE_AMO_FETCH:
        /* model: signal.fetch */
        return __atomic_load_n(object, __ATOMIC_ACQUIRE);
    case CORE_AMO_SWAP:
        return __atomic_exchange_n(object, value, __ATOMIC_ACQ_REL);
    case CORE_AMO_CSWAP:
        __atomic_compare_exchange_n(object, &cond, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        return cond;
    case CORE_AMO_ADD:
        return __atomic_fetch_add(object, value, __ATOMIC_ACQ_REL);
    case CORE_AMO_AND:
        return __atomic_fetch_and(object, value, __ATOMIC_ACQ_REL);
    case CORE_AMO_OR:
        return __atomic_fetch_or(object, value, __ATOMIC_ACQ_REL);
    case CORE_AMO_XOR:
        return __atomic_fetch_xor(object, value, __ATOMIC_ACQ_REL);
    case CORE_AMO_OPS:
        break;
    }
    core_fatal("damaged atomic operation %d", (int)op);
}

/* As core_amo_here. */
CORE_AMO_INLINE uint64_t core_amo_inline(void *object, struct core_amo a)
{
    return a.width == 4 ? core_amo_32(object, a.op, (uint32_t)a.value, (uint32_t)a.cond)
                        : core_amo_64(object, a.op, a.value, a.cond);
}

#endif
