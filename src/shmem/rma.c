/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Put, get, p and g (1.6, 9.6): every call of the typed, sized and mem families
 * is one checked core_put or core_get, or its nonblocking form. On a node the
 * latter is complete at once, too: nothing could run in its background but
 * another core.
 */
#include "shmem/check.h"

/* `remote` is the argument that must be symmetric, `local` the other. */
#define TRANSFER(way, remote, local, look)                                                                  \
    void shmemi_##way(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t size, int pe,  \
                      const char *where)                                                                    \
    {                                                                                                       \
        size_t n = shmemi_bytes(nelems, size, where);                                                       \
        pe = shmemi_pe(ctx, pe, where);                                                                     \
        if (n == 0)                                                                                         \
            return;                                                                                         \
        shmemi_symmetric(remote, n, #remote, where);                                                        \
        shmemi_not_null(local, #local, where);                                                              \
        core_##way(shmemi_flow(ctx), pe, dest, source, n);                                                  \
        look(source, n, pe);                                                                                \
    }
/* A short get may be a loop's look at what it waits for. */
enum { SHORT = 64 };
#define NO_LOOK(source, n, pe) (void)0
#define LOOK(source, n, pe) \
    if (n <= SHORT)         \
    shmemi_looked(source, pe)

TRANSFER(put, dest, source, NO_LOOK)
TRANSFER(put_nbi, dest, source, NO_LOOK)
TRANSFER(get, source, dest, LOOK)
TRANSFER(get_nbi, source, dest, NO_LOOK)

#define COPY(way, name, T, size)                                                        \
    SHMEMI_DEF_CTX(void, name, (T * dest, const T *source, size_t nelems, int pe),      \
                   shmemi_##way(ctx, dest, source, nelems, size, pe, where);)

#define TYPED(A, N, T, C)                                                                                          \
    COPY(put, N##_put, T, sizeof(T))                                                                               \
    COPY(put_nbi, N##_put_nbi, T, sizeof(T))                                                                       \
    COPY(get, N##_get, T, sizeof(T))                                                                               \
    COPY(get_nbi, N##_get_nbi, T, sizeof(T))                                                                       \
    SHMEMI_DEF_CTX(void, N##_p, (T * dest, T value, int pe),                                                       \
                   shmemi_put(ctx, dest, &value, 1, sizeof value, pe, where);)                                     \
    SHMEMI_DEF_CTX(T, N##_g, (const T *source, int pe), T value;                                                   \
                   shmemi_get(ctx, &value, source, 1, sizeof value, pe, where); return value;)
MPT_FOR_RMA(TYPED, _)

#define SIZED(A, X, BYTES)             \
    COPY(put, put##X, void, BYTES)     \
    COPY(put_nbi, put##X##_nbi, void, BYTES) \
    COPY(get, get##X, void, BYTES)     \
    COPY(get_nbi, get##X##_nbi, void, BYTES)
MPT_FOR_SIZES(SIZED, _)
SIZED(_, mem, 1)
