/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The deprecated names of atomics (1.6, annex on deprecated API). Messages name
 * the present name of the call.
 */
#include "shmem/shmemi.h"

#define EXTENDED(A, N, T, C)                                                                           \
    SHMEMI_DEF(T, N##_fetch, (const T *source, int pe), return pshmem_##N##_atomic_fetch(source, pe);) \
    SHMEMI_DEF(void, N##_set, (T * dest, T value, int pe), pshmem_##N##_atomic_set(dest, value, pe);)  \
    SHMEMI_DEF(T, N##_swap, (T * dest, T value, int pe), return pshmem_##N##_atomic_swap(dest, value, pe);)
MPT_FOR_OLX(EXTENDED, _)

#define STANDARD(A, N, T, C)                                                                                    \
    SHMEMI_DEF(T, N##_cswap, (T * dest, T cond, T value, int pe),                                               \
               return pshmem_##N##_atomic_compare_swap(dest, cond, value, pe);)                                 \
    SHMEMI_DEF(T, N##_finc, (T * dest, int pe), return pshmem_##N##_atomic_fetch_inc(dest, pe);)                \
    SHMEMI_DEF(void, N##_inc, (T * dest, int pe), pshmem_##N##_atomic_inc(dest, pe);)                           \
    SHMEMI_DEF(T, N##_fadd, (T * dest, T value, int pe), return pshmem_##N##_atomic_fetch_add(dest, value, pe);) \
    SHMEMI_DEF(void, N##_add, (T * dest, T value, int pe), pshmem_##N##_atomic_add(dest, value, pe);)
MPT_FOR_OLD(STANDARD, _)
