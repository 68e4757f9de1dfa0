/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waiting for a variable that another PE changes. Without a kind in the name the
 * variable is a default INTEGER.
 */
#include "shmem/fortran/fortran.h"

#define WAITS(N, C)                                                                              \
    SHMEMF(void, shmem_##N##wait, (shmemf_type_##C *ivar, const shmemf_type_##C *cmp_value),     \
           shmem_##C##_wait_until(ivar, SHMEM_CMP_NE, *cmp_value);)                              \
    SHMEMF(void, shmem_##N##wait_until, (shmemf_type_##C *ivar, const int *cmp, const shmemf_type_##C *cmp_value), \
           shmem_##C##_wait_until(ivar, *cmp, *cmp_value);)
WAITS(, int)
WAITS(int4_, int)
WAITS(int8_, long)
