/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waiting for a variable that another PE changes. Without a kind in the name the
 * variable is a default INTEGER.
 */
#include "shmem/fortran/fortran.h"

/* shmem_wait_, shmem_int4_wait_, shmem_int8_wait_, shmem_wait_until_, shmem_int4_wait_until_, shmem_int8_wait_until_ */
#define WAITS(N, C)                                                                                                    \
    SHMEMF_PUBLIC void shmem_##N##wait_(shmemf_type_##C *ivar, const shmemf_type_##C *cmp_value)                       \
    {                                                                                                                  \
        shmem_##C##_wait_until(ivar, SHMEM_CMP_NE, *cmp_value);                                                        \
    }                                                                                                                  \
    SHMEMF_PUBLIC void shmem_##N##wait_until_(shmemf_type_##C *ivar, const int *cmp, const shmemf_type_##C *cmp_value) \
    {                                                                                                                  \
        shmem_##C##_wait_until(ivar, *cmp, *cmp_value);                                                                \
    }
WAITS(, int)
WAITS(int4_, int)
WAITS(int8_, long)
