/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic memory operations (1.6, 9.7), out of line: what the header's inline
 * forms fall back to, and the nonblocking ones. On this node each is its
 * instruction and complete at once, elsewhere (where adapters carry out atomics:
 * everywhere) a core_atomic of the same meaning.
 * Orderings are those of mpt/shmem_inline_amo.h and explained there.
 */
#include <string.h>

#include "core/rma/amo.h"
#include "shmem/check.h"

void *shmemi_atomic_at(shmem_ctx_t ctx, const void *p, size_t size, const char *arg, int pe, int *world_pe,
                       const char *where)
{
    pe = shmemi_pe(ctx, pe, where);
    shmemi_symmetric(p, size, arg, where);
    if (MPT_UNLIKELY(shmemi.checks) && (uintptr_t)p % size)
        shmemi_bad_alignment(p, size, arg, where);
    *world_pe = pe;
    return core_addr(pe, p);
}

/* A value of 4 or 8 bytes as core takes it; the low bytes come first. */
static inline uint64_t bits(const void *value, size_t width)
{
    uint64_t word = 0;
    memcpy(&word, value, width);
    return word;
}

/* By an instruction: no network nor adversary comes in between. */
static inline bool at_once(const void *there)
{
    return MPT_LIKELY(there != NULL) && !core_completes_later();
}

/* ---- with the recorder or the race checker: for all types, as it need not be fast ---- */

static inline bool is_watched(void)
{
    return MPT_UNLIKELY(core_trace_on()) || core_race_on();
}

#define WATCHED static __attribute__((noinline))

/* What the race checker is to know of it. */
static struct shmemi_race_atomic of(shmem_ctx_t ctx, int pe, const void *object, struct core_amo amo, bool fetches,
                                    bool nbi, const char *where)
{
    return (struct shmemi_race_atomic){
        shmemi_flow(ctx),         pe,    object, amo.width, amo.op != CORE_AMO_FETCH, fetches, nbi,
        amo.op == CORE_AMO_CSWAP, where, NULL};
}

/* What has been fetched tells of what others did before they changed it. */
static uint64_t checked(const struct shmemi_race_atomic *a, void *there, struct core_amo amo)
{
    uint64_t old;
    shmemi_race_atomic(a);
    old = core_amo_here(there, amo);
    shmemi_race_fetched(a);
    return old;
}

/* The adversary may keep what came before it, but not this one's result. */
static uint64_t later(const struct shmemi_race_atomic *a, shmem_ctx_t ctx, struct core_amo amo)
{
    uint64_t old;
    if (core_race_on())
        shmemi_race_atomic(a);
    old = core_atomic(shmemi_flow(ctx), a->pe, (void *)(uintptr_t)a->object, amo);
    if (core_race_on())
        shmemi_race_fetched(a);
    return old;
}

WATCHED uint64_t fetching_watched(shmem_ctx_t ctx, const void *object, struct core_amo amo, const char *arg, int pe,
                                  const char *where)
{
    SHMEMI_TRACE(t, where);
    uint64_t old;
    void *there = shmemi_atomic_at(ctx, object, amo.width, arg, pe, &pe, where);
    if (core_trace_on())
        shmemi_trace_atomic(&t, pe, object, amo, true);
    struct shmemi_race_atomic told = of(ctx, pe, object, amo, true, false, where);
    if (!at_once(there))
        return later(&told, ctx, amo);
    old = core_race_on() ? checked(&told, there, amo) : core_amo_here(there, amo);
    shmemi_changed(there, amo.width, pe);
    shmemi_looked(object, pe);
    return old;
}

WATCHED void fetching_nbi_watched(shmem_ctx_t ctx, void *fetch, const void *object, struct core_amo amo,
                                  const char *arg, int pe, const char *where)
{
    SHMEMI_TRACE(t, where);
    void *there = shmemi_atomic_at(ctx, object, amo.width, arg, pe, &pe, where);
    if (core_trace_on())
        shmemi_trace_atomic(&t, pe, object, amo, true);
    struct shmemi_race_atomic told = of(ctx, pe, object, amo, true, true, where);
    told.fetch = fetch;
    if (core_race_on())
        shmemi_race_atomic(&told);
    if (shmemi.checks)
        shmemi_pending_get(shmemi_flow(ctx), fetch, amo.width, pe, where);
    if (!at_once(there)) {
        core_atomic_nbi(shmemi_flow(ctx), pe, (void *)object, amo, fetch);
        return;
    }
    uint64_t old = core_amo_here(there, amo);
    shmemi_changed(there, amo.width, pe);
    memcpy(fetch, &old, amo.width);
}

WATCHED void changing_watched(shmem_ctx_t ctx, void *dest, struct core_amo amo, int pe, const char *where)
{
    SHMEMI_TRACE(t, where);
    void *there = shmemi_atomic_at(ctx, dest, amo.width, "dest", pe, &pe, where);
    if (core_trace_on())
        shmemi_trace_atomic(&t, pe, dest, amo, false);
    struct shmemi_race_atomic told = of(ctx, pe, dest, amo, false, false, where);
    if (core_race_on())
        shmemi_race_atomic(&told);
    if (!at_once(there)) {
        core_atomic_nbi(shmemi_flow(ctx), pe, dest, amo, NULL);
        return;
    }
    core_amo_here(there, amo);
    shmemi_changed(there, amo.width, pe);
}

/* ---- without ---- */

/* Inlined, for the instruction to be known. Each kind of call one: what was there
 * is wanted; is wanted in *fetch, which may be given later; is not. */
#define ATOMIC_BODY static inline __attribute__((always_inline))

ATOMIC_BODY uint64_t fetching(shmem_ctx_t ctx, const void *object, struct core_amo amo, const char *arg, int pe,
                              const char *where)
{
    if (is_watched())
        return fetching_watched(ctx, object, amo, arg, pe, where);
    void *there = shmemi_atomic_at(ctx, object, amo.width, arg, pe, &pe, where);
    if (!at_once(there))
        return core_atomic(shmemi_flow(ctx), pe, (void *)object, amo);
    uint64_t old = core_amo_inline(there, amo);
    shmemi_changed(there, amo.width, pe);
    shmemi_looked(object, pe);
    return old;
}

ATOMIC_BODY void fetching_nbi(shmem_ctx_t ctx, void *fetch, const void *object, struct core_amo amo, const char *arg,
                              int pe, const char *where)
{
    if (is_watched()) {
        fetching_nbi_watched(ctx, fetch, object, amo, arg, pe, where);
        return;
    }
    void *there = shmemi_atomic_at(ctx, object, amo.width, arg, pe, &pe, where);
    if (!at_once(there)) {
        core_atomic_nbi(shmemi_flow(ctx), pe, (void *)object, amo, fetch);
        return;
    }
    uint64_t old = core_amo_inline(there, amo);
    shmemi_changed(there, amo.width, pe);
    memcpy(fetch, &old, amo.width);
}

ATOMIC_BODY void changing(shmem_ctx_t ctx, void *dest, struct core_amo amo, int pe, const char *where)
{
    if (is_watched()) {
        changing_watched(ctx, dest, amo, pe, where);
        return;
    }
    void *there = shmemi_atomic_at(ctx, dest, amo.width, "dest", pe, &pe, where);
    if (!at_once(there)) {
        core_atomic_nbi(shmemi_flow(ctx), pe, dest, amo, NULL);
        return;
    }
    core_amo_inline(there, amo);
    shmemi_changed(there, amo.width, pe);
}

/* The bodies for each operation and width: each has its one instruction. The functions for all types call them. */
#define BODY static __attribute__((noinline))
#define FETCHING_BODY(op, n)                                                                                           \
    BODY uint64_t fetching_##op##_##n(shmem_ctx_t ctx, const void *object, uint64_t value, uint64_t cond,              \
                                      const char *arg, int pe, const char *where)                                      \
    {                                                                                                                  \
        return fetching(ctx, object, (struct core_amo){CORE_AMO_##op, n, value, cond}, arg, pe, where);                \
    }                                                                                                                  \
    BODY void fetching_nbi_##op##_##n(shmem_ctx_t ctx, void *fetch, const void *object, uint64_t value, uint64_t cond, \
                                      const char *arg, int pe, const char *where)                                      \
    {                                                                                                                  \
        fetching_nbi(ctx, fetch, object, (struct core_amo){CORE_AMO_##op, n, value, cond}, arg, pe, where);            \
    }
#define CHANGING_BODY(op, n)                                                                              \
    BODY void changing_##op##_##n(shmem_ctx_t ctx, void *dest, uint64_t value, int pe, const char *where) \
    {                                                                                                     \
        changing(ctx, dest, (struct core_amo){CORE_AMO_##op, n, value, 0}, pe, where);                    \
    }
#define BODIES(what, op) what##_BODY(op, 4) what##_BODY(op, 8)
BODIES(FETCHING, FETCH)
BODIES(FETCHING, SWAP)
BODIES(FETCHING, CSWAP)
BODIES(FETCHING, ADD)
BODIES(FETCHING, AND)
BODIES(FETCHING, OR)
BODIES(FETCHING, XOR)
BODIES(CHANGING, SET)
BODIES(CHANGING, ADD)
BODIES(CHANGING, AND)
BODIES(CHANGING, OR)
BODIES(CHANGING, XOR)

/* The body `what` of the operation on a T. */
#define OF(T, what, op) (sizeof(T) == 4 ? what##_##op##_4 : what##_##op##_8)
/* An operand as a word; a T from the word that core gives. */
#define BITS(T, value) bits(&(T){value}, sizeof(T))
#define VALUE(T, word)  \
    (((union {          \
         uint64_t bits; \
         T value;       \
     }){word})          \
         .value)

/* shmem_<name>, shmem_ctx_<name>: body fetching; shmem_<name>_nbi, shmem_ctx_<name>_nbi:
 * fetching_nbi. P are the parameters of the first. */
#define FETCHING(T, name, P, object, op, value, cond)                                                                \
    T pshmem_##name P                                                                                                \
    {                                                                                                                \
        return VALUE(T, OF(T, fetching, op)(SHMEM_CTX_DEFAULT, object, BITS(T, value), BITS(T, cond), #object, pe,   \
                                            SHMEMI_WHERE));                                                          \
    }                                                                                                                \
    T pshmem_ctx_##name(shmem_ctx_t ctx, MPT_LIST P)                                                                 \
    {                                                                                                                \
        return VALUE(T, OF(T, fetching, op)(ctx, object, BITS(T, value), BITS(T, cond), #object, pe, SHMEMI_WHERE)); \
    }                                                                                                                \
    void pshmem_##name##_nbi(T *fetch, MPT_LIST P)                                                                   \
    {                                                                                                                \
        OF(T, fetching_nbi, op)(SHMEM_CTX_DEFAULT, fetch, object, BITS(T, value), BITS(T, cond), #object, pe,        \
                                SHMEMI_WHERE);                                                                       \
    }                                                                                                                \
    void pshmem_ctx_##name##_nbi(shmem_ctx_t ctx, T *fetch, MPT_LIST P)                                              \
    {                                                                                                                \
        OF(T, fetching_nbi, op)(ctx, fetch, object, BITS(T, value), BITS(T, cond), #object, pe, SHMEMI_WHERE);       \
    }                                                                                                                \
    SHMEMI_ALIAS(shmem_##name);                                                                                      \
    SHMEMI_ALIAS(shmem_ctx_##name);                                                                                  \
    SHMEMI_ALIAS(shmem_##name##_nbi);                                                                                \
    SHMEMI_ALIAS(shmem_ctx_##name##_nbi);

/* shmem_<name>, shmem_ctx_<name>: body changing. */
#define CHANGING(T, name, P, op, value)                                                 \
    void pshmem_##name P                                                                \
    {                                                                                   \
        OF(T, changing, op)(SHMEM_CTX_DEFAULT, dest, BITS(T, value), pe, SHMEMI_WHERE); \
    }                                                                                   \
    void pshmem_ctx_##name(shmem_ctx_t ctx, MPT_LIST P)                                 \
    {                                                                                   \
        OF(T, changing, op)(ctx, dest, BITS(T, value), pe, SHMEMI_WHERE);               \
    }                                                                                   \
    SHMEMI_ALIAS(shmem_##name);                                                         \
    SHMEMI_ALIAS(shmem_ctx_##name);

/* shmem_long_atomic_fetch, shmem_int_atomic_fetch, shmem_double_atomic_fetch, ..., shmem_long_atomic_fetch_nbi,
 * shmem_long_atomic_swap, ..., shmem_long_atomic_swap_nbi, ..., shmem_long_atomic_set, ... */
#define EXTENDED(A, N, T, C)                                                        \
    FETCHING(T, N##_atomic_fetch, (const T *source, int pe), source, FETCH, 0, 0)   \
    FETCHING(T, N##_atomic_swap, (T * dest, T value, int pe), dest, SWAP, value, 0) \
    CHANGING(T, N##_atomic_set, (T * dest, T value, int pe), SET, value)
MPT_FOR_AMX(EXTENDED, _)

/* shmem_<name>_atomic_fetch_<how>, its _nbi, shmem_<name>_atomic_<how>. */
#define MODIFY(T, N, how, op)                                                            \
    FETCHING(T, N##_atomic_fetch_##how, (T * dest, T value, int pe), dest, op, value, 0) \
    CHANGING(T, N##_atomic_##how, (T * dest, T value, int pe), op, value)

/* shmem_long_atomic_compare_swap, shmem_int_atomic_compare_swap, ..., shmem_long_atomic_compare_swap_nbi, ...,
 * shmem_long_atomic_fetch_inc, ..., shmem_long_atomic_fetch_inc_nbi, ..., shmem_long_atomic_inc, ...,
 * shmem_long_atomic_fetch_add, ..., shmem_long_atomic_fetch_add_nbi, ..., shmem_long_atomic_add, ... */
#define STANDARD(A, N, T, C)                                                                            \
    FETCHING(T, N##_atomic_compare_swap, (T * dest, T cond, T value, int pe), dest, CSWAP, value, cond) \
    FETCHING(T, N##_atomic_fetch_inc, (T * dest, int pe), dest, ADD, 1, 0)                              \
    CHANGING(T, N##_atomic_inc, (T * dest, int pe), ADD, 1)                                             \
    MODIFY(T, N, add, ADD)
MPT_FOR_AMO(STANDARD, _)

/* shmem_ulong_atomic_fetch_and, shmem_uint64_atomic_fetch_or, shmem_uint_atomic_fetch_xor, ..., their _nbi,
 * shmem_ulong_atomic_and, shmem_uint64_atomic_or, shmem_uint_atomic_xor, ... */
#define BITWISE(A, N, T, C) MODIFY(T, N, and, AND) MODIFY(T, N, or, OR) MODIFY(T, N, xor, XOR)
MPT_FOR_ABT(BITWISE, _)
