/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives of teams (1.6, 9.10): arguments are checked and put into the
 * engine's terms. The functions declared in shmemi.h serve active sets too.
 */
#include "shmem/check.h"

/* source of n_in bytes and dest of n_out bytes on this PE. */
static void check_buffers(const void *dest, size_t n_out, const void *source, size_t n_in, const char *where)
{
    shmemi_symmetric(dest, n_out, "dest", where);
    shmemi_symmetric(source, n_in, "source", where);
    if (!core_params.check || dest == source)
        return;
    uintptr_t d = (uintptr_t)dest, s = (uintptr_t)source;
    if (d < s + n_in && s < d + n_out)
        core_fatal("%s: dest=%p (%zu bytes) and source=%p (%zu bytes) overlap", where, dest, n_out, source, n_in);
}

int shmemi_broadcast(struct coll_team *t, void *dest, const void *source, size_t nelems, size_t size, int root,
                     bool root_keeps, const char *where)
{
    size_t n = shmemi_bytes(nelems, size, where);
    if ((unsigned)root >= (unsigned)t->size)
        shmemi_bad_pe(root, t->size, "team", "PE_root", where);
    if (n == 0)
        return 0;
    check_buffers(dest, n, source, n, where);
    struct coll_call c = {.kind = COLL_BROADCAST, .team = t, .where = where, .dest = dest, .source = source, .n = n,
                          .root = root, .root_keeps = root_keeps};
    return coll_run(&c);
}

int shmemi_gather(enum coll_kind kind, struct coll_team *t, void *dest, const void *source, size_t nelems, size_t size,
                  const char *where)
{
    size_t n = shmemi_bytes(nelems, size, where);
    if (kind == COLL_FCOLLECT) {
        if (n == 0)
            return 0;
        check_buffers(dest, shmemi_bytes(n, (size_t)t->size, where), source, n, where);
    } else if (n > 0) /* what the others bring is not known here */
        check_buffers(dest, n, source, n, where);
    struct coll_call c = {.kind = kind, .team = t, .where = where, .dest = dest, .source = source, .n = n};
    return coll_run(&c);
}

int shmemi_alltoall(struct coll_team *t, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                    size_t size, const char *where)
{
    if (dst < 1)
        shmemi_bad_value(dst, "dst", "a stride of 1 or more elements", where);
    if (sst < 1)
        shmemi_bad_value(sst, "sst", "a stride of 1 or more elements", where);
    size_t all = shmemi_bytes(nelems, (size_t)t->size, where);
    if (all == 0)
        return 0;
    /* From the first element to the end of the last. */
    size_t out = shmemi_bytes(shmemi_bytes(all - 1, (size_t)dst, where) + 1, size, where);
    size_t in = shmemi_bytes(shmemi_bytes(all - 1, (size_t)sst, where) + 1, size, where);
    check_buffers(dest, out, source, in, where);
    struct coll_call c = {.kind = COLL_ALLTOALL, .team = t, .where = where, .dest = dest, .source = source, .n = size,
                          .nelems = nelems, .dest_step = dst, .source_step = sst};
    return coll_run(&c);
}

int shmemi_reduce(enum coll_kind kind, enum coll_op op, enum coll_type type, struct coll_team *t, void *dest,
                  const void *source, size_t nelems, const char *where)
{
    size_t n = shmemi_bytes(nelems, coll_type_size(type), where);
    if (n == 0)
        return 0;
    check_buffers(dest, n, source, n, where);
    struct coll_call c = {.kind = kind, .team = t, .where = where, .dest = dest, .source = source, .n = n,
                          .nelems = nelems, .type = type, .op = op};
    return coll_run(&c);
}

/* ----------------------------------------------------------- synchronising -- */

void shmemi_barrier_all(const char *where)
{
    shmemi_complete();
    coll_barrier(&coll_world, where);
}

SHMEMI_DEF(void, barrier_all, (void), shmemi_ready(where); shmemi_barrier_all(where);)
SHMEMI_DEF(void, sync_all, (void), shmemi_ready(where); coll_barrier(&coll_world, where);)
SHMEMI_DEF(int, team_sync, (shmem_team_t team), if (team == SHMEM_TEAM_INVALID) return -1;
           coll_barrier(shmemi_team(team, where)->coll, where);
           return 0;)

/* ------------------------------------------------------------- moving data -- */

#define TEAM shmemi_team(team, where)->coll
#define MOVING(N, X, T, size)                                                                                    \
    SHMEMI_DEF(int, N##broadcast##X, (shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root),  \
               return shmemi_broadcast(TEAM, dest, source, nelems, size, PE_root, false, where);)                \
    SHMEMI_DEF(int, N##collect##X, (shmem_team_t team, T *dest, const T *source, size_t nelems),                 \
               return shmemi_gather(COLL_COLLECT, TEAM, dest, source, nelems, size, where);)                     \
    SHMEMI_DEF(int, N##fcollect##X, (shmem_team_t team, T *dest, const T *source, size_t nelems),                \
               return shmemi_gather(COLL_FCOLLECT, TEAM, dest, source, nelems, size, where);)                    \
    SHMEMI_DEF(int, N##alltoall##X, (shmem_team_t team, T *dest, const T *source, size_t nelems),                \
               return shmemi_alltoall(TEAM, dest, source, 1, 1, nelems, size, where);)                           \
    SHMEMI_DEF(int, N##alltoalls##X,                                                                             \
               (shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems),       \
               return shmemi_alltoall(TEAM, dest, source, dst, sst, nelems, size, where);)
#define TYPED(A, N, T, C) MOVING(N##_, , T, sizeof(T))
MPT_FOR_RMA(TYPED, _)
MOVING(, mem, void, 1)

/* --------------------------------------------------------------- combining -- */

#define COMBINE(name, T, C, kind, op)                                                                \
    SHMEMI_DEF(int, name, (shmem_team_t team, T *dest, const T *source, size_t nreduce),             \
               return shmemi_reduce(kind, op, COLL_##C, TEAM, dest, source, nreduce, where);)
#define BITS(A, N, T, C)                                         \
    COMBINE(N##_and_reduce, T, C, COLL_REDUCE, COLL_AND)         \
    COMBINE(N##_or_reduce, T, C, COLL_REDUCE, COLL_OR)           \
    COMBINE(N##_xor_reduce, T, C, COLL_REDUCE, COLL_XOR)
#define EXTREMES(A, N, T, C)                                     \
    COMBINE(N##_max_reduce, T, C, COLL_REDUCE, COLL_MAX)         \
    COMBINE(N##_min_reduce, T, C, COLL_REDUCE, COLL_MIN)
#define SUMS(A, N, T, C)                                         \
    COMBINE(N##_sum_reduce, T, C, COLL_REDUCE, COLL_SUM)         \
    COMBINE(N##_prod_reduce, T, C, COLL_REDUCE, COLL_PROD)       \
    COMBINE(N##_sum_inscan, T, C, COLL_INSCAN, COLL_SUM)         \
    COMBINE(N##_sum_exscan, T, C, COLL_EXSCAN, COLL_SUM)
MPT_FOR_RBT(BITS, _)
MPT_FOR_RMA(EXTREMES, _)
MPT_FOR_SUM(SUMS, _)
