/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic memory operations (1.6, 9.7), out of line: what the header's inline
 * forms fall back to, and the nonblocking ones. On this node each is its
 * instruction and complete at once, elsewhere (where adapters carry out atomics:
 * everywhere) a core_atomic of the same meaning.
 * Orderings are those of mpt/shmem_inline_amo.h and explained there.
 */
#include <string.h>

#include "shmem/check.h"

void *shmemi_atomic_at(shmem_ctx_t ctx, const void *p, size_t size, const char *arg, int pe, int *world_pe,
                       const char *where)
{
    pe = shmemi_pe(ctx, pe, where);
    shmemi_symmetric(p, size, arg, where);
    *world_pe = pe;
    return core_addr(pe, p);
}

/* A value of 4 or 8 bytes as core takes it; the low bytes come first. */
static inline uint64_t bits(const void *value, size_t width)
{
    uint64_t word = 0;
    memcpy(&word, value, width);
    return word;
}

/* An operation: HERE_ does it to r, the object at a PE of this node, and may
 * leave the old value in `old`; NET_ is the same for core_atomic. */
#define NET(op, operand, compared) \
    ((struct core_amo){CORE_AMO_##op, sizeof(*r), bits(&(operand), sizeof *r), bits(&(compared), sizeof *r)})
#define HERE_fetch __atomic_load(r, &old, __ATOMIC_ACQUIRE)
#define NET_fetch ((struct core_amo){.op = CORE_AMO_FETCH, .width = sizeof *r})
#define HERE_set __atomic_store(r, &value, __ATOMIC_RELEASE)
#define NET_set NET(SET, value, value)
#define HERE_swap __atomic_exchange(r, &value, &old, __ATOMIC_ACQ_REL)
#define NET_swap NET(SWAP, value, value)
#define HERE_cswap \
    old = cond, __atomic_compare_exchange_n(r, &old, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
#define NET_cswap NET(CSWAP, value, cond)
#define HERE_inc old = __atomic_fetch_add(r, 1, __ATOMIC_ACQ_REL)
#define NET_inc ((struct core_amo){CORE_AMO_ADD, sizeof *r, 1, 0})
#define HERE_add old = __atomic_fetch_add(r, value, __ATOMIC_ACQ_REL)
#define NET_add NET(ADD, value, value)
#define HERE_and old = __atomic_fetch_and(r, value, __ATOMIC_ACQ_REL)
#define NET_and NET(AND, value, value)
#define HERE_or old = __atomic_fetch_or(r, value, __ATOMIC_ACQ_REL)
#define NET_or NET(OR, value, value)
#define HERE_xor old = __atomic_fetch_xor(r, value, __ATOMIC_ACQ_REL)
#define NET_xor NET(XOR, value, value)

/* A call on `object`: what the two ways return, or do with the old value. */
#define ATOMIC(R, T, name, P, object, how, here, there)                                       \
    SHMEMI_DEF_CTX(R, name, P,                                                                \
                   int world_pe;                                                              \
                   T *r = shmemi_atomic_at(ctx, object, sizeof(T), #object, pe, &world_pe, where); \
                   T old;                                                                     \
                   if (MPT_LIKELY(r != NULL) && MPT_LIKELY(!core_atomics_native)) {           \
                       HERE_##how;                                                            \
                       shmemi_changed(r, sizeof *r, world_pe);                                \
                       here;                                                                  \
                   } else                                                                     \
                       there(T, object, NET_##how);)
#define FETCHED(T, object, amo)                                                               \
    {                                                                                         \
        uint64_t was = core_atomic(shmemi_flow(ctx), world_pe, (T *)object, amo);             \
        memcpy(&old, &was, sizeof old);                                                       \
        return old;                                                                           \
    }
#define FETCHED_NBI(T, object, amo) core_atomic_nbi(shmemi_flow(ctx), world_pe, (T *)object, amo, fetch)
#define CHANGED(T, object, amo) core_atomic_nbi(shmemi_flow(ctx), world_pe, object, amo, NULL)

#define FETCHING(T, name, P, object, how)                                                     \
    ATOMIC(T, T, name, P, object, how, shmemi_looked(object, world_pe); return old, FETCHED)
#define FETCHING_NBI(T, name, P, object, how) \
    ATOMIC(void, T, name##_nbi, (T * fetch, MPT_LIST P), object, how, *fetch = old, FETCHED_NBI)
#define CHANGING(T, name, P, how) ATOMIC(void, T, name, P, dest, how, (void)old, CHANGED)

#define BOTH(T, name, P, object, how) FETCHING(T, name, P, object, how) FETCHING_NBI(T, name, P, object, how)
#define EXTENDED(A, N, T, C)                                                     \
    BOTH(T, N##_atomic_fetch, (const T *source, int pe), source, fetch)          \
    BOTH(T, N##_atomic_swap, (T * dest, T value, int pe), dest, swap)            \
    CHANGING(T, N##_atomic_set, (T * dest, T value, int pe), set)
MPT_FOR_AMX(EXTENDED, _)

#define MODIFY(T, N, how)                                                        \
    BOTH(T, N##_atomic_fetch_##how, (T * dest, T value, int pe), dest, how)      \
    CHANGING(T, N##_atomic_##how, (T * dest, T value, int pe), how)
#define STANDARD(A, N, T, C)                                                     \
    BOTH(T, N##_atomic_compare_swap, (T * dest, T cond, T value, int pe), dest, cswap) \
    BOTH(T, N##_atomic_fetch_inc, (T * dest, int pe), dest, inc)                 \
    CHANGING(T, N##_atomic_inc, (T * dest, int pe), inc)                         \
    MODIFY(T, N, add)
MPT_FOR_AMO(STANDARD, _)

#define BITWISE(A, N, T, C) MODIFY(T, N, and) MODIFY(T, N, or) MODIFY(T, N, xor)
MPT_FOR_ABT(BITWISE, _)
