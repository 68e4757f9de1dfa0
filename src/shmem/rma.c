/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Put, get, p and g (1.6, 9.6): every call of the typed, sized and mem families
 * is one checked core_put or core_get, or its nonblocking form. On a node the
 * latter is complete at once, too: nothing could run in its background but
 * another core.
 */
#include "shmem/check.h"

/* A short get may be a loop's look at what it waits for. */
enum { SHORT = 64 };

static inline void check_put(const void *dest, const void *source, size_t n, const char *where)
{
    shmemi_symmetric(dest, n, "dest", where);
    shmemi_local(source, n, "source", where);
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_pending_used(source, n, where);
}

static inline void check_get(const void *dest, const void *source, size_t n, const char *where)
{
    shmemi_symmetric(source, n, "source", where);
    shmemi_local(dest, n, "dest", where);
}

void shmemi_put(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t size, int pe, const char *where)
{
    SHMEMI_TRACE(t, where);
    size_t n = shmemi_bytes(nelems, size, where);
    pe = shmemi_pe(ctx, pe, where);
    if (n == 0)
        return;
    check_put(dest, source, n, where);
    if (core_race_on())
        shmemi_race_put(&(struct shmemi_race_copy){shmemi_flow(ctx), pe, dest, source, n, false, where});
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_put(&t, pe, dest, source, n);
    core_put(shmemi_flow(ctx), pe, dest, source, n);
}

void shmemi_put_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t size, int pe,
                    const char *where)
{
    SHMEMI_TRACE(t, where);
    size_t n = shmemi_bytes(nelems, size, where);
    pe = shmemi_pe(ctx, pe, where);
    if (n == 0)
        return;
    check_put(dest, source, n, where);
    if (core_race_on())
        shmemi_race_put(&(struct shmemi_race_copy){shmemi_flow(ctx), pe, dest, source, n, true, where});
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_pending_put(shmemi_flow(ctx), source, n, dest, pe, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_put(&t, pe, dest, source, n);
    core_put_nbi(shmemi_flow(ctx), pe, dest, source, n);
}

void shmemi_get(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t size, int pe, const char *where)
{
    SHMEMI_TRACE(t, where);
    size_t n = shmemi_bytes(nelems, size, where);
    pe = shmemi_pe(ctx, pe, where);
    if (n == 0)
        return;
    check_get(dest, source, n, where);
    if (core_race_on())
        shmemi_race_get(&(struct shmemi_race_copy){shmemi_flow(ctx), pe, (void *)source, dest, n, false, where});
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_get(&t, pe, source, n);
    core_get(shmemi_flow(ctx), pe, dest, source, n);
    if (core_race_on())
        shmemi_race_got(source, n, pe);
    if (n <= SHORT)
        shmemi_looked(source, pe);
}

void shmemi_get_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t size, int pe,
                    const char *where)
{
    SHMEMI_TRACE(t, where);
    size_t n = shmemi_bytes(nelems, size, where);
    pe = shmemi_pe(ctx, pe, where);
    if (n == 0)
        return;
    check_get(dest, source, n, where);
    if (core_race_on())
        shmemi_race_get(&(struct shmemi_race_copy){shmemi_flow(ctx), pe, (void *)source, dest, n, true, where});
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_pending_get(shmemi_flow(ctx), dest, n, pe, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_get(&t, pe, source, n);
    core_get_nbi(shmemi_flow(ctx), pe, dest, source, n);
}

/* shmem_<name>, shmem_ctx_<name>: body shmemi_<body>. */
#define COPY(body, name, T, size)                                                            \
    void pshmem_##name(T *dest, const T *source, size_t nelems, int pe)                      \
    {                                                                                        \
        shmemi_##body(SHMEM_CTX_DEFAULT, dest, source, nelems, size, pe, SHMEMI_WHERE);      \
    }                                                                                        \
    void pshmem_ctx_##name(shmem_ctx_t ctx, T *dest, const T *source, size_t nelems, int pe) \
    {                                                                                        \
        shmemi_##body(ctx, dest, source, nelems, size, pe, SHMEMI_WHERE);                    \
    }                                                                                        \
    SHMEMI_ALIAS(shmem_##name);                                                              \
    SHMEMI_ALIAS(shmem_ctx_##name);

/* shmem_long_put, shmem_int_put, shmem_double_put, ...: shmemi_put
 * shmem_long_get, shmem_int_get, shmem_double_get, ...: shmemi_get
 * shmem_long_put_nbi, shmem_long_get_nbi, ...: shmemi_put_nbi, shmemi_get_nbi
 * shmem_ctx_long_put, ...: the same with a context */
#define COPIES(A, N, T, C)                   \
    COPY(put, N##_put, T, sizeof(T))         \
    COPY(put_nbi, N##_put_nbi, T, sizeof(T)) \
    COPY(get, N##_get, T, sizeof(T))         \
    COPY(get_nbi, N##_get_nbi, T, sizeof(T))
MPT_FOR_RMA(COPIES, _)

/* shmem_put8, shmem_put16, shmem_put32, shmem_put64, shmem_put128, shmem_putmem,
 * shmem_get8, ..., shmem_getmem, shmem_put8_nbi, ..., shmem_putmem_nbi, shmem_getmem_nbi,
 * shmem_ctx_putmem, shmem_ctx_getmem, ... */
#define SIZED(A, X, BYTES)                   \
    COPY(put, put##X, void, BYTES)           \
    COPY(put_nbi, put##X##_nbi, void, BYTES) \
    COPY(get, get##X, void, BYTES)           \
    COPY(get_nbi, get##X##_nbi, void, BYTES)
MPT_FOR_SIZES(SIZED, _)
SIZED(_, mem, 1)

/* shmem_long_p, shmem_int_p, shmem_double_p, ..., shmem_ctx_long_p, ...: shmemi_put */
#define STORES(A, N, T, C)                                                              \
    void pshmem_##N##_p(T *dest, T value, int pe)                                       \
    {                                                                                   \
        shmemi_put(SHMEM_CTX_DEFAULT, dest, &value, 1, sizeof value, pe, SHMEMI_WHERE); \
    }                                                                                   \
    void pshmem_ctx_##N##_p(shmem_ctx_t ctx, T *dest, T value, int pe)                  \
    {                                                                                   \
        shmemi_put(ctx, dest, &value, 1, sizeof value, pe, SHMEMI_WHERE);               \
    }                                                                                   \
    SHMEMI_ALIAS(shmem_##N##_p);                                                        \
    SHMEMI_ALIAS(shmem_ctx_##N##_p);
MPT_FOR_RMA(STORES, _)

/* shmem_long_g, shmem_int_g, shmem_double_g, ..., shmem_ctx_long_g, ...: shmemi_get */
#define LOADS(A, N, T, C)                                                                 \
    T pshmem_##N##_g(const T *source, int pe)                                             \
    {                                                                                     \
        T value;                                                                          \
        shmemi_get(SHMEM_CTX_DEFAULT, &value, source, 1, sizeof value, pe, SHMEMI_WHERE); \
        return value;                                                                     \
    }                                                                                     \
    T pshmem_ctx_##N##_g(shmem_ctx_t ctx, const T *source, int pe)                        \
    {                                                                                     \
        T value;                                                                          \
        shmemi_get(ctx, &value, source, 1, sizeof value, pe, SHMEMI_WHERE);               \
        return value;                                                                     \
    }                                                                                     \
    SHMEMI_ALIAS(shmem_##N##_g);                                                          \
    SHMEMI_ALIAS(shmem_ctx_##N##_g);
MPT_FOR_RMA(LOADS, _)
