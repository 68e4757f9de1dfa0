/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic memory operations of Fortran on 4- and 8-byte integers and reals.
 */
#include "shmem/fortran/fortran.h"

/* shmem_int4_fetch_, shmem_int8_fetch_, shmem_real4_fetch_, shmem_real8_fetch_, shmem_int4_set_, ...,
 * shmem_int4_swap_, ... */
#define EXTENDED(A, N, C)                                                                                   \
    SHMEMF_PUBLIC shmemf_result_##C shmem_##N##_fetch_(const shmemf_type_##C *source, const int *pe)        \
    {                                                                                                       \
        return shmemf_give_##C(shmem_##C##_atomic_fetch(source, *pe));                                      \
    }                                                                                                       \
    SHMEMF_PUBLIC void shmem_##N##_set_(shmemf_type_##C *dest, const shmemf_type_##C *value, const int *pe) \
    {                                                                                                       \
        shmem_##C##_atomic_set(dest, *value, *pe);                                                          \
    }                                                                                                       \
    SHMEMF_PUBLIC shmemf_result_##C shmem_##N##_swap_(shmemf_type_##C *dest, const shmemf_type_##C *value,  \
                                                      const int *pe)                                        \
    {                                                                                                       \
        return shmemf_give_##C(shmem_##C##_atomic_swap(dest, *value, *pe));                                 \
    }
SHMEMF_ATOMIC(EXTENDED, _)

/* shmem_int4_cswap_, shmem_int8_cswap_, shmem_int4_fadd_, ..., shmem_int4_finc_, ..., shmem_int4_add_, ...,
 * shmem_int4_inc_, ... */
#define STANDARD(A, N, C)                                                                                   \
    SHMEMF_PUBLIC shmemf_result_##C shmem_##N##_cswap_(shmemf_type_##C *dest, const shmemf_type_##C *cond,  \
                                                       const shmemf_type_##C *value, const int *pe)         \
    {                                                                                                       \
        return shmemf_give_##C(shmem_##C##_atomic_compare_swap(dest, *cond, *value, *pe));                  \
    }                                                                                                       \
    SHMEMF_PUBLIC shmemf_result_##C shmem_##N##_fadd_(shmemf_type_##C *dest, const shmemf_type_##C *value,  \
                                                      const int *pe)                                        \
    {                                                                                                       \
        return shmemf_give_##C(shmem_##C##_atomic_fetch_add(dest, *value, *pe));                            \
    }                                                                                                       \
    SHMEMF_PUBLIC shmemf_result_##C shmem_##N##_finc_(shmemf_type_##C *dest, const int *pe)                 \
    {                                                                                                       \
        return shmemf_give_##C(shmem_##C##_atomic_fetch_inc(dest, *pe));                                    \
    }                                                                                                       \
    SHMEMF_PUBLIC void shmem_##N##_add_(shmemf_type_##C *dest, const shmemf_type_##C *value, const int *pe) \
    {                                                                                                       \
        shmem_##C##_atomic_add(dest, *value, *pe);                                                          \
    }                                                                                                       \
    SHMEMF_PUBLIC void shmem_##N##_inc_(shmemf_type_##C *dest, const int *pe)                               \
    {                                                                                                       \
        shmem_##C##_atomic_inc(dest, *pe);                                                                  \
    }
SHMEMF_INT48(STANDARD, _)

/* The T3E's masked swap: only the bits set in `mask` change.
 * shmem_int4_mswap_, shmem_int8_mswap_ */
#define MASKED(A, N, C)                                                                                                \
    static shmemf_type_##C masked_swap_##C(shmemf_type_##C *dest, shmemf_type_##C mask, shmemf_type_##C value, int pe) \
    {                                                                                                                  \
        shmemf_type_##C seen = shmem_##C##_atomic_fetch(dest, pe), old;                                                \
        do {                                                                                                           \
            old = seen;                                                                                                \
            seen = shmem_##C##_atomic_compare_swap(dest, old, (old & ~mask) | (value & mask), pe);                     \
        } while (seen != old);                                                                                         \
        return old;                                                                                                    \
    }                                                                                                                  \
    SHMEMF_PUBLIC shmemf_result_##C shmem_##N##_mswap_(shmemf_type_##C *dest, const shmemf_type_##C *mask,             \
                                                       const shmemf_type_##C *value, const int *pe)                    \
    {                                                                                                                  \
        return shmemf_give_##C(masked_swap_##C(dest, *mask, *value, *pe));                                             \
    }
SHMEMF_INT48(MASKED, _)

/* On a default INTEGER. */
SHMEMF_PUBLIC shmemf_int shmem_swap_(int *dest, const int *value, const int *pe)
{
    return shmemf_number(shmem_int_atomic_swap(dest, *value, *pe));
}
