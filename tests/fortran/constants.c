/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem.h's constants by number, for the Fortran program that compares them with
 * shmem.fh's.
 */
#include <shmem.h>

int c_constant_(int number);

int c_constant_(int number)
{
    static const int constants[] = {
        [1] = SHMEM_MAJOR_VERSION,
        [2] = SHMEM_MINOR_VERSION,
        [3] = SHMEM_MAX_NAME_LEN,
        [4] = SHMEM_CMP_EQ,
        [5] = SHMEM_CMP_NE,
        [6] = SHMEM_CMP_GT,
        [7] = SHMEM_CMP_GE,
        [8] = SHMEM_CMP_LT,
        [9] = SHMEM_CMP_LE,
        [10] = SHMEM_SYNC_VALUE,
        [11] = SHMEM_REDUCE_MIN_WRKDATA_SIZE,
        [12] = SHMEM_SYNC_SIZE,
        [13] = sizeof SHMEM_VENDOR_STRING - 1,
    };
    return constants[number];
}
