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

/* An object of a PE of this node. */
struct mpt_peer {
    void *at;
    const struct mpt_bell *bell;
    unsigned idx;
};

/* Find object `p` of PE pe; 0: ask the library. As mpt_addr and mpt_notify, but
 * arranged so that it hides behind an atomic before it (measured: fetch_add in a
 * row 6 ns instead of 8.5, a bare lock xadd's 6): mpt_fast is reached through a
 * register, since loads relative to the program counter are long to decode; the
 * bell's place is known before the store; heap and globals are equally likely,
 * which lays both ways out in line. */
MPT_HELPER int mpt_reach_to(struct mpt_peer *peer, const void *p, int pe, int look)
{
    uintptr_t a = (uintptr_t)p;
    const struct mpt_fast *f = &mpt_fast;
    __asm__("" : "+r"(f));
    unsigned i = (unsigned)pe - f->node_first;
    __asm__ volatile("" : "+r"(a) : : "memory"); /* p escapes: peers change it */
    size_t offset = i * f->stride;
    peer->bell = (const struct mpt_bell *)(f->ctrl + offset);
    peer->idx = i;
    uintptr_t base;
    if (look && MPT_UNLIKELY(i >= f->look_n) && i < f->reach_n)
        mpt_looked(a, pe);
    else if (MPT_UNLIKELY(i >= (look ? f->look_n : f->reach_n)))
        return 0;
    if (a - f->heap_lo < f->heap_len)
        base = a + f->heap_to;
    else if (MPT_LIKELY(a - f->data_lo < f->data_len))
        base = a + f->data_to;
    else
        return 0;
    peer->at = (void *)(base + offset);
    return 1;
}

/* To do something there; to look at it, which a loop may do until it changes. */
MPT_HELPER int mpt_reach(struct mpt_peer *peer, const void *p, int pe)
{
    return mpt_reach_to(peer, p, pe, 0);
}
MPT_HELPER int mpt_look(struct mpt_peer *peer, const void *p, int pe)
{
    return mpt_reach_to(peer, p, pe, 1);
}

/* After every store of n bytes to a peer: wake it if it sleeps for them (mpt_notify tells why a
 * compiler barrier is enough). */
MPT_HELPER void mpt_rouse(const struct mpt_peer *peer, size_t n)
{
    __asm__ volatile("" : : : "memory");
    if (MPT_UNLIKELY(mpt_watched(peer->bell, peer->at, n)))
        mpt_ring(peer->idx);
}

/* What this PE has loaded comes before what it does next, at whichever PE: a program that has waited for data, read
 * it and puts its answer need not fence, nor one that has got a flag and then gets what it stands for. Free on x86-64,
 * where processors load and store in that order; a light fence on arm64. */
MPT_HELPER void mpt_loads_first(void)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

/* ---------------------------------------------------------------- p and g -- */

/* A form with a context is not made of the one without: what does not go the
 * fast way must be an operation of that context. */
#define MPT_BODY_P(T, ours, name, P, G)             \
    MPT_INLINE void shmem_##name P                  \
    {                                               \
        struct mpt_peer peer;                       \
        if ((ours) && mpt_reach(&peer, dest, pe)) { \
            mpt_loads_first();                      \
            *(volatile T *)peer.at = value;         \
            mpt_rouse(&peer, sizeof(T));            \
        } else                                      \
            pshmem_##name G;                        \
    }
#define MPT_BODY_G(T, ours, name, P, G)              \
    MPT_INLINE T shmem_##name P                      \
    {                                                \
        struct mpt_peer peer;                        \
        if (!(ours) || !mpt_look(&peer, source, pe)) \
            return pshmem_##name G;                  \
        T value = *(const volatile T *)peer.at;      \
        mpt_loads_first();                           \
        return value;                                \
    }
#define MPT_BODY(A, N, T, C)                                                                                         \
    MPT_BODY_P(T, 1, N##_p, (T * dest, T value, int pe), (dest, value, pe))                                          \
    MPT_BODY_P(T, MPT_WORLD(ctx), ctx_##N##_p, (shmem_ctx_t ctx, T * dest, T value, int pe), (ctx, dest, value, pe)) \
    MPT_BODY_G(T, 1, N##_g, (const T *source, int pe), (source, pe))                                                 \
    MPT_BODY_G(T, MPT_WORLD(ctx), ctx_##N##_g, (shmem_ctx_t ctx, const T *source, int pe), (ctx, source, pe))
MPT_FOR_RMA(MPT_BODY, _)
#undef MPT_BODY
#undef MPT_BODY_P
#undef MPT_BODY_G

/* ---------------------------------------------------- short puts and gets -- */

/* Every byte is moved once: a peer that already saw a word may have written it
 * anew, so no overlapping moves. Any constant size up to 64, or words. */
#define MPT_SHORT(n) ((n) - 1 < 64 && (__builtin_constant_p(n) || ((n) & 7) == 0))

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

/* Nonzero when done. The last byte is looked for: what runs over the end of
 * symmetric memory is the library's to report. */
MPT_HELPER int mpt_put_short(void *dest, const void *source, size_t n, int pe)
{
    struct mpt_peer peer;
    if (!MPT_SHORT(n) || MPT_UNLIKELY(!source) || !mpt_reach(&peer, (const char *)dest + (n - 1), pe))
        return 0;
    peer.at = (char *)peer.at - (n - 1);
    mpt_loads_first();
    mpt_move(peer.at, source, n);
    mpt_rouse(&peer, n);
    return 1;
}

MPT_HELPER int mpt_get_short(void *dest, const void *source, size_t n, int pe)
{
    struct mpt_peer peer;
    if (!MPT_SHORT(n) || MPT_UNLIKELY(!dest) || !mpt_look(&peer, (const char *)source + (n - 1), pe))
        return 0;
    mpt_move(dest, (const char *)peer.at - (n - 1), n);
    mpt_loads_first();
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
        if (!MPT_WORLD(ctx) || nelems > 64 || !mpt_##way##_short(dest, source, nelems * (size), pe))   \
            pshmem_ctx_##name(ctx, dest, source, nelems, pe);                                          \
    }
#define MPT_BODY(A, N, T, C)                      \
    MPT_BODY_COPY(put, N##_put, T, sizeof(T))     \
    MPT_BODY_COPY(put, N##_put_nbi, T, sizeof(T)) \
    MPT_BODY_COPY(get, N##_get, T, sizeof(T))     \
    MPT_BODY_COPY(get, N##_get_nbi, T, sizeof(T))
MPT_FOR_RMA(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, X, BYTES)                     \
    MPT_BODY_COPY(put, put##X, void, BYTES)       \
    MPT_BODY_COPY(put, put##X##_nbi, void, BYTES) \
    MPT_BODY_COPY(get, get##X, void, BYTES)       \
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
