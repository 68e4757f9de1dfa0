/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Put with signal and the operations on signals (1.6, 9.8): the data, then a
 * word that tells of it.
 */
#include "shmem/wait.h"

static enum core_amo_op amo_of(int sig_op)
{
    return sig_op == SHMEM_SIGNAL_SET ? CORE_AMO_SET : CORE_AMO_ADD;
}

/* Release: who sees the signal sees the data put before it. */
static void signal_here(uint64_t *there, uint64_t signal, int sig_op, int world_pe)
{
    if (sig_op == SHMEM_SIGNAL_SET)
        /* model: signal.set */
        __atomic_store_n(there, signal, __ATOMIC_RELEASE);
    else
        /* model: signal.add */
        __atomic_fetch_add(there, signal, __ATOMIC_RELEASE);
    shmemi_changed(there, sizeof *there, world_pe);
}

static void signal_only(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, const char *where)
{
    SHMEMI_TRACE(t, where);
    int world_pe;
    uint64_t *there = shmemi_atomic_at(ctx, sig_addr, sizeof *sig_addr, "sig_addr", pe, &world_pe, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_signal(&t, world_pe, 0, sig_addr, signal);
    if (core_race_on())
        shmemi_race_signal(&(struct shmemi_race_copy){.pe = world_pe, .where = where}, sig_addr);
    if (MPT_LIKELY(there != NULL) && !core_late_on())
        signal_here(there, signal, sig_op, world_pe);
    else
        core_amo_nbi(shmemi_flow(ctx), world_pe, sig_addr,
                     (struct core_amo){.op = amo_of(sig_op), .width = sizeof signal, .value = signal}, NULL);
}

static void put_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, size_t size, uint64_t *sig_addr,
                       uint64_t signal, int sig_op, int pe, bool nbi, const char *where)
{
    SHMEMI_TRACE(t, where);
    size_t n = shmemi_bytes(nelems, size, where);
    if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD)
        shmemi_bad_value(sig_op, "sig_op", "SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD", where);
    if (n > 0) {
        shmemi_symmetric(dest, n, "dest", where);
        shmemi_not_null(source, "source", where);
        if (MPT_UNLIKELY(shmemi.checks))
            shmemi_pending_used(source, n, where);
    }
    int world_pe;
    uint64_t *there = shmemi_atomic_at(ctx, sig_addr, sizeof *sig_addr, "sig_addr", pe, &world_pe, where);
    struct core_flow *flow = shmemi_flow(ctx);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_signal(&t, world_pe, n, sig_addr, signal);
    if (MPT_UNLIKELY(!there) || core_late_on()) {
        core_put_signal(flow, world_pe, dest, source, n, sig_addr, amo_of(sig_op), signal);
        return;
    }
    if (core_race_on())
        shmemi_race_signal(&(struct shmemi_race_copy){flow, world_pe, dest, source, n, nbi, where}, sig_addr);
    if (n > 0)
        core_put(flow, world_pe, dest, source, n);
    signal_here(there, signal, sig_op, world_pe);
}

/* shmem_<name>, shmem_ctx_<name>: body put_signal. */
#define PUT_SIGNAL(name, T, size, nbi)                                                                              \
    void pshmem_##name(T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,    \
                       int pe)                                                                                      \
    {                                                                                                               \
        put_signal(SHMEM_CTX_DEFAULT, dest, source, nelems, size, sig_addr, signal, sig_op, pe, nbi, SHMEMI_WHERE); \
    }                                                                                                               \
    void pshmem_ctx_##name(shmem_ctx_t ctx, T *dest, const T *source, size_t nelems, uint64_t *sig_addr,            \
                           uint64_t signal, int sig_op, int pe)                                                     \
    {                                                                                                               \
        put_signal(ctx, dest, source, nelems, size, sig_addr, signal, sig_op, pe, nbi, SHMEMI_WHERE);               \
    }                                                                                                               \
    SHMEMI_ALIAS(shmem_##name);                                                                                     \
    SHMEMI_ALIAS(shmem_ctx_##name);

/* shmem_long_put_signal, shmem_int_put_signal, ..., shmem_long_put_signal_nbi, ... */
#define TYPED(A, N, T, C)                           \
    PUT_SIGNAL(N##_put_signal, T, sizeof(T), false) \
    PUT_SIGNAL(N##_put_signal_nbi, T, sizeof(T), true)
MPT_FOR_RMA(TYPED, _)

/* shmem_put8_signal, shmem_put16_signal, shmem_put32_signal, shmem_put64_signal, shmem_put128_signal,
 * shmem_putmem_signal, shmem_put8_signal_nbi, ..., shmem_putmem_signal_nbi */
#define SIZED(A, X, BYTES)                          \
    PUT_SIGNAL(put##X##_signal, void, BYTES, false) \
    PUT_SIGNAL(put##X##_signal_nbi, void, BYTES, true)
MPT_FOR_SIZES(SIZED, _)
SIZED(_, mem, 1)

void pshmem_ctx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    signal_only(ctx, sig_addr, signal, SHMEM_SIGNAL_ADD, pe, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_ctx_signal_add);

void pshmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe)
{
    signal_only(SHMEM_CTX_DEFAULT, sig_addr, signal, SHMEM_SIGNAL_ADD, pe, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_signal_add);

void pshmem_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    signal_only(ctx, sig_addr, signal, SHMEM_SIGNAL_SET, pe, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_ctx_signal_set);

void pshmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe)
{
    signal_only(SHMEM_CTX_DEFAULT, sig_addr, signal, SHMEM_SIGNAL_SET, pe, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_signal_set);

/* Programs poll with this call, so it lets signals of other nodes in.
 * Acquire: the counterpart of the release above. */
uint64_t pshmem_signal_fetch(const uint64_t *sig_addr)
{
    shmemi_symmetric(sig_addr, 8, "sig_addr", SHMEMI_WHERE);
    if (MPT_UNLIKELY(core_progress_due()))
        core_test_failed(&shmemi_thread.tests, NULL, NULL);
    shmemi_looked(sig_addr, mpt_fast.me);
    /* model: signal.fetch */
    uint64_t signal = __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);
    if (core_race_on())
        shmemi_race_got(sig_addr, sizeof *sig_addr, mpt_fast.me);
    return signal;
}
SHMEMI_ALIAS(shmem_signal_fetch);

uint64_t pshmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value)
{
    const char *where = SHMEMI_WHERE;
    shmemi_symmetric(sig_addr, 8, "sig_addr", where);
    return shmemi_wait_signal(sig_addr, cmp, cmp_value, where);
}
SHMEMI_ALIAS(shmem_signal_wait_until);
