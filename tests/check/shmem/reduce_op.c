/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs combine by different operations.
 * check: collective-mismatch
 */
#include <shmem.h>

static long from[4], to[4];

int main(void)
{
    shmem_init();
#ifdef WRONG
    if (shmem_my_pe() % 2)
        shmem_long_max_reduce(SHMEM_TEAM_WORLD, to, from, 4); /* found */
    else
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, 4); /* found */
#else
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, 4);
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, to, from, 4);
#endif
    shmem_finalize();
    return 0;
}
