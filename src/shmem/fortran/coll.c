/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives of Fortran, over active sets. REAL(16), which C has no reductions
 * for, is in reduce_real16.c.
 */
#include "shmem/fortran/fortran.h"

#define SET_ARGS const int *PE_start, const int *logPE_stride, const int *PE_size
#define SET *PE_start, *logPE_stride, *PE_size

SHMEMF_PUBLIC void shmem_barrier_(SET_ARGS, void *pSync)
{
    shmem_barrier(SET, shmemf_sync(pSync));
}

SHMEMF_PUBLIC void shmem_sync_(SET_ARGS, void *pSync)
{
    shmem_sync(SET, shmemf_sync(pSync));
}

#define COUNT(where) shmemf_count(nelems, "nelems", where)

#define GATHERING(name, call)                                                                            \
    SHMEMF_PUBLIC void name##_(void *dest, const void *source, const int *nelems, SET_ARGS, void *pSync) \
    {                                                                                                    \
        call(dest, source, COUNT(#name), SET, shmemf_sync(pSync));                                       \
    }
/* shmem_broadcast_, shmem_broadcast4_, shmem_broadcast8_, shmem_broadcast32_, shmem_broadcast64_, shmem_collect4_, ...,
 * shmem_fcollect4_, ... */
#define SIZED(R, BITS)                                                                                              \
    SHMEMF_PUBLIC void shmem_broadcast##R##_(void *dest, const void *source, const int *nelems, const int *PE_root, \
                                             SET_ARGS, void *pSync)                                                 \
    {                                                                                                               \
        shmem_broadcast##BITS(dest, source, COUNT("shmem_broadcast" #R), *PE_root, SET, shmemf_sync(pSync));        \
    }                                                                                                               \
    GATHERING(shmem_collect##R, shmem_collect##BITS)                                                                \
    GATHERING(shmem_fcollect##R, shmem_fcollect##BITS)
SIZED(, 64)
SIZED(4, 32)
SIZED(8, 64)
SIZED(32, 32)
SIZED(64, 64)

/* shmem_alltoall32_, shmem_alltoall64_, shmem_alltoalls32_, shmem_alltoalls64_ */
#define EXCHANGE(BITS)                                                                                            \
    GATHERING(shmem_alltoall##BITS, shmem_alltoall##BITS)                                                         \
    SHMEMF_PUBLIC void shmem_alltoalls##BITS##_(void *dest, const void *source, const int *dst, const int *sst,   \
                                                const int *nelems, SET_ARGS, void *pSync)                         \
    {                                                                                                             \
        shmem_alltoalls##BITS(dest, source, *dst, *sst, COUNT("shmem_alltoalls" #BITS), SET, shmemf_sync(pSync)); \
    }
EXCHANGE(32)
EXCHANGE(64)

/* shmem_int4_and_to_all_, shmem_int8_or_to_all_, shmem_int4_max_to_all_, shmem_real8_sum_to_all_, ... */
#define TO_ALL(op, N, C)                                                                                            \
    SHMEMF_PUBLIC void shmem_##N##_##op##_to_all_(shmemf_type_##C *dest, const shmemf_type_##C *source,             \
                                                  const int *nreduce, SET_ARGS, shmemf_type_##C *pWrk, void *pSync) \
    {                                                                                                               \
        shmem_##C##_##op##_to_all(dest, source, *nreduce, SET, pWrk, shmemf_sync(pSync));                           \
    }
SHMEMF_BITWISE(TO_ALL, and)
SHMEMF_BITWISE(TO_ALL, or)
SHMEMF_BITWISE(TO_ALL, xor)
SHMEMF_ORDERED(TO_ALL, max)
SHMEMF_ORDERED(TO_ALL, min)
SHMEMF_SUMMED(TO_ALL, sum)
SHMEMF_SUMMED(TO_ALL, prod)

/* The bits of complex numbers, which manuals before 1.4 have: two words of their parts' size each. A count that is
 * too large for that becomes negative, and is reported. */
#define XOR_PAIRS(N, C)                                                                                      \
    SHMEMF_PUBLIC void shmem_##N##_xor_to_all_(void *dest, const void *source, const int *nreduce, SET_ARGS, \
                                               void *pWrk, void *pSync)                                      \
    {                                                                                                        \
        shmem_##C##_xor_to_all(dest, source, (int)(2u * (unsigned)*nreduce), SET, pWrk, shmemf_sync(pSync)); \
    }
XOR_PAIRS(comp4, int)
XOR_PAIRS(comp8, long)
