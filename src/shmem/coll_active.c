/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The deprecated collectives of active sets: PEs PE_start + i * 2^logPE_stride,
 * i < PE_size, which synchronise in the caller's pSync. The set is a team that
 * lives for one call.
 */
#include "shmem/check.h"

_Static_assert(SHMEM_SYNC_SIZE >= COLL_TRANSIENT_WORDS && sizeof(long) == 8, "pSync holds a transient team");

static void check_psync(const long *pSync, const char *where)
{
    shmemi_symmetric(pSync, SHMEM_SYNC_SIZE * sizeof *pSync, "pSync", where);
    if ((uintptr_t)pSync % sizeof *pSync)
        core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: pSync=%p is not aligned to %zu bytes", where,
                           (const void *)pSync, sizeof *pSync);
    for (int i = COLL_TRANSIENT_WORDS; MPT_UNLIKELY(shmemi.checks) && i < SHMEM_SYNC_SIZE; i++) /* others are in use */
        if (pSync[i] != SHMEM_SYNC_VALUE)
            core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where),
                               "%s: pSync[%d] is %ld: all elements must be SHMEM_SYNC_VALUE before", where, i,
                               pSync[i]);
}

/* Make *t the team of the set, which this PE must be in; returns t. */
static struct coll_team *active(struct coll_team *t, int start, int log_stride, int size, long *pSync,
                                const char *where)
{
    int npes = mpt_fast.npes, me = mpt_fast.me;
    shmemi_ready(where);
    if ((unsigned)start >= (unsigned)npes)
        shmemi_bad_pe(start, npes, "job", "PE_start", where);
    if (log_stride < 0 || log_stride > 30)
        shmemi_bad_value(log_stride, "logPE_stride", "0 to 30", where);
    if (size < 1 || start + ((long)(size - 1) << log_stride) >= npes)
        shmemi_bad_value(size, "PE_size", "a set that lies within the job", where);
    int distance = me - start, stride = 1 << log_stride;
    if (distance < 0 || distance % stride != 0 || distance / stride >= size)
        core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where),
                           "%s: PE_start=%d, logPE_stride=%d, PE_size=%d: this PE is not in the set", where, start,
                           log_stride, size);
    check_psync(pSync, where);
    coll_team_transient(t, start, stride, size, pSync);
    return t;
}

#define SET int PE_start, int logPE_stride, int PE_size, long *pSync
#define ACTIVE(where) active(&(struct coll_team){0}, PE_start, logPE_stride, PE_size, pSync, where)

static void agree(const struct coll_team *t, unsigned call, const char *where)
{
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_agree(t, (struct shmemi_same){.call = call}, where);
}

void pshmem_barrier(SET)
{
    const char *where = SHMEMI_WHERE;
    struct coll_team *team = ACTIVE(where);
    SHMEMI_TRACE(t, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_together(&t, team, 0, -1);
    agree(team, COLL_BARRIER, where);
    shmemi_complete(where);
    shmemi_race_quiet(CORE_FLOW_DEFAULT);
    shmemi_sync(team, where);
}
SHMEMI_ALIAS(shmem_barrier);

void pshmem_sync(SET)
{
    const char *where = SHMEMI_WHERE;
    struct coll_team *t = ACTIVE(where);
    agree(t, SHMEMI_SYNC, where);
    shmemi_sync(t, where);
}
SHMEMI_ALIAS(shmem_sync);

/* shmem_broadcast32, shmem_broadcast64: shmemi_broadcast
 * shmem_collect32, shmem_collect64, shmem_fcollect32, shmem_fcollect64: shmemi_gather
 * shmem_alltoall32, shmem_alltoall64, shmem_alltoalls32, shmem_alltoalls64: shmemi_alltoall */
#define SIZED(S, size)                                                                                         \
    void pshmem_broadcast##S(void *dest, const void *source, size_t nelems, int PE_root, SET)                  \
    {                                                                                                          \
        shmemi_broadcast(ACTIVE(SHMEMI_WHERE), dest, source, nelems, size, PE_root, true, SHMEMI_WHERE);       \
    }                                                                                                          \
    void pshmem_collect##S(void *dest, const void *source, size_t nelems, SET)                                 \
    {                                                                                                          \
        shmemi_gather(COLL_COLLECT, ACTIVE(SHMEMI_WHERE), dest, source, nelems, size, SHMEMI_WHERE);           \
    }                                                                                                          \
    void pshmem_fcollect##S(void *dest, const void *source, size_t nelems, SET)                                \
    {                                                                                                          \
        shmemi_gather(COLL_ALLGATHER, ACTIVE(SHMEMI_WHERE), dest, source, nelems, size, SHMEMI_WHERE);         \
    }                                                                                                          \
    void pshmem_alltoall##S(void *dest, const void *source, size_t nelems, SET)                                \
    {                                                                                                          \
        shmemi_alltoall(ACTIVE(SHMEMI_WHERE), dest, source, 1, 1, nelems, size, SHMEMI_WHERE);                 \
    }                                                                                                          \
    void pshmem_alltoalls##S(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, SET) \
    {                                                                                                          \
        shmemi_alltoall(ACTIVE(SHMEMI_WHERE), dest, source, dst, sst, nelems, size, SHMEMI_WHERE);             \
    }                                                                                                          \
    SHMEMI_ALIAS(shmem_broadcast##S);                                                                          \
    SHMEMI_ALIAS(shmem_collect##S);                                                                            \
    SHMEMI_ALIAS(shmem_fcollect##S);                                                                           \
    SHMEMI_ALIAS(shmem_alltoall##S);                                                                           \
    SHMEMI_ALIAS(shmem_alltoalls##S);
SIZED(32, 4)
SIZED(64, 8)

void shmemi_to_all(enum coll_op op, enum coll_type type, void *dest, const void *source, int nreduce, int PE_start,
                   int logPE_stride, int PE_size, long *pSync, const char *where)
{
    struct coll_team *t = ACTIVE(where);
    if (nreduce < 0)
        shmemi_bad_value(nreduce, "nreduce", "0 or more elements", where);
    shmemi_reduce(COLL_ALLREDUCE, op, type, t, dest, source, (size_t)nreduce, where);
}

/* shmem_<name>: body shmemi_to_all. pWrk is not needed. */
#define TO_ALL(name, T, C, op)                                                                                      \
    void pshmem_##name(T *dest, const T *source, int nreduce, int PE_start, int logPE_stride, int PE_size, T *pWrk, \
                       long *pSync)                                                                                 \
    {                                                                                                               \
        (void)pWrk;                                                                                                 \
        shmemi_to_all(op, COLL_##C, dest, source, nreduce, PE_start, logPE_stride, PE_size, pSync, SHMEMI_WHERE);   \
    }                                                                                                               \
    SHMEMI_ALIAS(shmem_##name);

/* shmem_int_and_to_all, shmem_long_or_to_all, shmem_short_xor_to_all, ... */
#define BITS(A, N, T, C)                   \
    TO_ALL(N##_and_to_all, T, C, COLL_AND) \
    TO_ALL(N##_or_to_all, T, C, COLL_OR)   \
    TO_ALL(N##_xor_to_all, T, C, COLL_XOR)
MPT_FOR_TOB(BITS, _)

/* shmem_long_max_to_all, shmem_double_max_to_all, shmem_long_min_to_all, ... */
#define EXTREMES(A, N, T, C)               \
    TO_ALL(N##_max_to_all, T, C, COLL_MAX) \
    TO_ALL(N##_min_to_all, T, C, COLL_MIN)
MPT_FOR_TOM(EXTREMES, _)

/* shmem_long_sum_to_all, shmem_double_sum_to_all, shmem_long_prod_to_all, ... */
#define SUMS(A, N, T, C)                   \
    TO_ALL(N##_sum_to_all, T, C, COLL_SUM) \
    TO_ALL(N##_prod_to_all, T, C, COLL_PROD)
MPT_FOR_TOS(SUMS, _)
