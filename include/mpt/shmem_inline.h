/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fast paths: calls on a PE of this node become the load, store or atomic
 * instruction itself. What is not so easy (another node, a bad argument, before
 * the job runs, a large copy) goes to the library's function, which also serves
 * where nothing is inlined: `gnu_inline` makes these no definitions of their own.
 */
#ifndef MPT_SHMEM_INLINE_H
#define MPT_SHMEM_INLINE_H

/* Compilers warn of a C99 inline function that calls a static one, which is
 * about definitions these are not, and no narrower switch turns it off. */
#ifndef MPT_SHMEM_LINT
#pragma GCC system_header
#endif

#include "mpt/fast.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MPT_INLINE extern __inline__ __attribute__((__gnu_inline__, __always_inline__))
#define MPT_HELPER static __inline__ __attribute__((__always_inline__, __unused__))

/* Does ctx number PEs as the job does? */
#define MPT_WORLD(ctx) MPT_LIKELY((ctx) == SHMEM_CTX_DEFAULT || ((ctx) && (ctx)->world))

/* Where `p` of the PE with index i can be reached; NULL: ask the library. */
MPT_HELPER void *mpt_near(const void *p, unsigned i)
{
    return MPT_LIKELY(i < mpt_fast.node_n) ? mpt_addr(p, i) : (void *)0;
}

/* mpt_notify in two halves: finding the bell before the store lets it happen
 * beside the translation of the address, not after an atomic has drained. */
MPT_HELPER const struct mpt_bell *mpt_bell_of(unsigned i)
{
    return (const struct mpt_bell *)(mpt_fast.ctrl + i * mpt_fast.stride);
}
MPT_HELPER void mpt_rouse(const struct mpt_bell *bell, unsigned i)
{
    __asm__ volatile("" : : : "memory"); /* after the store; see mpt_notify */
    if (MPT_UNLIKELY(__atomic_load_n(&bell->sleeping, __ATOMIC_RELAXED)))
        mpt_ring(i);
}

/* ---------------------------------------------------------------- p and g -- */

#define MPT_BODY(A, N, T, C)                                                   \
    MPT_INLINE void shmem_##N##_p(T *dest, T value, int pe)                    \
    {                                                                          \
        unsigned i = mpt_idx(pe);                                              \
        T *r = (T *)mpt_near(dest, i);                                         \
        const struct mpt_bell *bell = mpt_bell_of(i);                          \
        if (MPT_LIKELY(r != (T *)0)) {                                         \
            *(volatile T *)r = value;                                          \
            mpt_rouse(bell, i);                                                \
        } else                                                                 \
            pshmem_##N##_p(dest, value, pe);                                   \
    }                                                                          \
    MPT_INLINE T shmem_##N##_g(const T *source, int pe)                        \
    {                                                                          \
        const T *r = (const T *)mpt_near(source, mpt_idx(pe));                 \
        return MPT_LIKELY(r != (const T *)0) ? *(const volatile T *)r          \
                                             : pshmem_##N##_g(source, pe);     \
    }                                                                          \
    MPT_INLINE void shmem_ctx_##N##_p(shmem_ctx_t ctx, T *dest, T value, int pe) \
    {                                                                          \
        if (MPT_WORLD(ctx))                                                    \
            shmem_##N##_p(dest, value, pe);                                    \
        else                                                                   \
            pshmem_ctx_##N##_p(ctx, dest, value, pe);                          \
    }                                                                          \
    MPT_INLINE T shmem_ctx_##N##_g(shmem_ctx_t ctx, const T *source, int pe)   \
    {                                                                          \
        return MPT_WORLD(ctx) ? shmem_##N##_g(source, pe)                      \
                              : pshmem_ctx_##N##_g(ctx, source, pe);           \
    }
MPT_FOR_RMA(MPT_BODY, _)
#undef MPT_BODY

/* ---------------------------------------------------- short puts and gets -- */

/* Every byte is moved once: a peer that already saw a word may have written it
 * anew, so no overlapping moves. Any constant size up to 64, or words. */
#define MPT_SHORT(n) (__builtin_constant_p(n) ? (n) <= 64 : (n) <= 64 && ((n) & 7) == 0)

typedef uint64_t mpt_word __attribute__((__may_alias__, __aligned__(1)));

MPT_HELPER void mpt_move(void *to, const void *from, size_t n)
{
    if (__builtin_constant_p(n) && (n & (n - 1)) == 0) {
        __builtin_memcpy(to, from, n);
        return;
    }
    volatile mpt_word *d = (volatile mpt_word *)to;
    const volatile mpt_word *s = (const volatile mpt_word *)from;
    for (size_t i = 0; i < n / 8; i++)
        d[i] = s[i];
    if (!__builtin_constant_p(n))
        return;
    volatile unsigned char *dc = (volatile unsigned char *)to;
    const volatile unsigned char *sc = (const volatile unsigned char *)from;
    for (size_t i = n & ~(size_t)7; i < n; i++)
        dc[i] = sc[i];
}

/* Nonzero when done. */
MPT_HELPER int mpt_put_short(void *dest, const void *source, size_t n, int pe)
{
    if (!MPT_SHORT(n))
        return 0;
    unsigned i = mpt_idx(pe);
    void *r = mpt_near(dest, i);
    const struct mpt_bell *bell = mpt_bell_of(i);
    if (MPT_UNLIKELY(!r))
        return 0;
    mpt_move(r, source, n);
    mpt_rouse(bell, i);
    return 1;
}

MPT_HELPER int mpt_get_short(void *dest, const void *source, size_t n, int pe)
{
    if (!MPT_SHORT(n))
        return 0;
    const void *r = mpt_near(source, mpt_idx(pe));
    if (MPT_UNLIKELY(!r))
        return 0;
    mpt_move(dest, r, n);
    return 1;
}

/* `name` moves nelems elements of `size` bytes. A count whose product would
 * overflow is far above 64 elements, which the first test leaves to the library. */
#define MPT_BODY_COPY(way, name, T, size)                                                              \
    MPT_INLINE void shmem_##name(T *dest, const T *source, size_t nelems, int pe)                      \
    {                                                                                                  \
        if (nelems > 64 || !mpt_##way##_short(dest, source, nelems * (size), pe))                      \
            pshmem_##name(dest, source, nelems, pe);                                                   \
    }                                                                                                  \
    MPT_INLINE void shmem_ctx_##name(shmem_ctx_t ctx, T *dest, const T *source, size_t nelems, int pe) \
    {                                                                                                  \
        if (MPT_WORLD(ctx))                                                                            \
            shmem_##name(dest, source, nelems, pe);                                                    \
        else                                                                                           \
            pshmem_ctx_##name(ctx, dest, source, nelems, pe);                                          \
    }
#define MPT_BODY(A, N, T, C)                      \
    MPT_BODY_COPY(put, N##_put, T, sizeof(T))     \
    MPT_BODY_COPY(put, N##_put_nbi, T, sizeof(T)) \
    MPT_BODY_COPY(get, N##_get, T, sizeof(T))     \
    MPT_BODY_COPY(get, N##_get_nbi, T, sizeof(T))
MPT_FOR_RMA(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, X, BYTES)                      \
    MPT_BODY_COPY(put, put##X, void, BYTES)        \
    MPT_BODY_COPY(put, put##X##_nbi, void, BYTES)  \
    MPT_BODY_COPY(get, get##X, void, BYTES)        \
    MPT_BODY_COPY(get, get##X##_nbi, void, BYTES)
MPT_FOR_SIZES(MPT_BODY, _)
MPT_BODY(_, mem, 1)
#undef MPT_BODY
#undef MPT_BODY_COPY

#ifdef __cplusplus
}
#endif

#include "mpt/shmem_inline_amo.h"

#endif
