/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One PE leaves out a collective call that the others make.
 * check: collective-mismatch
 */
#include <shmem.h>

static double from[2], to[2];

int main(void)
{
    shmem_init();
#ifdef WRONG
    if (shmem_my_pe() != 1)
#endif
        shmem_double_sum_reduce(SHMEM_TEAM_WORLD, to, from, 2); /* found */
    shmem_barrier_all(); /* found */
    shmem_finalize();
    return 0;
}
