/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Part of a reduction's source comes from another PE, which has not completed its put.
 * check: race
 */
#include <shmem.h>

static long part[4], sum[4];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    shmem_long_p(&part[2], me, (me + 1) % n); /* found */
#ifndef WRONG
    shmem_barrier_all();
#endif
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sum, part, 4); /* found */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
