/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All put to PE 0 and count themselves there; it goes on when all have come.
 * check: race
 */
#include <shmem.h>

static int arrived;
static double part[64], total[64];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    double mine = me;

    shmem_double_put(&part[me], &mine, 1, 0); /* found */
#ifndef WRONG
    shmem_fence();
#endif
    shmem_int_atomic_inc(&arrived, 0);
    if (me == 0) {
        shmem_int_wait_until(&arrived, SHMEM_CMP_EQ, n);
        shmem_double_put(total, part, (size_t)n, 1); /* found */
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
