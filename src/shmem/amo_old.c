/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The deprecated names of atomics (1.6, annex on deprecated API). Messages name
 * the present name of the call.
 */
#include "shmem/shmemi.h"

/* shmem_long_fetch, shmem_int_fetch, shmem_double_fetch, ..., shmem_long_set, ..., shmem_long_swap, ... */
#define EXTENDED(A, N, T, C)                              \
    T pshmem_##N##_fetch(const T *source, int pe)         \
    {                                                     \
        return pshmem_##N##_atomic_fetch(source, pe);     \
    }                                                     \
    void pshmem_##N##_set(T *dest, T value, int pe)       \
    {                                                     \
        pshmem_##N##_atomic_set(dest, value, pe);         \
    }                                                     \
    T pshmem_##N##_swap(T *dest, T value, int pe)         \
    {                                                     \
        return pshmem_##N##_atomic_swap(dest, value, pe); \
    }                                                     \
    SHMEMI_ALIAS(shmem_##N##_fetch);                      \
    SHMEMI_ALIAS(shmem_##N##_set);                        \
    SHMEMI_ALIAS(shmem_##N##_swap);
MPT_FOR_OLX(EXTENDED, _)

/* shmem_long_cswap, shmem_int_cswap, shmem_longlong_cswap, shmem_long_finc, ..., shmem_long_inc, ...,
 * shmem_long_fadd, ..., shmem_long_add, ... */
#define STANDARD(A, N, T, C)                                            \
    T pshmem_##N##_cswap(T *dest, T cond, T value, int pe)              \
    {                                                                   \
        return pshmem_##N##_atomic_compare_swap(dest, cond, value, pe); \
    }                                                                   \
    T pshmem_##N##_finc(T *dest, int pe)                                \
    {                                                                   \
        return pshmem_##N##_atomic_fetch_inc(dest, pe);                 \
    }                                                                   \
    void pshmem_##N##_inc(T *dest, int pe)                              \
    {                                                                   \
        pshmem_##N##_atomic_inc(dest, pe);                              \
    }                                                                   \
    T pshmem_##N##_fadd(T *dest, T value, int pe)                       \
    {                                                                   \
        return pshmem_##N##_atomic_fetch_add(dest, value, pe);          \
    }                                                                   \
    void pshmem_##N##_add(T *dest, T value, int pe)                     \
    {                                                                   \
        pshmem_##N##_atomic_add(dest, value, pe);                       \
    }                                                                   \
    SHMEMI_ALIAS(shmem_##N##_cswap);                                    \
    SHMEMI_ALIAS(shmem_##N##_finc);                                     \
    SHMEMI_ALIAS(shmem_##N##_inc);                                      \
    SHMEMI_ALIAS(shmem_##N##_fadd);                                     \
    SHMEMI_ALIAS(shmem_##N##_add);
MPT_FOR_OLD(STANDARD, _)
