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
    if (MPT_LIKELY(!shmemi.checks) || dest == source)
        return;
    uintptr_t d = (uintptr_t)dest, s = (uintptr_t)source;
    if (d < s + n_in && s < d + n_out)
        core_finding_fatal(CORE_FINDING_OVERLAP, shmemi_rule(where),
                           "%s: dest=%p (%zu bytes) and source=%p (%zu bytes) overlap", where, dest, n_out, source,
                           n_in);
}

/* n: bytes, where all give the same. */
static void agree(const struct coll_team *t, unsigned call, size_t n, int root, const char *where)
{
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_agree(t, (struct shmemi_same){.call = call, .n = n, .root = root}, where);
}

/* What this PE's memory gives or takes; of a collect, whose amounts are not known here, the least. */
static void tell_buffers(const struct coll_call *c, bool after)
{
    size_t all = (size_t)c->team->size;
    bool has_root = c->kind == COLL_BROADCAST, is_root = has_root && c->root == c->team->rank;
    if (c->kind == COLL_ALLTOALL && (c->dest_step != 1 || c->source_step != 1))
        return;
    size_t in = c->kind == COLL_ALLTOALL ? c->n * c->nelems * all : c->n;
    size_t out = c->kind == COLL_ALLGATHER ? c->n * all : in;
    if (!after && (!has_root || is_root) && c->source != c->dest)
        shmemi_race_buffer(c->source, in, false, c->where);
    if (after && !(is_root && c->root_keeps))
        shmemi_race_buffer(c->dest, out, true, c->where);
}

static int run(struct coll_call *c)
{
    SHMEMI_TRACE(t, c->where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_together(&t, c->team, c->kind == COLL_ALLTOALL ? c->n * c->nelems * (size_t)c->team->size : c->n,
                              c->kind == COLL_BROADCAST ? c->root : -1);
    if (MPT_LIKELY(!core_race_on()))
        return coll_run(c);
    tell_buffers(c, false);
    struct shmemi_race_meeting m = shmemi_race_come(c->team);
    int rc = coll_run(c);
    shmemi_race_met(m, c->kind == COLL_BROADCAST ? c->root : -1);
    tell_buffers(c, true);
    return rc;
}

int shmemi_broadcast(struct coll_team *t, void *dest, const void *source, size_t nelems, size_t size, int root,
                     bool root_keeps, const char *where)
{
    size_t n = shmemi_bytes(nelems, size, where);
    if ((unsigned)root >= (unsigned)t->size)
        shmemi_bad_pe(root, t->size, "team", "PE_root", where);
    agree(t, COLL_BROADCAST, n, root, where);
    if (n == 0)
        return 0;
    check_buffers(dest, n, source, n, where);
    struct coll_call c = {.kind = COLL_BROADCAST,
                          .team = t,
                          .where = where,
                          .dest = dest,
                          .source = source,
                          .n = n,
                          .root = root,
                          .root_keeps = root_keeps};
    return run(&c);
}

int shmemi_gather(enum coll_kind kind, struct coll_team *t, void *dest, const void *source, size_t nelems, size_t size,
                  const char *where)
{
    size_t n = shmemi_bytes(nelems, size, where);
    agree(t, kind, kind == COLL_ALLGATHER ? n : 0, 0, where);
    if (kind == COLL_ALLGATHER) {
        if (n == 0)
            return 0;
        check_buffers(dest, shmemi_bytes(n, (size_t)t->size, where), source, n, where);
    } else if (n > 0) /* what the others bring is not known here */
        check_buffers(dest, n, source, n, where);
    struct coll_call c = {.kind = kind, .team = t, .where = where, .dest = dest, .source = source, .n = n};
    return run(&c);
}

int shmemi_alltoall(struct coll_team *t, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                    size_t size, const char *where)
{
    if (dst < 1)
        shmemi_bad_value(dst, "dst", "a stride of 1 or more elements", where);
    if (sst < 1)
        shmemi_bad_value(sst, "sst", "a stride of 1 or more elements", where);
    size_t all = shmemi_bytes(nelems, (size_t)t->size, where);
    agree(t, COLL_ALLTOALL, nelems * size, 0, where);
    if (all == 0)
        return 0;
    /* From the first element to the end of the last. */
    size_t out = shmemi_bytes(shmemi_bytes(all - 1, (size_t)dst, where) + 1, size, where);
    size_t in = shmemi_bytes(shmemi_bytes(all - 1, (size_t)sst, where) + 1, size, where);
    check_buffers(dest, out, source, in, where);
    struct coll_call c = {.kind = COLL_ALLTOALL,
                          .team = t,
                          .where = where,
                          .dest = dest,
                          .source = source,
                          .n = size,
                          .nelems = nelems,
                          .dest_step = dst,
                          .source_step = sst};
    return run(&c);
}

int shmemi_reduce(enum coll_kind kind, enum coll_op op, enum coll_type type, struct coll_team *t, void *dest,
                  const void *source, size_t nelems, const char *where)
{
    size_t n = shmemi_bytes(nelems, coll_type_size(type), where);
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_agree(t, (struct shmemi_same){.call = kind, .n = n, .type = (int)type + 1, .op = (int)op + 1}, where);
    if (n == 0)
        return 0;
    check_buffers(dest, n, source, n, where);
    struct coll_call c = {.kind = kind,
                          .team = t,
                          .where = where,
                          .dest = dest,
                          .source = source,
                          .n = n,
                          .nelems = nelems,
                          .type = type,
                          .op = op};
    return run(&c);
}

/* ----------------------------------------------------------- synchronising -- */

void shmemi_barrier_all(const char *where)
{
    SHMEMI_TRACE(t, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_together(&t, COLL_WORLD, 0, -1);
    shmemi_complete(where);
    shmemi_race_quiet(CORE_FLOW_DEFAULT);
    shmemi_sync(COLL_WORLD, where);
}

void shmemi_sync(struct coll_team *team, const char *where)
{
    SHMEMI_TRACE(t, where);
    if (MPT_UNLIKELY(core_trace_on()) && t.kind != CORE_TRACE_NONE)
        shmemi_trace_together(&t, team, 0, -1);
    if (MPT_LIKELY(!core_race_on())) {
        coll_barrier(team, where);
        return;
    }
    struct shmemi_race_meeting m = shmemi_race_come(team);
    coll_barrier(team, where);
    shmemi_race_met(m, -1);
}

void pshmem_barrier_all(void)
{
    const char *where = SHMEMI_WHERE;
    shmemi_ready(where);
    agree(COLL_WORLD, COLL_BARRIER, 0, 0, where);
    shmemi_barrier_all(where);
}
SHMEMI_ALIAS(shmem_barrier_all);

void pshmem_sync_all(void)
{
    const char *where = SHMEMI_WHERE;
    shmemi_ready(where);
    agree(COLL_WORLD, SHMEMI_SYNC, 0, 0, where);
    shmemi_sync(COLL_WORLD, where);
}
SHMEMI_ALIAS(shmem_sync_all);

int pshmem_team_sync(shmem_team_t team)
{
    const char *where = SHMEMI_WHERE;
    if (team == SHMEM_TEAM_INVALID)
        return -1;
    struct coll_team *t = shmemi_team(team, where)->coll;
    agree(t, SHMEMI_SYNC, 0, 0, where);
    shmemi_sync(t, where);
    return 0;
}
SHMEMI_ALIAS(shmem_team_sync);

/* ------------------------------------------------------------- moving data -- */

#define TEAM shmemi_team(team, SHMEMI_WHERE)->coll

/* shmem_long_broadcast, shmem_int_broadcast, ..., shmem_broadcastmem: shmemi_broadcast
 * shmem_long_collect, ..., shmem_collectmem, shmem_long_fcollect, ..., shmem_fcollectmem: shmemi_gather
 * shmem_long_alltoall, ..., shmem_alltoallmem, shmem_long_alltoalls, ..., shmem_alltoallsmem: shmemi_alltoall */
#define MOVING(N, X, T, size)                                                                               \
    int pshmem_##N##broadcast##X(shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root)   \
    {                                                                                                       \
        return shmemi_broadcast(TEAM, dest, source, nelems, size, PE_root, false, SHMEMI_WHERE);            \
    }                                                                                                       \
    int pshmem_##N##collect##X(shmem_team_t team, T *dest, const T *source, size_t nelems)                  \
    {                                                                                                       \
        return shmemi_gather(COLL_COLLECT, TEAM, dest, source, nelems, size, SHMEMI_WHERE);                 \
    }                                                                                                       \
    int pshmem_##N##fcollect##X(shmem_team_t team, T *dest, const T *source, size_t nelems)                 \
    {                                                                                                       \
        return shmemi_gather(COLL_ALLGATHER, TEAM, dest, source, nelems, size, SHMEMI_WHERE);               \
    }                                                                                                       \
    int pshmem_##N##alltoall##X(shmem_team_t team, T *dest, const T *source, size_t nelems)                 \
    {                                                                                                       \
        return shmemi_alltoall(TEAM, dest, source, 1, 1, nelems, size, SHMEMI_WHERE);                       \
    }                                                                                                       \
    int pshmem_##N##alltoalls##X(shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, \
                                 size_t nelems)                                                             \
    {                                                                                                       \
        return shmemi_alltoall(TEAM, dest, source, dst, sst, nelems, size, SHMEMI_WHERE);                   \
    }                                                                                                       \
    SHMEMI_ALIAS(shmem_##N##broadcast##X);                                                                  \
    SHMEMI_ALIAS(shmem_##N##collect##X);                                                                    \
    SHMEMI_ALIAS(shmem_##N##fcollect##X);                                                                   \
    SHMEMI_ALIAS(shmem_##N##alltoall##X);                                                                   \
    SHMEMI_ALIAS(shmem_##N##alltoalls##X);
#define TYPED(A, N, T, C) MOVING(N##_, , T, sizeof(T))
MPT_FOR_RMA(TYPED, _)
MOVING(, mem, void, 1)

/* --------------------------------------------------------------- combining -- */

/* shmem_<name>: body shmemi_reduce. */
#define COMBINE(name, T, C, kind, op)                                                        \
    int pshmem_##name(shmem_team_t team, T *dest, const T *source, size_t nreduce)           \
    {                                                                                        \
        return shmemi_reduce(kind, op, COLL_##C, TEAM, dest, source, nreduce, SHMEMI_WHERE); \
    }                                                                                        \
    SHMEMI_ALIAS(shmem_##name);

/* shmem_uint_and_reduce, shmem_uint64_or_reduce, shmem_ulong_xor_reduce, ... */
#define BITS(A, N, T, C)                                    \
    COMBINE(N##_and_reduce, T, C, COLL_ALLREDUCE, COLL_AND) \
    COMBINE(N##_or_reduce, T, C, COLL_ALLREDUCE, COLL_OR)   \
    COMBINE(N##_xor_reduce, T, C, COLL_ALLREDUCE, COLL_XOR)
MPT_FOR_RBT(BITS, _)

/* shmem_long_max_reduce, shmem_int_max_reduce, shmem_double_max_reduce, shmem_long_min_reduce, ... */
#define EXTREMES(A, N, T, C)                                \
    COMBINE(N##_max_reduce, T, C, COLL_ALLREDUCE, COLL_MAX) \
    COMBINE(N##_min_reduce, T, C, COLL_ALLREDUCE, COLL_MIN)
MPT_FOR_RMA(EXTREMES, _)

/* shmem_long_sum_reduce, shmem_int_sum_reduce, shmem_double_sum_reduce, shmem_long_prod_reduce, ...,
 * shmem_long_sum_inscan, ..., shmem_long_sum_exscan, ... */
#define SUMS(A, N, T, C)                                      \
    COMBINE(N##_sum_reduce, T, C, COLL_ALLREDUCE, COLL_SUM)   \
    COMBINE(N##_prod_reduce, T, C, COLL_ALLREDUCE, COLL_PROD) \
    COMBINE(N##_sum_inscan, T, C, COLL_INSCAN, COLL_SUM)      \
    COMBINE(N##_sum_exscan, T, C, COLL_EXSCAN, COLL_SUM)
MPT_FOR_SUM(SUMS, _)
