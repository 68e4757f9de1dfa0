/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fast paths of atomics and of wait_until's first look.
 *
 * Orderings: OpenSHMEM's atomics order nothing by themselves. A fetching or
 * modifying one is acquire and release all the same, a set releases and a fetch
 * acquires: that costs nothing on x86-64, little on arm64, and makes counters
 * and flags made of atomics work the way programs expect.
 */
#ifndef MPT_SHMEM_INLINE_AMO_H
#define MPT_SHMEM_INLINE_AMO_H

#ifndef MPT_SHMEM_LINT
#pragma GCC system_header /* as in shmem_inline.h */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A call of result type T, and its form with a context: `expr` uses r, the
 * object's address at the peer, and leaves the result in `old`. P are the
 * parameters, G the arguments; `reach` is mpt_look for what locks and loops
 * repeat until the old value is another. What does not go the fast way is an operation of
 * its context. */
#define MPT_FETCHING_FORM(T, ours, name, P, G, object, reach, expr)       \
    MPT_INLINE T shmem_##name P                                           \
    {                                                                     \
        T *r, old;                                                        \
        struct mpt_peer peer;                                             \
        if (!(ours) || MPT_UNLIKELY(!reach(&peer, object, pe)))           \
            return pshmem_##name G;                                       \
        r = (T *)peer.at;                                                 \
        expr;                                                             \
        return old;                                                       \
    }
#define MPT_FETCHING(N, T, op, P, G, object, reach, expr)                 \
    MPT_FETCHING_FORM(T, 1, N##_##op, P, G, object, reach, expr)          \
    MPT_FETCHING_FORM(T, MPT_WORLD(ctx), ctx_##N##_##op, (shmem_ctx_t ctx, MPT_LIST P), (ctx, MPT_LIST G), object, \
                      reach, expr)
#define MPT_CHANGING_FORM(T, ours, name, P, G, expr)                      \
    MPT_INLINE void shmem_##name P                                        \
    {                                                                     \
        T *r;                                                             \
        struct mpt_peer peer;                                             \
        if (!(ours) || MPT_UNLIKELY(!mpt_reach(&peer, dest, pe))) {       \
            pshmem_##name G;                                              \
            return;                                                       \
        }                                                                 \
        r = (T *)peer.at;                                                 \
        expr;                                                             \
        mpt_rouse(&peer, sizeof(T));                                      \
    }
#define MPT_CHANGING(N, T, op, P, G, expr)                                \
    MPT_CHANGING_FORM(T, 1, N##_##op, P, G, expr)                         \
    MPT_CHANGING_FORM(T, MPT_WORLD(ctx), ctx_##N##_##op, (shmem_ctx_t ctx, MPT_LIST P), (ctx, MPT_LIST G), expr)
/* Both forms of an operation that compilers know as __atomic_fetch_<how>. */
#define MPT_MODIFY(N, T, op, how)                                                                   \
    MPT_FETCHING(N, T, atomic_fetch_##op, (T * dest, T value, int pe), (dest, value, pe), dest, mpt_reach, \
                 old = __atomic_fetch_##how(r, value, __ATOMIC_ACQ_REL);                            \
                 mpt_rouse(&peer, sizeof(T)))                                                           \
    MPT_CHANGING(N, T, atomic_##op, (T * dest, T value, int pe), (dest, value, pe),                 \
                 (void)__atomic_fetch_##how(r, value, __ATOMIC_ACQ_REL))

#define MPT_BODY(A, N, T, C)                                                                        \
    MPT_FETCHING(N, T, atomic_fetch, (const T *source, int pe), (source, pe), source, mpt_look,     \
                 __atomic_load(r, &old, __ATOMIC_ACQUIRE))                                          \
    MPT_FETCHING(N, T, atomic_swap, (T * dest, T value, int pe), (dest, value, pe), dest, mpt_look, \
                 __atomic_exchange(r, &value, &old, __ATOMIC_ACQ_REL);                              \
                 mpt_rouse(&peer, sizeof(T)))                                                           \
    MPT_CHANGING(N, T, atomic_set, (T * dest, T value, int pe), (dest, value, pe),                  \
                 __atomic_store(r, &value, __ATOMIC_RELEASE))
MPT_FOR_AMX(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C)                                                                        \
    MPT_FETCHING(N, T, atomic_compare_swap, (T * dest, T cond, T value, int pe),                    \
                 (dest, cond, value, pe), dest, mpt_look, old = cond;                               \
                 __atomic_compare_exchange_n(r, &old, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); \
                 mpt_rouse(&peer, sizeof(T)))                                                           \
    MPT_FETCHING(N, T, atomic_fetch_inc, (T * dest, int pe), (dest, pe), dest, mpt_reach,           \
                 old = __atomic_fetch_add(r, 1, __ATOMIC_ACQ_REL);                                  \
                 mpt_rouse(&peer, sizeof(T)))                                                           \
    MPT_CHANGING(N, T, atomic_inc, (T * dest, int pe), (dest, pe),                                  \
                 (void)__atomic_fetch_add(r, 1, __ATOMIC_ACQ_REL))                                  \
    MPT_MODIFY(N, T, add, add)
MPT_FOR_AMO(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C) MPT_MODIFY(N, T, and, and) MPT_MODIFY(N, T, or, or) MPT_MODIFY(N, T, xor, xor)
MPT_FOR_ABT(MPT_BODY, _)
#undef MPT_BODY
#undef MPT_MODIFY
#undef MPT_CHANGING
#undef MPT_CHANGING_FORM
#undef MPT_FETCHING
#undef MPT_FETCHING_FORM

/* Deprecated names of the same. */
#define MPT_BODY(A, N, T, C)                                                                              \
    MPT_INLINE T shmem_##N##_fetch(const T *source, int pe) { return shmem_##N##_atomic_fetch(source, pe); } \
    MPT_INLINE void shmem_##N##_set(T *dest, T value, int pe) { shmem_##N##_atomic_set(dest, value, pe); }   \
    MPT_INLINE T shmem_##N##_swap(T *dest, T value, int pe) { return shmem_##N##_atomic_swap(dest, value, pe); }
MPT_FOR_OLX(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C)                                                                              \
    MPT_INLINE T shmem_##N##_cswap(T *dest, T cond, T value, int pe)                                      \
    {                                                                                                     \
        return shmem_##N##_atomic_compare_swap(dest, cond, value, pe);                                    \
    }                                                                                                     \
    MPT_INLINE T shmem_##N##_finc(T *dest, int pe) { return shmem_##N##_atomic_fetch_inc(dest, pe); }     \
    MPT_INLINE void shmem_##N##_inc(T *dest, int pe) { shmem_##N##_atomic_inc(dest, pe); }                \
    MPT_INLINE T shmem_##N##_fadd(T *dest, T value, int pe)                                               \
    {                                                                                                     \
        return shmem_##N##_atomic_fetch_add(dest, value, pe);                                             \
    }                                                                                                     \
    MPT_INLINE void shmem_##N##_add(T *dest, T value, int pe) { shmem_##N##_atomic_add(dest, value, pe); }
MPT_FOR_OLD(MPT_BODY, _)
#undef MPT_BODY

/* ------------------------------------------------------------- wait_until -- */

/* Acquire: what the peer stored before the word is seen after the wait. */
#define MPT_HOLDS(a, cmp, b)                                                                      \
    ((cmp) == SHMEM_CMP_EQ ? (a) == (b) : (cmp) == SHMEM_CMP_NE ? (a) != (b)                      \
     : (cmp) == SHMEM_CMP_GT ? (a) > (b) : (cmp) == SHMEM_CMP_GE ? (a) >= (b)                     \
     : (cmp) == SHMEM_CMP_LT ? (a) < (b) : (cmp) == SHMEM_CMP_LE && (a) <= (b))
#define MPT_BODY(A, N, T, C)                                                                      \
    MPT_INLINE void shmem_##N##_wait_until(T *ivar, int cmp, T cmp_value)                         \
    {                                                                                             \
        if (__builtin_constant_p(cmp) && MPT_LIKELY(ivar != (T *)0)) {                            \
            T now = __atomic_load_n(ivar, __ATOMIC_ACQUIRE);                                      \
            if (MPT_HOLDS(now, cmp, cmp_value))                                                   \
                return;                                                                           \
        }                                                                                         \
        pshmem_##N##_wait_until(ivar, cmp, cmp_value);                                            \
    }
MPT_FOR_P2P(MPT_BODY, _)
#undef MPT_BODY
#undef MPT_HOLDS

#ifdef __cplusplus
}
#endif

#endif
