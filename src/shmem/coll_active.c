/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The deprecated collectives of active sets: PEs PE_start + i * 2^logPE_stride,
 * i < PE_size, which synchronise in the caller's pSync. The set is a team that
 * lives for one call. pWrk is not needed.
 */
#include "shmem/check.h"

_Static_assert(SHMEM_SYNC_SIZE >= COLL_TRANSIENT_WORDS && sizeof(long) == 8, "pSync holds a transient team");

static void check_psync(const long *pSync, const char *where)
{
    shmemi_symmetric(pSync, SHMEM_SYNC_SIZE * sizeof *pSync, "pSync", where);
    if ((uintptr_t)pSync % sizeof *pSync)
        core_fatal("%s: pSync=%p is not aligned to %zu bytes", where, (const void *)pSync, sizeof *pSync);
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
        core_fatal("%s: PE_start=%d, logPE_stride=%d, PE_size=%d: this PE is not in the set", where, start, log_stride,
                   size);
    check_psync(pSync, where);
    coll_team_transient(t, start, stride, size, pSync);
    return t;
}

#define SET int PE_start, int logPE_stride, int PE_size, long *pSync
#define ACTIVE active(&(struct coll_team){0}, PE_start, logPE_stride, PE_size, pSync, where)

SHMEMI_DEF(void, barrier, (SET), struct coll_team *t = ACTIVE; shmemi_complete(); coll_barrier(t, where);)
SHMEMI_DEF(void, sync, (SET), coll_barrier(ACTIVE, where);)

#define SIZED(S, size)                                                                                           \
    SHMEMI_DEF(void, broadcast##S, (void *dest, const void *source, size_t nelems, int PE_root, SET),            \
               shmemi_broadcast(ACTIVE, dest, source, nelems, size, PE_root, true, where);)                      \
    SHMEMI_DEF(void, collect##S, (void *dest, const void *source, size_t nelems, SET),                           \
               shmemi_gather(COLL_COLLECT, ACTIVE, dest, source, nelems, size, where);)                          \
    SHMEMI_DEF(void, fcollect##S, (void *dest, const void *source, size_t nelems, SET),                          \
               shmemi_gather(COLL_FCOLLECT, ACTIVE, dest, source, nelems, size, where);)                         \
    SHMEMI_DEF(void, alltoall##S, (void *dest, const void *source, size_t nelems, SET),                          \
               shmemi_alltoall(ACTIVE, dest, source, 1, 1, nelems, size, where);)                                \
    SHMEMI_DEF(void, alltoalls##S,                                                                               \
               (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, SET),               \
               shmemi_alltoall(ACTIVE, dest, source, dst, sst, nelems, size, where);)
SIZED(32, 4)
SIZED(64, 8)

static void to_all(enum coll_op op, enum coll_type type, struct coll_team *t, void *dest, const void *source,
                   int nreduce, const char *where)
{
    if (nreduce < 0)
        shmemi_bad_value(nreduce, "nreduce", "0 or more elements", where);
    shmemi_reduce(COLL_REDUCE, op, type, t, dest, source, (size_t)nreduce, where);
}

#define TO_ALL(name, T, C, op)                                                                           \
    SHMEMI_DEF(void, name, (T * dest, const T *source, int nreduce, SET_WORK(T)),                        \
               (void)pWrk; to_all(op, COLL_##C, ACTIVE, dest, source, nreduce, where);)
#define SET_WORK(T) int PE_start, int logPE_stride, int PE_size, T *pWrk, long *pSync
#define BITS(A, N, T, C)                    \
    TO_ALL(N##_and_to_all, T, C, COLL_AND)  \
    TO_ALL(N##_or_to_all, T, C, COLL_OR)    \
    TO_ALL(N##_xor_to_all, T, C, COLL_XOR)
#define EXTREMES(A, N, T, C)                \
    TO_ALL(N##_max_to_all, T, C, COLL_MAX)  \
    TO_ALL(N##_min_to_all, T, C, COLL_MIN)
#define SUMS(A, N, T, C)                    \
    TO_ALL(N##_sum_to_all, T, C, COLL_SUM)  \
    TO_ALL(N##_prod_to_all, T, C, COLL_PROD)
MPT_FOR_TOB(BITS, _)
MPT_FOR_TOM(EXTREMES, _)
MPT_FOR_TOS(SUMS, _)
