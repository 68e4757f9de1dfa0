/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Strided puts and gets of elements (iput, iget) and of blocks (ibput, ibget;
 * 1.6, 9.6). An element is a block of one. The whole span that the strides
 * reach must be symmetric.
 */
#include "shmem/check.h"

/* Check the remote array `p` with `stride` elements between blocks. */
static void check_span(const void *p, ptrdiff_t stride, struct shmemi_strides s, const char *arg, const char *where)
{
    size_t step, last;
    size_t block = shmemi_bytes(s.bsize, s.size, where);
    if (stride < 1)
        shmemi_bad_value(stride, arg[0] == 'd' ? "dst" : "sst", "a stride of 1 or more elements", where);
    step = shmemi_bytes((size_t)stride, s.size, where);
    last = shmemi_bytes(s.nblocks - 1, step, where);
    if (__builtin_add_overflow(last, block, &last))
        shmemi_bad_size(s.nblocks, step, where);
    shmemi_symmetric(p, last, arg, where);
}

static bool nothing_to_do(struct shmemi_strides s)
{
    return s.bsize == 0 || s.nblocks == 0;
}

/* Block by block: what lies between is none of it. */
static void tell(shmem_ctx_t ctx, int pe, void *remote, ptrdiff_t remote_step, const void *local, ptrdiff_t local_step,
                 struct shmemi_strides s, void (*how)(const struct shmemi_race_copy *), const char *where)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)s.nblocks; i++)
        how(&(struct shmemi_race_copy){shmemi_flow(ctx), pe, (char *)remote + i * remote_step,
                                       (const char *)local + i * local_step, s.bsize * s.size, false, where});
}

void shmemi_iput(shmem_ctx_t ctx, void *dest, const void *source, struct shmemi_strides s, int pe, const char *where)
{
    SHMEMI_TRACE(t, where);
    ptrdiff_t to_step = s.dst * (ptrdiff_t)s.size, from_step = s.sst * (ptrdiff_t)s.size;
    pe = shmemi_pe(ctx, pe, where);
    if (nothing_to_do(s))
        return;
    check_span(dest, s.dst, s, "dest", where);
    shmemi_not_null(source, "source", where);
    if (core_race_on())
        tell(ctx, pe, dest, to_step, source, from_step, s, shmemi_race_put, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_put(&t, pe, dest, NULL, s.bsize * s.size * s.nblocks);
    char *there = core_addr(pe, dest);
    if (MPT_LIKELY(there != NULL) && !core_late_on()) {
        core_copy_strided(there, to_step, source, from_step, s.bsize * s.size, s.nblocks);
        core_changed_scattered(pe);
        return;
    }
    core_put_strided(shmemi_flow(ctx), pe, dest, source,
                     (struct core_strides){to_step, from_step, s.bsize * s.size, s.nblocks});
}

void shmemi_iget(shmem_ctx_t ctx, void *dest, const void *source, struct shmemi_strides s, int pe, const char *where)
{
    SHMEMI_TRACE(t, where);
    ptrdiff_t to_step = s.dst * (ptrdiff_t)s.size, from_step = s.sst * (ptrdiff_t)s.size;
    pe = shmemi_pe(ctx, pe, where);
    if (nothing_to_do(s))
        return;
    check_span(source, s.sst, s, "source", where);
    shmemi_not_null(dest, "dest", where);
    if (s.bsize * s.nblocks == 1) /* as a short get: perhaps a loop's look */
        shmemi_looked(source, pe);
    if (core_race_on())
        tell(ctx, pe, (void *)source, from_step, dest, to_step, s, shmemi_race_get, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_get(&t, pe, source, s.bsize * s.size * s.nblocks);
    const char *there = core_addr(pe, source);
    if (MPT_LIKELY(there != NULL)) {
        core_copy_strided(dest, to_step, there, from_step, s.bsize * s.size, s.nblocks);
        return;
    }
    core_get_strided(shmemi_flow(ctx), pe, dest, source,
                     (struct core_strides){from_step, to_step, s.bsize * s.size, s.nblocks});
}

/* shmem_<name>, shmem_ctx_<name>: body shmemi_<body>; single elements, and blocks. */
#define ELEMENTS(body, name, T, size)                                                                              \
    void pshmem_##name(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)              \
    {                                                                                                              \
        shmemi_##body(SHMEM_CTX_DEFAULT, dest, source, (struct shmemi_strides){dst, sst, 1, nelems, size}, pe,     \
                      SHMEMI_WHERE);                                                                               \
    }                                                                                                              \
    void pshmem_ctx_##name(shmem_ctx_t ctx, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
                           int pe)                                                                                 \
    {                                                                                                              \
        shmemi_##body(ctx, dest, source, (struct shmemi_strides){dst, sst, 1, nelems, size}, pe, SHMEMI_WHERE);    \
    }                                                                                                              \
    SHMEMI_ALIAS(shmem_##name);                                                                                    \
    SHMEMI_ALIAS(shmem_ctx_##name);
#define BLOCKS(body, name, T, size)                                                                                  \
    void pshmem_##name(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) \
    {                                                                                                                \
        shmemi_##body(SHMEM_CTX_DEFAULT, dest, source, (struct shmemi_strides){dst, sst, bsize, nblocks, size}, pe,  \
                      SHMEMI_WHERE);                                                                                 \
    }                                                                                                                \
    void pshmem_ctx_##name(shmem_ctx_t ctx, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,    \
                           size_t nblocks, int pe)                                                                   \
    {                                                                                                                \
        shmemi_##body(ctx, dest, source, (struct shmemi_strides){dst, sst, bsize, nblocks, size}, pe, SHMEMI_WHERE); \
    }                                                                                                                \
    SHMEMI_ALIAS(shmem_##name);                                                                                      \
    SHMEMI_ALIAS(shmem_ctx_##name);

/* shmem_long_iput, shmem_int_iput, shmem_double_iput, ..., shmem_long_ibput, ...: shmemi_iput
 * shmem_long_iget, shmem_int_iget, shmem_double_iget, ..., shmem_long_ibget, ...: shmemi_iget */
#define TYPED(A, N, T, C)                  \
    ELEMENTS(iput, N##_iput, T, sizeof(T)) \
    ELEMENTS(iget, N##_iget, T, sizeof(T)) \
    BLOCKS(iput, N##_ibput, T, sizeof(T))  \
    BLOCKS(iget, N##_ibget, T, sizeof(T))
MPT_FOR_RMA(TYPED, _)

/* shmem_iput8, shmem_iput16, shmem_iput32, shmem_iput64, shmem_iput128, shmem_ibput8, ...: shmemi_iput
 * shmem_iget8, shmem_iget16, shmem_iget32, shmem_iget64, shmem_iget128, shmem_ibget8, ...: shmemi_iget */
#define SIZED(A, X, BYTES)               \
    ELEMENTS(iput, iput##X, void, BYTES) \
    ELEMENTS(iget, iget##X, void, BYTES) \
    BLOCKS(iput, ibput##X, void, BYTES)  \
    BLOCKS(iget, ibget##X, void, BYTES)
MPT_FOR_SIZES(SIZED, _)
