/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data and a flag to the same PE: the flag may come first.
 * check: race
 */
#include <shmem.h>

static long data[8], copy[8], flag;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    if (me == 0) {
        long source[8] = {1, 2, 3, 4, 5, 6, 7, 8};

        shmem_long_put(data, source, 8, n - 1); /* found */
#ifndef WRONG
        shmem_fence();
#endif
        shmem_long_p(&flag, 1, n - 1);
    } else if (me == n - 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_put(copy, data, 8, 0); /* found */
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
