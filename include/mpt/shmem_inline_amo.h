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

/* The two sizes that the objects of atomics have. The types may stand for any other of their size, as one function
 * below serves all types: `size` is a constant where it is inlined, and values go by their addresses. */
typedef uint32_t mpt_amo32 __attribute__((__may_alias__));
typedef uint64_t mpt_amo64 __attribute__((__may_alias__));

/* Each does what its name says with the object of PE pe that is at `dest` here; *old: what it was before. 0: that is
 * not within reach, and nothing was done. mpt_look is for what locks and loops repeat until the old value is another.
 */
MPT_HELPER int mpt_amo_fetch(const void *source, void *old, size_t size, int pe)
{
    struct mpt_peer peer;
    if (MPT_UNLIKELY(!mpt_look(&peer, source, pe)))
        return 0;
    if (size == sizeof(mpt_amo32))
        *(mpt_amo32 *)old = __atomic_load_n((mpt_amo32 *)peer.at, __ATOMIC_ACQUIRE);
    else
        *(mpt_amo64 *)old = __atomic_load_n((mpt_amo64 *)peer.at, __ATOMIC_ACQUIRE);
    return 1;
}

MPT_HELPER int mpt_amo_set(void *dest, const void *value, size_t size, int pe)
{
    struct mpt_peer peer;
    if (MPT_UNLIKELY(!mpt_reach(&peer, dest, pe)))
        return 0;
    if (size == sizeof(mpt_amo32))
        __atomic_store_n((mpt_amo32 *)peer.at, *(const mpt_amo32 *)value, __ATOMIC_RELEASE);
    else
        __atomic_store_n((mpt_amo64 *)peer.at, *(const mpt_amo64 *)value, __ATOMIC_RELEASE);
    mpt_rouse(&peer, size);
    return 1;
}

MPT_HELPER int mpt_amo_swap(void *dest, const void *value, void *old, size_t size, int pe)
{
    struct mpt_peer peer;
    if (MPT_UNLIKELY(!mpt_look(&peer, dest, pe)))
        return 0;
    if (size == sizeof(mpt_amo32))
        *(mpt_amo32 *)old = __atomic_exchange_n((mpt_amo32 *)peer.at, *(const mpt_amo32 *)value, __ATOMIC_ACQ_REL);
    else
        *(mpt_amo64 *)old = __atomic_exchange_n((mpt_amo64 *)peer.at, *(const mpt_amo64 *)value, __ATOMIC_ACQ_REL);
    mpt_rouse(&peer, size);
    return 1;
}

MPT_HELPER int mpt_amo_compare_swap(void *dest, const void *cond, const void *value, void *old, size_t size, int pe)
{
    struct mpt_peer peer;
    if (MPT_UNLIKELY(!mpt_look(&peer, dest, pe)))
        return 0;
    if (size == sizeof(mpt_amo32)) {
        mpt_amo32 was = *(const mpt_amo32 *)cond;
        __atomic_compare_exchange_n((mpt_amo32 *)peer.at, &was, *(const mpt_amo32 *)value, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE);
        *(mpt_amo32 *)old = was;
    } else {
        mpt_amo64 was = *(const mpt_amo64 *)cond;
        __atomic_compare_exchange_n((mpt_amo64 *)peer.at, &was, *(const mpt_amo64 *)value, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE);
        *(mpt_amo64 *)old = was;
    }
    mpt_rouse(&peer, size);
    return 1;
}

enum mpt_amo { MPT_AMO_ADD, MPT_AMO_AND, MPT_AMO_OR, MPT_AMO_XOR };

/* Unsigned ones do for all: the bits are the same. What these return nobody may want; compilers then leave it out. */
MPT_HELPER uint32_t mpt_amo_modify32(mpt_amo32 *at, enum mpt_amo op, uint32_t value)
{
    switch (op) {
    case MPT_AMO_ADD:
        return __atomic_fetch_add(at, value, __ATOMIC_ACQ_REL);
    case MPT_AMO_AND:
        return __atomic_fetch_and(at, value, __ATOMIC_ACQ_REL);
    case MPT_AMO_OR:
        return __atomic_fetch_or(at, value, __ATOMIC_ACQ_REL);
    default:
        return __atomic_fetch_xor(at, value, __ATOMIC_ACQ_REL);
    }
}

MPT_HELPER uint64_t mpt_amo_modify64(mpt_amo64 *at, enum mpt_amo op, uint64_t value)
{
    switch (op) {
    case MPT_AMO_ADD:
        return __atomic_fetch_add(at, value, __ATOMIC_ACQ_REL);
    case MPT_AMO_AND:
        return __atomic_fetch_and(at, value, __ATOMIC_ACQ_REL);
    case MPT_AMO_OR:
        return __atomic_fetch_or(at, value, __ATOMIC_ACQ_REL);
    default:
        return __atomic_fetch_xor(at, value, __ATOMIC_ACQ_REL);
    }
}

/* old may be NULL. */
MPT_HELPER int mpt_amo_modify(void *dest, enum mpt_amo op, const void *value, void *old, size_t size, int pe)
{
    struct mpt_peer peer;
    if (MPT_UNLIKELY(!mpt_reach(&peer, dest, pe)))
        return 0;
    if (size == sizeof(mpt_amo32)) {
        uint32_t was = mpt_amo_modify32((mpt_amo32 *)peer.at, op, *(const mpt_amo32 *)value);
        if (old)
            *(mpt_amo32 *)old = was;
    } else {
        uint64_t was = mpt_amo_modify64((mpt_amo64 *)peer.at, op, *(const mpt_amo64 *)value);
        if (old)
            *(mpt_amo64 *)old = was;
    }
    mpt_rouse(&peer, size);
    return 1;
}

MPT_HELPER int mpt_amo_inc(void *dest, void *old, size_t size, int pe)
{
    const uint32_t one32 = 1;
    const uint64_t one64 = 1;
    const void *one = size == sizeof one32 ? (const void *)&one32 : (const void *)&one64;
    return mpt_amo_modify(dest, MPT_AMO_ADD, one, old, size, pe);
}

/* A family's two calls, without a context and with one: P are the parameters, G the arguments. `done` tries the fast
 * way, for one with the result T it leaves that in `old`. Else it is the library's, as an operation of its context. */
#define MPT_FETCHING(T, call, P, G, done)                                                     \
    MPT_INLINE T shmem_##call P                                                               \
    {                                                                                         \
        T old;                                                                                \
        return MPT_LIKELY(done) ? old : pshmem_##call G;                                      \
    }                                                                                         \
    MPT_INLINE T shmem_ctx_##call(shmem_ctx_t ctx, MPT_LIST P)                                \
    {                                                                                         \
        T old;                                                                                \
        return MPT_WORLD(ctx) && MPT_LIKELY(done) ? old : pshmem_ctx_##call(ctx, MPT_LIST G); \
    }
#define MPT_CHANGING(call, P, G, done)                            \
    MPT_INLINE void shmem_##call P                                \
    {                                                             \
        if (!MPT_LIKELY(done))                                    \
            pshmem_##call G;                                      \
    }                                                             \
    MPT_INLINE void shmem_ctx_##call(shmem_ctx_t ctx, MPT_LIST P) \
    {                                                             \
        if (!(MPT_WORLD(ctx) && MPT_LIKELY(done)))                \
            pshmem_ctx_##call(ctx, MPT_LIST G);                   \
    }

/* shmem_long_atomic_fetch, shmem_long_atomic_swap, shmem_long_atomic_set, ... */
#define MPT_BODY(A, N, T, C)                                                         \
    MPT_FETCHING(T, N##_atomic_fetch, (const T *source, int pe), (source, pe),       \
                 mpt_amo_fetch(source, &old, sizeof(T), pe))                         \
    MPT_FETCHING(T, N##_atomic_swap, (T * dest, T value, int pe), (dest, value, pe), \
                 mpt_amo_swap(dest, &value, &old, sizeof(T), pe))                    \
    MPT_CHANGING(N##_atomic_set, (T * dest, T value, int pe), (dest, value, pe),     \
                 mpt_amo_set(dest, &value, sizeof(T), pe))
MPT_FOR_AMX(MPT_BODY, _)
#undef MPT_BODY

/* Both forms of an operation. */
#define MPT_MODIFY(N, T, op, OP)                                                           \
    MPT_FETCHING(T, N##_atomic_fetch_##op, (T * dest, T value, int pe), (dest, value, pe), \
                 mpt_amo_modify(dest, MPT_AMO_##OP, &value, &old, sizeof(T), pe))          \
    MPT_CHANGING(N##_atomic_##op, (T * dest, T value, int pe), (dest, value, pe),          \
                 mpt_amo_modify(dest, MPT_AMO_##OP, &value, NULL, sizeof(T), pe))

/* shmem_long_atomic_compare_swap, shmem_long_atomic_fetch_inc, shmem_long_atomic_inc, shmem_long_atomic_add, ... */
#define MPT_BODY(A, N, T, C)                                                                                      \
    MPT_FETCHING(T, N##_atomic_compare_swap, (T * dest, T cond, T value, int pe), (dest, cond, value, pe),        \
                 mpt_amo_compare_swap(dest, &cond, &value, &old, sizeof(T), pe))                                  \
    MPT_FETCHING(T, N##_atomic_fetch_inc, (T * dest, int pe), (dest, pe), mpt_amo_inc(dest, &old, sizeof(T), pe)) \
    MPT_CHANGING(N##_atomic_inc, (T * dest, int pe), (dest, pe), mpt_amo_inc(dest, NULL, sizeof(T), pe))          \
    MPT_MODIFY(N, T, add, ADD)
MPT_FOR_AMO(MPT_BODY, _)
#undef MPT_BODY

/* shmem_uint_atomic_fetch_and, shmem_uint_atomic_and, ... */
#define MPT_BODY(A, N, T, C) MPT_MODIFY(N, T, and, AND) MPT_MODIFY(N, T, or, OR) MPT_MODIFY(N, T, xor, XOR)
MPT_FOR_ABT(MPT_BODY, _)
#undef MPT_BODY
#undef MPT_MODIFY
#undef MPT_CHANGING
#undef MPT_FETCHING

/* Deprecated names of the same. */
#define MPT_BODY(A, N, T, C)                                  \
    MPT_INLINE T shmem_##N##_fetch(const T *source, int pe)   \
    {                                                         \
        return shmem_##N##_atomic_fetch(source, pe);          \
    }                                                         \
    MPT_INLINE void shmem_##N##_set(T *dest, T value, int pe) \
    {                                                         \
        shmem_##N##_atomic_set(dest, value, pe);              \
    }                                                         \
    MPT_INLINE T shmem_##N##_swap(T *dest, T value, int pe)   \
    {                                                         \
        return shmem_##N##_atomic_swap(dest, value, pe);      \
    }
MPT_FOR_OLX(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C)                                           \
    MPT_INLINE T shmem_##N##_cswap(T *dest, T cond, T value, int pe)   \
    {                                                                  \
        return shmem_##N##_atomic_compare_swap(dest, cond, value, pe); \
    }                                                                  \
    MPT_INLINE T shmem_##N##_finc(T *dest, int pe)                     \
    {                                                                  \
        return shmem_##N##_atomic_fetch_inc(dest, pe);                 \
    }                                                                  \
    MPT_INLINE void shmem_##N##_inc(T *dest, int pe)                   \
    {                                                                  \
        shmem_##N##_atomic_inc(dest, pe);                              \
    }                                                                  \
    MPT_INLINE T shmem_##N##_fadd(T *dest, T value, int pe)            \
    {                                                                  \
        return shmem_##N##_atomic_fetch_add(dest, value, pe);          \
    }                                                                  \
    MPT_INLINE void shmem_##N##_add(T *dest, T value, int pe)          \
    {                                                                  \
        shmem_##N##_atomic_add(dest, value, pe);                       \
    }
MPT_FOR_OLD(MPT_BODY, _)
#undef MPT_BODY

/* ------------------------------------------------------------- wait_until -- */

/* Acquire: what the peer stored before the word is seen after the wait. Where all calls must come to the library, this
 * one does, too. */
#define MPT_HOLDS(a, cmp, b)              \
    ((cmp) == SHMEM_CMP_EQ   ? (a) == (b) \
     : (cmp) == SHMEM_CMP_NE ? (a) != (b) \
     : (cmp) == SHMEM_CMP_GT ? (a) > (b)  \
     : (cmp) == SHMEM_CMP_GE ? (a) >= (b) \
     : (cmp) == SHMEM_CMP_LT ? (a) < (b)  \
                             : (cmp) == SHMEM_CMP_LE && (a) <= (b))
#define MPT_BODY(A, N, T, C)                                                                                \
    MPT_INLINE void shmem_##N##_wait_until(T *ivar, int cmp, T cmp_value)                                   \
    {                                                                                                       \
        if (__builtin_constant_p(cmp) && MPT_LIKELY(ivar != (T *)0) && MPT_LIKELY(mpt_fast.reach_n != 0)) { \
            T now = __atomic_load_n(ivar, __ATOMIC_ACQUIRE);                                                \
            if (MPT_HOLDS(now, cmp, cmp_value))                                                             \
                return;                                                                                     \
        }                                                                                                   \
        pshmem_##N##_wait_until(ivar, cmp, cmp_value);                                                      \
    }
MPT_FOR_P2P(MPT_BODY, _)
#undef MPT_BODY
#undef MPT_HOLDS

#ifdef __cplusplus
}
#endif

#endif
