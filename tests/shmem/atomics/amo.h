/* SPDX-License-Identifier: BSD-3-Clause */
/* Every atomic operation of every type behind one signature: values travel as bits in a uint64_t, so that one test
 * body serves all types. A row is one type in one of four variants: plain, on a context of our own, and the
 * nonblocking fetching forms of both, completed by a quiet. Operations without a fetch have no nonblocking form. */
#ifndef TESTS_ATOMICS_AMO_H
#define TESTS_ATOMICS_AMO_H

#include "../../check.h"
#include "../../types.h"

typedef uint64_t amo_fetching(void *dest, uint64_t value, int pe);
typedef uint64_t amo_comparing(void *dest, uint64_t cond, uint64_t value, int pe);
typedef void amo_changing(void *dest, uint64_t value, int pe);

struct amo_extended {
    const char *name;
    size_t size;
    amo_fetching *fetch, *swap;
    amo_changing *set;
};

struct amo_standard {
    const char *name;
    size_t size;
    amo_comparing *compare_swap;
    amo_fetching *fetch_inc, *fetch_add;
    amo_changing *inc, *add;
};

struct amo_bitwise {
    const char *name;
    size_t size;
    amo_fetching *fetch_and, *fetch_or, *fetch_xor;
    amo_changing *and_, *or_, *xor_;
};

static shmem_ctx_t amo_ctx;

static inline void amo_start(void)
{
    int status = shmem_ctx_create(0, &amo_ctx);
    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
}

static inline void amo_finish(void)
{
    shmem_ctx_destroy(amo_ctx);
}

/* A barrier completes the default context only. */
static inline void amo_barrier(void)
{
    shmem_ctx_quiet(amo_ctx);
    shmem_barrier_all();
}

static inline uint64_t amo_mask(size_t size)
{
    return size == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * size)) - 1;
}

#define AMO_VALUE(TYPE, name, bits) \
    TYPE name;                      \
    memcpy(&name, &(bits), sizeof name)
#define AMO_RETURN(value)                   \
    uint64_t bits = 0;                      \
    memcpy(&bits, &(value), sizeof(value)); \
    return bits

/* How each variant makes a call; FETCH leaves the fetched value in `old`. */
#define AMO_plain_DO(NAME, op, ...) shmem_##NAME##_atomic_##op(__VA_ARGS__)
#define AMO_ctx_DO(NAME, op, ...) shmem_ctx_##NAME##_atomic_##op(amo_ctx, __VA_ARGS__)
#define AMO_nbi_DO(NAME, op, ...) AMO_plain_DO(NAME, op, __VA_ARGS__)
#define AMO_ctx_nbi_DO(NAME, op, ...) AMO_ctx_DO(NAME, op, __VA_ARGS__)
#define AMO_plain_FETCH(NAME, op, ...) old = shmem_##NAME##_atomic_##op(__VA_ARGS__)
#define AMO_ctx_FETCH(NAME, op, ...) old = shmem_ctx_##NAME##_atomic_##op(amo_ctx, __VA_ARGS__)
#define AMO_nbi_FETCH(NAME, op, ...)                     \
    shmem_##NAME##_atomic_##op##_nbi(&old, __VA_ARGS__); \
    shmem_quiet()
#define AMO_ctx_nbi_FETCH(NAME, op, ...)                              \
    shmem_ctx_##NAME##_atomic_##op##_nbi(amo_ctx, &old, __VA_ARGS__); \
    shmem_ctx_quiet(amo_ctx)

#define AMO_EXTENDED(NAME, TYPE, VARIANT)                                           \
    static inline uint64_t NAME##_##VARIANT##_fetch(void *dest, uint64_t v, int pe) \
    {                                                                               \
        TYPE old;                                                                   \
        (void)v;                                                                    \
        AMO_##VARIANT##_FETCH(NAME, fetch, (const TYPE *)dest, pe);                 \
        AMO_RETURN(old);                                                            \
    }                                                                               \
    static inline uint64_t NAME##_##VARIANT##_swap(void *dest, uint64_t v, int pe)  \
    {                                                                               \
        AMO_VALUE(TYPE, value, v);                                                  \
        TYPE old;                                                                   \
        AMO_##VARIANT##_FETCH(NAME, swap, (TYPE *)dest, value, pe);                 \
        AMO_RETURN(old);                                                            \
    }                                                                               \
    static inline void NAME##_##VARIANT##_set(void *dest, uint64_t v, int pe)       \
    {                                                                               \
        AMO_VALUE(TYPE, value, v);                                                  \
        AMO_##VARIANT##_DO(NAME, set, (TYPE *)dest, value, pe);                     \
    }
#define AMO_EXTENDED_ALL(NAME, TYPE) \
    AMO_EXTENDED(NAME, TYPE, plain)  \
    AMO_EXTENDED(NAME, TYPE, ctx)    \
    AMO_EXTENDED(NAME, TYPE, nbi)    \
    AMO_EXTENDED(NAME, TYPE, ctx_nbi)
TYPES_AMO_EXTENDED(AMO_EXTENDED_ALL)
#define AMO_EXTENDED_ROW(NAME, TYPE, VARIANT)                                                              \
    {"shmem_" #NAME "_atomic, " #VARIANT, sizeof(TYPE), NAME##_##VARIANT##_fetch, NAME##_##VARIANT##_swap, \
     NAME##_##VARIANT##_set},
#define AMO_EXTENDED_ROWS(NAME, TYPE)   \
    AMO_EXTENDED_ROW(NAME, TYPE, plain) \
    AMO_EXTENDED_ROW(NAME, TYPE, ctx)   \
    AMO_EXTENDED_ROW(NAME, TYPE, nbi)   \
    AMO_EXTENDED_ROW(NAME, TYPE, ctx_nbi)
static const struct amo_extended amo_extended[] = {TYPES_AMO_EXTENDED(AMO_EXTENDED_ROWS)};

#define AMO_STANDARD(NAME, TYPE, VARIANT)                                                              \
    static inline uint64_t NAME##_##VARIANT##_compare_swap(void *dest, uint64_t c, uint64_t v, int pe) \
    {                                                                                                  \
        AMO_VALUE(TYPE, value, v);                                                                     \
        AMO_VALUE(TYPE, cond, c);                                                                      \
        TYPE old;                                                                                      \
        AMO_##VARIANT##_FETCH(NAME, compare_swap, (TYPE *)dest, cond, value, pe);                      \
        AMO_RETURN(old);                                                                               \
    }                                                                                                  \
    static inline uint64_t NAME##_##VARIANT##_fetch_inc(void *dest, uint64_t v, int pe)                \
    {                                                                                                  \
        TYPE old;                                                                                      \
        (void)v;                                                                                       \
        AMO_##VARIANT##_FETCH(NAME, fetch_inc, (TYPE *)dest, pe);                                      \
        AMO_RETURN(old);                                                                               \
    }                                                                                                  \
    static inline uint64_t NAME##_##VARIANT##_fetch_add(void *dest, uint64_t v, int pe)                \
    {                                                                                                  \
        AMO_VALUE(TYPE, value, v);                                                                     \
        TYPE old;                                                                                      \
        AMO_##VARIANT##_FETCH(NAME, fetch_add, (TYPE *)dest, value, pe);                               \
        AMO_RETURN(old);                                                                               \
    }                                                                                                  \
    static inline void NAME##_##VARIANT##_inc(void *dest, uint64_t v, int pe)                          \
    {                                                                                                  \
        (void)v;                                                                                       \
        AMO_##VARIANT##_DO(NAME, inc, (TYPE *)dest, pe);                                               \
    }                                                                                                  \
    static inline void NAME##_##VARIANT##_add(void *dest, uint64_t v, int pe)                          \
    {                                                                                                  \
        AMO_VALUE(TYPE, value, v);                                                                     \
        AMO_##VARIANT##_DO(NAME, add, (TYPE *)dest, value, pe);                                        \
    }
#define AMO_STANDARD_ALL(NAME, TYPE) \
    AMO_STANDARD(NAME, TYPE, plain)  \
    AMO_STANDARD(NAME, TYPE, ctx)    \
    AMO_STANDARD(NAME, TYPE, nbi)    \
    AMO_STANDARD(NAME, TYPE, ctx_nbi)
TYPES_AMO(AMO_STANDARD_ALL)
#define AMO_STANDARD_ROW(NAME, TYPE, VARIANT) \
    {"shmem_" #NAME "_atomic, " #VARIANT,     \
     sizeof(TYPE),                            \
     NAME##_##VARIANT##_compare_swap,         \
     NAME##_##VARIANT##_fetch_inc,            \
     NAME##_##VARIANT##_fetch_add,            \
     NAME##_##VARIANT##_inc,                  \
     NAME##_##VARIANT##_add},
#define AMO_STANDARD_ROWS(NAME, TYPE)   \
    AMO_STANDARD_ROW(NAME, TYPE, plain) \
    AMO_STANDARD_ROW(NAME, TYPE, ctx)   \
    AMO_STANDARD_ROW(NAME, TYPE, nbi)   \
    AMO_STANDARD_ROW(NAME, TYPE, ctx_nbi)
static const struct amo_standard amo_standard[] = {TYPES_AMO(AMO_STANDARD_ROWS)};

#define AMO_BITWISE(NAME, TYPE, VARIANT)                                                \
    static inline uint64_t NAME##_##VARIANT##_fetch_and(void *dest, uint64_t v, int pe) \
    {                                                                                   \
        AMO_VALUE(TYPE, value, v);                                                      \
        TYPE old;                                                                       \
        AMO_##VARIANT##_FETCH(NAME, fetch_and, (TYPE *)dest, value, pe);                \
        AMO_RETURN(old);                                                                \
    }                                                                                   \
    static inline uint64_t NAME##_##VARIANT##_fetch_or(void *dest, uint64_t v, int pe)  \
    {                                                                                   \
        AMO_VALUE(TYPE, value, v);                                                      \
        TYPE old;                                                                       \
        AMO_##VARIANT##_FETCH(NAME, fetch_or, (TYPE *)dest, value, pe);                 \
        AMO_RETURN(old);                                                                \
    }                                                                                   \
    static inline uint64_t NAME##_##VARIANT##_fetch_xor(void *dest, uint64_t v, int pe) \
    {                                                                                   \
        AMO_VALUE(TYPE, value, v);                                                      \
        TYPE old;                                                                       \
        AMO_##VARIANT##_FETCH(NAME, fetch_xor, (TYPE *)dest, value, pe);                \
        AMO_RETURN(old);                                                                \
    }                                                                                   \
    static inline void NAME##_##VARIANT##_and(void *dest, uint64_t v, int pe)           \
    {                                                                                   \
        AMO_VALUE(TYPE, value, v);                                                      \
        AMO_##VARIANT##_DO(NAME, and, (TYPE *)dest, value, pe);                         \
    }                                                                                   \
    static inline void NAME##_##VARIANT##_or(void *dest, uint64_t v, int pe)            \
    {                                                                                   \
        AMO_VALUE(TYPE, value, v);                                                      \
        AMO_##VARIANT##_DO(NAME, or, (TYPE *)dest, value, pe);                          \
    }                                                                                   \
    static inline void NAME##_##VARIANT##_xor(void *dest, uint64_t v, int pe)           \
    {                                                                                   \
        AMO_VALUE(TYPE, value, v);                                                      \
        AMO_##VARIANT##_DO(NAME, xor, (TYPE *)dest, value, pe);                         \
    }
#define AMO_BITWISE_ALL(NAME, TYPE) \
    AMO_BITWISE(NAME, TYPE, plain)  \
    AMO_BITWISE(NAME, TYPE, ctx)    \
    AMO_BITWISE(NAME, TYPE, nbi)    \
    AMO_BITWISE(NAME, TYPE, ctx_nbi)
TYPES_AMO_BITS(AMO_BITWISE_ALL)
#define AMO_BITWISE_ROW(NAME, TYPE, VARIANT) \
    {"shmem_" #NAME "_atomic, " #VARIANT,    \
     sizeof(TYPE),                           \
     NAME##_##VARIANT##_fetch_and,           \
     NAME##_##VARIANT##_fetch_or,            \
     NAME##_##VARIANT##_fetch_xor,           \
     NAME##_##VARIANT##_and,                 \
     NAME##_##VARIANT##_or,                  \
     NAME##_##VARIANT##_xor},
#define AMO_BITWISE_ROWS(NAME, TYPE)   \
    AMO_BITWISE_ROW(NAME, TYPE, plain) \
    AMO_BITWISE_ROW(NAME, TYPE, ctx)   \
    AMO_BITWISE_ROW(NAME, TYPE, nbi)   \
    AMO_BITWISE_ROW(NAME, TYPE, ctx_nbi)
static const struct amo_bitwise amo_bitwise[] = {TYPES_AMO_BITS(AMO_BITWISE_ROWS)};

#endif
