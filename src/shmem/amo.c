/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic memory operations (1.6, 9.7), out of line: what the header's inline
 * forms fall back to, and the nonblocking ones, which are complete at once.
 * Orderings are those of mpt/shmem_inline_amo.h and explained there.
 */
#include "shmem/check.h"

void *shmemi_atomic_at(shmem_ctx_t ctx, const void *p, size_t size, const char *arg, int pe, int *world_pe,
                       const char *where)
{
    pe = shmemi_pe(ctx, pe, where);
    shmemi_symmetric(p, size, arg, where);
    void *there = core_addr(pe, p);
    if (MPT_UNLIKELY(!there))
        core_fatal("%s: PE %d is on another node, which atomics cannot reach without a network transport", where, pe);
    *world_pe = pe;
    return there;
}

/* `expr` uses r, the object at the peer, and may set `old`. */
#define AT(T, object)                                                                            \
    int world_pe;                                                                                \
    T *r = shmemi_atomic_at(ctx, object, sizeof(T), #object, pe, &world_pe, where)
#define FETCHING(T, name, P, object, expr) \
    SHMEMI_DEF_CTX(T, name, P, AT(T, object); T old; expr; shmemi_changed(r, sizeof *r, world_pe); return old;)
#define FETCHING_NBI(T, name, P, object, expr) \
    SHMEMI_DEF_CTX(void, name, P, AT(T, object); T old; expr; shmemi_changed(r, sizeof *r, world_pe); *fetch = old;)
#define CHANGING(T, name, P, expr) \
    SHMEMI_DEF_CTX(void, name, P, AT(T, dest); expr; shmemi_changed(r, sizeof *r, world_pe);)

#define LOAD __atomic_load(r, &old, __ATOMIC_ACQUIRE)
#define EXCHANGE __atomic_exchange(r, &value, &old, __ATOMIC_ACQ_REL)
#define EXTENDED(A, N, T, C)                                                                        \
    FETCHING(T, N##_atomic_fetch, (const T *source, int pe), source, LOAD)                          \
    FETCHING_NBI(T, N##_atomic_fetch_nbi, (T * fetch, const T *source, int pe), source, LOAD)       \
    FETCHING(T, N##_atomic_swap, (T * dest, T value, int pe), dest, EXCHANGE)                       \
    FETCHING_NBI(T, N##_atomic_swap_nbi, (T * fetch, T * dest, T value, int pe), dest, EXCHANGE)    \
    CHANGING(T, N##_atomic_set, (T * dest, T value, int pe), __atomic_store(r, &value, __ATOMIC_RELEASE))
MPT_FOR_AMX(EXTENDED, _)

#define COMPARE                                                                                     \
    old = cond;                                                                                     \
    __atomic_compare_exchange_n(r, &old, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
#define FETCH_(how, by) old = __atomic_fetch_##how(r, by, __ATOMIC_ACQ_REL)
#define STANDARD(A, N, T, C)                                                                                    \
    FETCHING(T, N##_atomic_compare_swap, (T * dest, T cond, T value, int pe), dest, COMPARE)                    \
    FETCHING_NBI(T, N##_atomic_compare_swap_nbi, (T * fetch, T * dest, T cond, T value, int pe), dest, COMPARE) \
    FETCHING(T, N##_atomic_fetch_inc, (T * dest, int pe), dest, FETCH_(add, 1))                                 \
    FETCHING_NBI(T, N##_atomic_fetch_inc_nbi, (T * fetch, T * dest, int pe), dest, FETCH_(add, 1))              \
    CHANGING(T, N##_atomic_inc, (T * dest, int pe), __atomic_fetch_add(r, 1, __ATOMIC_ACQ_REL))                 \
    MODIFY(T, N, add)
#define MODIFY(T, N, how)                                                                                       \
    FETCHING(T, N##_atomic_fetch_##how, (T * dest, T value, int pe), dest, FETCH_(how, value))                  \
    FETCHING_NBI(T, N##_atomic_fetch_##how##_nbi, (T * fetch, T * dest, T value, int pe), dest, FETCH_(how, value)) \
    CHANGING(T, N##_atomic_##how, (T * dest, T value, int pe), __atomic_fetch_##how(r, value, __ATOMIC_ACQ_REL))
MPT_FOR_AMO(STANDARD, _)

#define BITWISE(A, N, T, C) MODIFY(T, N, and) MODIFY(T, N, or) MODIFY(T, N, xor)
MPT_FOR_ABT(BITWISE, _)
