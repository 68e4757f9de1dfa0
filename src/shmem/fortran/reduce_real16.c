/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions of REAL(16), the 128-bit IEEE format, which C's OpenSHMEM has none
 * for (long double is another format on x86-64).
 */
#include "shmem/fortran/fortran.h"
#include "shmem/shmemi.h"

/* shmem_real16_sum_to_all_, shmem_real16_prod_to_all_, shmem_real16_max_to_all_, shmem_real16_min_to_all_ */
#define TO_ALL(name, op)                                                                                               \
    SHMEMF_PUBLIC void shmem_real16_##name##_to_all_(void *dest, const void *source, const int *nreduce,               \
                                                     const int *PE_start, const int *logPE_stride, const int *PE_size, \
                                                     void *pWrk, void *pSync)                                          \
    {                                                                                                                  \
        (void)pWrk;                                                                                                    \
        shmemi_to_all(op, COLL_QUAD, dest, source, *nreduce, *PE_start, *logPE_stride, *PE_size, shmemf_sync(pSync),   \
                      "shmem_real16_" #name "_to_all");                                                                \
    }
TO_ALL(sum, COLL_SUM)
TO_ALL(prod, COLL_PROD)
TO_ALL(max, COLL_MAX)
TO_ALL(min, COLL_MIN)
